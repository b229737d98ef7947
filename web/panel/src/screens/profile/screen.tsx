import { Stack } from '@mantine/core';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Page } from '../../ui/page.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { You } from './you.tsx';

export default function Profile() {
  const t = useText(screenText);
  return (
    <Page title={t('profile')}>
      <Stack gap="lg" maw="52rem">
        <You />
        <Password />
        <AuthenticatorApp />
        <Passkeys />
        <Sessions />
      </Stack>
    </Page>
  );
}

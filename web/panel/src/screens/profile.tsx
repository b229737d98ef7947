import { Stack } from '@mantine/core';
import { screenText } from '../i18n/screens.ts';
import { useText } from '../i18n/text.ts';
import { Page } from '../ui/page.tsx';
import { AuthenticatorApp } from './profile/authenticator-app.tsx';
import { Passkeys } from './profile/passkeys.tsx';
import { Password } from './profile/password.tsx';
import { Sessions } from './profile/sessions.tsx';
import { You } from './profile/you.tsx';

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

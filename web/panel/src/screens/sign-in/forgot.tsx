import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useText } from '../../language/text.ts';
import { Outside } from '../../shell/outside.tsx';
import { Form, TextField, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Note } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { signInText } from './words.ts';

export default function Forgot() {
  const t = useText(signInText);
  const common = useText(commonText);
  const [sent, setSent] = useState(false);
  async function send(values: Values): Promise<void> {
    await call('POST /panel/api/password/forgot', { body: { email: values('email').trim() } });
    setSent(true);
  }
  return (
    <Outside title={t('forgotTitle')} about={sent ? undefined : t('forgotAbout')}>
      {sent ? (
        <output>
          <Note tone="good">{t('linkSent')}</Note>
        </output>
      ) : (
        <Form send={send} submit={t('sendLink')} fullWidth>
          <TextField
            name="email"
            type="email"
            label={common('email')}
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
          />
        </Form>
      )}
      <TextLink to="/sign-in" size="sm">
        {t('backToSignIn')}
      </TextLink>
    </Outside>
  );
}

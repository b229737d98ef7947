import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, PasswordField, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { NewPasswordFields, newPasswordOf, useNotTheSame } from '../sign-in/new-password.tsx';
import { profileText } from './words.ts';

export function Password() {
  const t = useText(profileText);
  const notTheSame = useNotTheSame();
  const { user } = useSession();
  const notify = useNotify();
  // A new key empties the fields.
  const [changes, setChanges] = useState(0);
  async function send(values: Values): Promise<void> {
    const password = newPasswordOf(values, notTheSame);
    await call('POST /panel/api/me/password', { body: { current: values('current'), password } });
    setChanges(changes + 1);
    notify.done(t('passwordChanged'));
  }
  return (
    <Section title={t('passwordTitle')} about={t('passwordAbout')}>
      <Form key={changes} send={send} submit={t('changePassword')}>
        <input type="email" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          name="current"
          label={t('current')}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <NewPasswordFields />
      </Form>
    </Section>
  );
}

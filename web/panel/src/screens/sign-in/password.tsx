// Setting a password with a link from a mail. The token is in the fragment, so that no server and no log sees it.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { useText } from '../../language/text.ts';
import { Outside } from '../../shell/outside.tsx';
import { Failed } from '../../ui/failed/failed.tsx';
import { Form, TextField, type Values } from '../../ui/form.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Loading } from '../../ui/loaded.tsx';
import { Note } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { NewPasswordFields, newPasswordOf, useNotTheSame } from './new-password.tsx';
import { signInText } from './words.ts';

type Link = Answer<'POST /panel/api/password/token'>;

export default function SetPassword() {
  const t = useText(signInText);
  const [token] = useState(() => location.hash.slice(1));
  const [done, setDone] = useState(false);
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => call('POST /panel/api/password/token', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (done) return <Done />;
  if (link.data) return <Fields token={token} link={link.data} done={() => setDone(true)} />;
  if (link.error instanceof ApiError && link.error.status < 500) return <Gone />;
  return (
    <Outside title={t('setTitle')}>
      {link.error ? <Failed error={link.error} retry={() => void link.refetch()} /> : <Loading lines={3} />}
    </Outside>
  );
}

interface FieldsProps {
  readonly token: string;
  readonly link: Link;
  readonly done: () => void;
}

function Fields({ token, link, done }: FieldsProps) {
  const t = useText(signInText);
  const common = useText(commonText);
  const notTheSame = useNotTheSame();
  const invited = link.purpose === 'invitation';
  async function send(values: Values): Promise<void> {
    const password = newPasswordOf(values, notTheSame);
    const name = values('name').trim();
    await call('POST /panel/api/password/set', { body: { token, password, ...(name ? { name } : {}) } });
    done();
  }
  return (
    <Outside
      title={invited ? t('welcome', { name: link.name }) : t('setTitle')}
      about={t('forAddress', { email: link.email })}
    >
      <Form send={send} submit={t('setTitle')} fullWidth>
        {invited ? <TextField name="name" label={common('name')} defaultValue={link.name} autoComplete="name" /> : null}
        {/* For password managers: what the password belongs to. */}
        <input type="email" name="username" autoComplete="username" value={link.email} readOnly hidden />
        <NewPasswordFields />
      </Form>
    </Outside>
  );
}

function Done() {
  const t = useText(signInText);
  return (
    <Outside title={t('setTitle')}>
      <output>
        <Note tone="good">{t('passwordSet')}</Note>
      </output>
      <ButtonLink to="/sign-in" fullWidth>
        {t('signIn')}
      </ButtonLink>
    </Outside>
  );
}

function Gone() {
  const t = useText(signInText);
  return (
    <Outside title={t('linkGone')} about={t('linkGoneAbout')}>
      <ButtonLink to="/forgot" fullWidth>
        {t('askAgain')}
      </ButtonLink>
    </Outside>
  );
}

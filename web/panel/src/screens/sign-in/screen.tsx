import { Anchor, Button, Divider, Stack } from '@mantine/core';
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFilters } from '../../address.ts';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { useText } from '../../language/text.ts';
import { Outside } from '../../shell/outside.tsx';
import { Failed } from '../../ui/failed/failed.tsx';
import { Form, PasswordField, TextField, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Note } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { signInText } from './words.ts';

type SignedIn = Answer<'POST /panel/api/sign-in'>;
type Methods = SignedIn['methods'];

const filterNames = ['to'] as const;

/** Loads the panel anew, at the screen that was asked for. */
function useEnter(): (answer: SignedIn) => void {
  const [{ to }] = useFilters(filterNames);
  return () => location.assign(`/panel${to.startsWith('/') ? to : '/'}`);
}

export default function SignIn() {
  const [methods, setMethods] = useState<Methods>();
  return methods ? (
    <SecondStep methods={methods} again={() => setMethods(undefined)} />
  ) : (
    <FirstStep next={setMethods} />
  );
}

function FirstStep({ next }: { readonly next: (methods: Methods) => void }) {
  const t = useText(signInText);
  const common = useText(commonText);
  const enter = useEnter();
  async function send(values: Values): Promise<void> {
    const body = { email: values('email').trim(), password: values('password') };
    const answer = await call('POST /panel/api/sign-in', { body });
    if (answer.status === 'second_factor') next(answer.methods);
    else enter(answer);
  }
  return (
    <Outside title={t('signIn')} about={t('about')}>
      <Form send={send} submit={t('signIn')} fullWidth>
        <TextField
          name="email"
          type="email"
          label={common('email')}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordField
          name="password"
          label={common('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
      </Form>
      <TextLink to="/forgot" size="sm">
        {t('forgotten')}
      </TextLink>
    </Outside>
  );
}

interface SecondStepProps {
  readonly methods: Methods;
  readonly again: () => void;
}

function SecondStep({ methods, again }: SecondStepProps) {
  const t = useText(signInText);
  const byCode = methods.includes('totp') || methods.includes('recovery');
  const byPasskey = methods.includes('passkey');
  return (
    <Outside title={t('secondStep')} about={t('secondStepAbout')}>
      <Stack gap="md">
        {byPasskey ? <PasskeyStep /> : null}
        {byPasskey && byCode ? <Divider label={t('or')} /> : null}
        {byCode ? <CodeStep methods={methods} /> : null}
      </Stack>
      <Anchor component="button" type="button" size="sm" ta="start" onClick={again}>
        {t('startOver')}
      </Anchor>
    </Outside>
  );
}

function CodeStep({ methods }: { readonly methods: Methods }) {
  const t = useText(signInText);
  const enter = useEnter();
  const [recovery, setRecovery] = useState(!methods.includes('totp'));
  const send = async (values: Values) =>
    enter(await call('POST /panel/api/sign-in/code', { body: { code: values('code').replaceAll(' ', '') } }));
  return (
    <Stack gap="md">
      <Form send={send} submit={t('confirm')} fullWidth>
        {recovery ? (
          <TextField
            key="recovery"
            name="code"
            label={t('recoveryCode')}
            autoComplete="off"
            required
            withAsterisk={false}
            autoFocus
          />
        ) : (
          <TextField
            key="code"
            name="code"
            label={t('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            autoFocus
          />
        )}
      </Form>
      {methods.includes('totp') && methods.includes('recovery') ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setRecovery(!recovery)}>
          {recovery ? t('useCode') : t('useRecovery')}
        </Anchor>
      ) : null}
    </Stack>
  );
}

function PasskeyStep() {
  const t = useText(signInText);
  const enter = useEnter();
  const ask = useMutation({
    mutationFn: async () => {
      const { options } = await call('POST /panel/api/sign-in/passkey/options');
      const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
      const response = await startAuthentication({ optionsJSON });
      return call('POST /panel/api/sign-in/passkey', { body: { response: { ...response } } });
    },
    onSuccess: enter,
  });
  return (
    <Stack gap="xs">
      <Button
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden="true" />}
        loading={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {t('usePasskey')}
      </Button>
      {ask.error ? (
        ask.error instanceof ApiError ? (
          <Failed error={ask.error} />
        ) : (
          <Note tone="bad">{t('passkeyFailed')}</Note>
        )
      ) : null}
    </Stack>
  );
}

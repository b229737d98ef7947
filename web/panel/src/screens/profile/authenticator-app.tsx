import { Button, Center, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Qr } from '../../ui/qr.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { profileText } from './words.ts';
import { YourPassword } from './your-password.tsx';

type Begun = Answer<'POST /panel/api/me/totp'>;

export function AuthenticatorApp() {
  const t = useText(profileText);
  const { secondFactor } = useSession().user;
  const [opened, setOpened] = useState<'set-up' | 'remove'>();
  const close = () => setOpened(undefined);
  return (
    <Section
      title={t('app')}
      about={t('appAbout')}
      actions={<Status tone={secondFactor.totp ? 'good' : 'plain'}>{secondFactor.totp ? t('on') : t('off')}</Status>}
    >
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {secondFactor.totp ? t('codesLeft', { count: secondFactor.recoveryCodesLeft }) : ''}
        </Text>
        {secondFactor.totp ? (
          <Button variant="default" onClick={() => setOpened('remove')}>
            {t('remove')}
          </Button>
        ) : (
          <Button onClick={() => setOpened('set-up')}>{t('setUp')}</Button>
        )}
      </Group>
      {opened === 'set-up' ? <SetUp onClose={close} /> : null}
      {opened === 'remove' ? <Remove onClose={close} /> : null}
    </Section>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function Remove({ onClose }: DialogProps) {
  const t = useText(profileText);
  const queries = useQueryClient();
  async function send(values: Values): Promise<void> {
    await call('POST /panel/api/me/totp/remove', { body: { password: values('password') } });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
  return (
    <Confirm
      title={t('removeAppTitle')}
      submit={t('remove')}
      danger
      send={send}
      onClose={onClose}
      fields={<YourPassword />}
    >
      {t('removeAppAbout')}
    </Confirm>
  );
}

/** Three steps: the password, the code, the recovery codes. */
function SetUp({ onClose }: DialogProps) {
  const t = useText(profileText);
  const common = useText(commonText);
  const queries = useQueryClient();
  const [begun, setBegun] = useState<Begun>();
  const [codes, setCodes] = useState<readonly string[]>();
  async function begin(values: Values): Promise<void> {
    setBegun(await call('POST /panel/api/me/totp', { body: { password: values('password') } }));
  }
  async function confirm(values: Values): Promise<void> {
    const body = { code: values('code').replaceAll(' ', '') };
    const { recoveryCodes } = await call('POST /panel/api/me/totp/confirm', { body });
    setCodes(recoveryCodes);
  }
  async function end(): Promise<void> {
    onClose();
    if (codes) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
  return (
    <Dialog onClose={() => void end()} title={codes ? t('recoveryTitle') : t('app')} closeOnClickOutside={!codes}>
      {codes ? (
        <RecoveryCodes codes={codes} end={() => void end()} />
      ) : begun ? (
        <Form send={confirm} submit={t('turnOn')} cancel={onClose}>
          <ToScan begun={begun} />
          <TextField
            name="code"
            label={t('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            data-autofocus
          />
        </Form>
      ) : (
        <Form send={begin} submit={common('next')} cancel={onClose}>
          <YourPassword />
        </Form>
      )}
    </Dialog>
  );
}

function ToScan({ begun }: { readonly begun: Begun }) {
  const t = useText(profileText);
  return (
    <Stack gap="sm">
      <Text size="sm">{t('scan')}</Text>
      <Center>
        <Qr text={begun.uri} label={t('qrLabel')} />
      </Center>
      <Text size="sm">{t('orType')}</Text>
      <Group gap={4} wrap="nowrap">
        <Code className="mono">{begun.secret}</Code>
        <Copy text={begun.secret} />
      </Group>
    </Stack>
  );
}

function RecoveryCodes({ codes, end }: { readonly codes: readonly string[]; readonly end: () => void }) {
  const t = useText(profileText);
  const text = codes.join('\n');
  return (
    <Stack gap="md">
      <Text size="sm">{t('recoveryAbout')}</Text>
      <SimpleGrid cols={2} spacing={6}>
        {codes.map((code) => (
          <Code key={code} className="mono" ta="center">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Group gap="xs">
          <Copy text={text} />
          <Button
            component="a"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="grosz-recovery-codes.txt"
          >
            {t('download')}
          </Button>
        </Group>
        <Button onClick={end}>{t('kept')}</Button>
      </Group>
    </Stack>
  );
}

import { Anchor, Button, Text } from '@mantine/core';
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { ApiError } from '../../api/failure.ts';
import { type Session, sessionQuery, useSession } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, TextField, type Values } from '../../ui/form.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Section } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import { profileText } from './words.ts';
import { YourPassword } from './your-password.tsx';

type Passkey = Session['user']['secondFactor']['passkeys'][number];

export function Passkeys() {
  const t = useText(profileText);
  const { passkeys } = useSession().user.secondFactor;
  const [adding, setAdding] = useState(false);
  const supported = browserSupportsWebAuthn() && !isNumeric;
  return (
    <Section
      title={t('passkeys')}
      about={t('passkeysAbout')}
      actions={
        supported ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => setAdding(true)}
          >
            {t('addPasskey')}
          </Button>
        ) : null
      }
    >
      {passkeys.length > 0 ? (
        <PasskeyList passkeys={passkeys} />
      ) : (
        <Text size="sm" c="dimmed" component="div">
          {supported ? t('noPasskeys') : isNumeric ? <ByName /> : t('noPasskeysHere')}
        </Text>
      )}
      {adding ? <Add onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

/** Browsers bind passkeys to a domain: at 127.0.0.1 there are none, at localhost there are. */
const isNumeric = /^[\d.]+$|^\[/.test(location.hostname);

function ByName() {
  const t = useText(profileText);
  const { hostname, port, pathname } = location;
  const name = `localhost:${port}`;
  return (
    <>
      {t('passkeysByName')}{' '}
      {hostname === '127.0.0.1' ? (
        <Anchor underline="always" href={`http://${name}${pathname}`}>
          {t('openByName', { name })}
        </Anchor>
      ) : null}
    </>
  );
}

function PasskeyList({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const t = useText(profileText);
  const common = useText(commonText);
  const format = useFormat();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Passkey>();
  async function remove(values: Values): Promise<void> {
    if (!leaving) return;
    const request = { params: { passkeyId: leaving.id }, body: { password: values('password') } };
    await call('POST /panel/api/me/passkeys/{passkeyId}/remove', request);
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
  return (
    <>
      <Table
        label={t('passkeys')}
        rows={passkeys}
        keyOf={({ id }) => id}
        columns={[
          { key: 'name', label: common('name'), lead: true, cell: ({ name }) => name },
          { key: 'added', label: t('added'), nowrap: true, cell: ({ createdAt }) => format.dateTime(createdAt) },
          {
            key: 'used',
            label: t('lastUsed'),
            nowrap: true,
            cell: ({ lastUsedAt }) => (lastUsedAt ? format.dateTime(lastUsedAt) : common('never')),
          },
          {
            key: 'remove',
            label: common('actions'),
            hideLabel: true,
            align: 'end',
            cell: (passkey) => (
              <Button
                size="xs"
                variant="default"
                onClick={() => setLeaving(passkey)}
                aria-label={`${t('remove')}: ${passkey.name}`}
              >
                {t('remove')}
              </Button>
            ),
          },
        ]}
      />
      {leaving ? (
        <Confirm
          title={t('removePasskeyTitle', { name: leaving.name })}
          submit={t('remove')}
          danger
          send={remove}
          onClose={() => setLeaving(undefined)}
          fields={<YourPassword />}
        />
      ) : null}
    </>
  );
}

function Add({ onClose }: { readonly onClose: () => void }) {
  const t = useText(profileText);
  const queries = useQueryClient();
  const notify = useNotify();
  async function send(values: Values): Promise<void> {
    const { options } = await call('POST /panel/api/me/passkeys/options', { body: { password: values('password') } });
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    const response = await startRegistration({ optionsJSON }).catch(() => {
      throw new ApiError(400, [{ code: '', field: '', message: t('passkeyRefused') }], '');
    });
    await call('POST /panel/api/me/passkeys', { body: { name: values('name').trim(), response: { ...response } } });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    notify.done(t('passkeyAdded'));
    onClose();
  }
  return (
    <Dialog onClose={onClose} title={t('addPasskey')}>
      <Form send={send} submit={t('addPasskey')} cancel={onClose}>
        <TextField name="name" label={t('passkeyName')} maxLength={60} required withAsterisk={false} data-autofocus />
        <YourPassword />
      </Form>
    </Dialog>
  );
}

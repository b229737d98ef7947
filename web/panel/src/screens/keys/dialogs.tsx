import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, SelectField, TextField, type Values } from '../../ui/form.tsx';
import { commonText } from '../../ui/words.ts';
import { keyText } from './words.ts';

export type Key = Answer<'GET /panel/api/keys'>['keys'][number];
type NewSecret = Answer<'POST /panel/api/keys'>;

export type KeyQuestion =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'drop' | 'revoke'; readonly key: Key }
  | { readonly kind: 'secret'; readonly secret: NewSecret };

interface Props {
  readonly question: KeyQuestion | undefined;
  readonly ask: (question: KeyQuestion | undefined) => void;
}

export function KeyDialogs({ question, ask }: Props) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['GET /panel/api/keys'] });
  const onClose = () => ask(undefined);
  async function showSecret(secret: NewSecret): Promise<void> {
    await refresh();
    ask({ kind: 'secret', secret });
  }
  switch (question?.kind) {
    case undefined:
      return null;
    case 'create':
      return <Create onClose={onClose} made={showSecret} />;
    case 'rotate':
      return <Rotate one={question.key} onClose={onClose} made={showSecret} />;
    case 'drop':
      return <Drop one={question.key} onClose={onClose} done={refresh} />;
    case 'revoke':
      return <Revoke one={question.key} onClose={onClose} done={refresh} />;
    case 'secret':
      return <Secret secret={question.secret} onClose={onClose} />;
  }
}

interface MakeProps {
  readonly onClose: () => void;
  readonly made: (secret: NewSecret) => Promise<void>;
}

function Create({ onClose, made }: MakeProps) {
  const t = useText(keyText);
  async function send(values: Values): Promise<void> {
    const kind = values('kind') === 'read_only' ? 'read_only' : 'full';
    await made(await call('POST /panel/api/keys', { body: { name: values('name').trim(), kind } }));
  }
  return (
    <Dialog onClose={onClose} title={t('create')}>
      <Form send={send} submit={t('create')} cancel={onClose}>
        <TextField
          name="name"
          label={t('name')}
          description={t('nameHint')}
          required
          withAsterisk={false}
          data-autofocus
        />
        <SelectField
          name="kind"
          label={t('kind')}
          data={[
            { value: 'full', label: t('full') },
            { value: 'read_only', label: t('read_only') },
          ]}
        />
      </Form>
    </Dialog>
  );
}

function Rotate({ one: { clientId, name }, onClose, made }: MakeProps & { readonly one: Key }) {
  const t = useText(keyText);
  return (
    <Dialog onClose={onClose} title={t('rotateTitle', { name })}>
      <Form
        send={async () => made(await call('POST /panel/api/keys/{clientId}/rotate', { params: { clientId } }))}
        submit={t('rotate')}
        cancel={onClose}
      >
        <Text size="sm">{t('rotateHint')}</Text>
      </Form>
    </Dialog>
  );
}

interface EndProps {
  readonly one: Key;
  readonly onClose: () => void;
  readonly done: () => Promise<void>;
}

function Drop({ one: { clientId, name }, onClose, done }: EndProps) {
  const t = useText(keyText);
  const notify = useNotify();
  async function send(): Promise<void> {
    await call('POST /panel/api/keys/{clientId}/drop-older', { params: { clientId } });
    await done();
    notify.done(t('dropped'));
  }
  return (
    <Confirm title={t('dropTitle', { name })} submit={t('dropOlder')} danger onClose={onClose} send={send}>
      {t('dropHint')}
    </Confirm>
  );
}

function Revoke({ one: { clientId, name }, onClose, done }: EndProps) {
  const t = useText(keyText);
  const notify = useNotify();
  async function send(): Promise<void> {
    await call('POST /panel/api/keys/{clientId}/revoke', { params: { clientId } });
    await done();
    notify.done(t('revokedDone'));
  }
  return (
    <Confirm title={t('revokeTitle', { name })} submit={t('revoke')} danger onClose={onClose} send={send}>
      {t('revokeHint')}
    </Confirm>
  );
}

/** Not closed by a click beside it: it is shown only once. */
function Secret({ secret, onClose }: { readonly secret: NewSecret; readonly onClose: () => void }) {
  const t = useText(keyText);
  const common = useText(commonText);
  return (
    <Dialog onClose={onClose} title={t('secretTitle')} closeOnClickOutside={false}>
      <Stack gap="md">
        <Text size="sm">{t('secretHint')}</Text>
        <Facts
          facts={[
            { label: t('clientId'), value: <Id text={secret.clientId} /> },
            { label: t('clientSecret'), value: <Id text={secret.clientSecret} /> },
          ]}
        />
        <Button onClick={onClose}>{common('done')}</Button>
      </Stack>
    </Dialog>
  );
}

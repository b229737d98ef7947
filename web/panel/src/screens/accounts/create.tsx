import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, SelectField, TextField, type Values } from '../../ui/form.tsx';
import { commonText } from '../../ui/words.ts';
import { accountsText } from './words.ts';

type Made = Answer<'POST /panel/api/operator/accounts'>;

/** With its first owner. Without mail the invitation is shown, only once. */
export function CreateAccount({ onClose }: { readonly onClose: () => void }) {
  const t = useText(accountsText);
  const notify = useNotify();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<Made>();
  const open = (accountId: string) => navigate({ to: `/operator/accounts/${accountId}` });

  async function send(values: Values): Promise<void> {
    const ownerName = values('ownerName').trim();
    const answer = await call('POST /panel/api/operator/accounts', {
      body: {
        kind: values('kind') === 'partner' ? 'partner' : 'merchant',
        name: values('name').trim(),
        email: values('email').trim(),
        ownerEmail: values('ownerEmail').trim(),
        ...(ownerName ? { ownerName } : {}),
      },
    });
    await client.invalidateQueries({ queryKey: ['GET /panel/api/operator/accounts'] });
    notify.done(t('createdDone'));
    if (answer.invitationUrl) setMade(answer);
    else await open(answer.accountId);
  }

  return (
    <Dialog onClose={onClose} title={made ? t('invitation') : t('create')} closeOnClickOutside={made === undefined}>
      {made ? (
        <Invitation url={made.invitationUrl ?? ''} next={() => void open(made.accountId)} />
      ) : (
        <Form send={send} submit={t('create')} cancel={onClose}>
          <Fields />
        </Form>
      )}
    </Dialog>
  );
}

function Fields() {
  const t = useText(accountsText);
  const required = { required: true, withAsterisk: false } as const;
  return (
    <>
      <Text size="sm">{t('createHint')}</Text>
      <SelectField
        name="kind"
        label={t('kind')}
        data={[
          { value: 'merchant', label: t('merchant') },
          { value: 'partner', label: t('partner') },
        ]}
      />
      <TextField name="name" label={t('name')} {...required} />
      <TextField name="email" type="email" label={t('contactEmail')} {...required} />
      <TextField name="ownerName" label={t('ownerName')} />
      <TextField name="ownerEmail" type="email" label={t('ownerEmail')} {...required} />
    </>
  );
}

function Invitation({ url, next }: { readonly url: string; readonly next: () => void }) {
  const t = useText(accountsText);
  const common = useText(commonText);
  return (
    <Stack gap="md">
      <Text size="sm">{t('invitationHint')}</Text>
      <Facts facts={[{ label: t('link'), value: <Id text={url} /> }]} />
      <Button onClick={next}>{common('done')}</Button>
    </Stack>
  );
}

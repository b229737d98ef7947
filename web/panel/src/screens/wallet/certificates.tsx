import { Button, Group } from '@mantine/core';
import { IconCertificate } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callWith, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { AreaField, TextField, type Values } from '../../ui/form.tsx';
import { Json } from '../../ui/json.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { walletText } from './words.ts';

type Certificate = Answer<'GET /wallet/certificates'>['certificates'][number];
type Question = { readonly kind: 'request' } | { readonly kind: 'csr' | 'upload' | 'revoke'; readonly of: Certificate };
type Ask = (question: Question | undefined) => void;

const states = {
  requested: { tone: 'wait', text: 'statusRequested' },
  active: { tone: 'good', text: 'statusActive' },
  revoked: { tone: 'plain', text: 'statusRevoked' },
} as const;

export function Certificates() {
  const t = useText(walletText);
  const mayWrite = useMay('write');
  const found = useQuery(read('GET /wallet/certificates'));
  const [question, setQuestion] = useState<Question>();
  return (
    <Section
      title={t('certificates')}
      about={t('certificatesAbout')}
      actions={mayWrite ? <Button onClick={() => setQuestion({ kind: 'request' })}>{t('request')}</Button> : null}
    >
      <Loaded query={found} lines={3}>
        {({ certificates }) =>
          certificates.length > 0 ? (
            <Rows rows={certificates} ask={setQuestion} mayWrite={mayWrite} />
          ) : (
            <Empty icon={IconCertificate} title={t('noCertificates')}>
              {t('noCertificatesHint')}
            </Empty>
          )
        }
      </Loaded>
      {question ? <Questions question={question} onClose={() => setQuestion(undefined)} /> : null}
    </Section>
  );
}

interface RowsProps {
  readonly rows: readonly Certificate[];
  readonly ask: Ask;
  readonly mayWrite: boolean;
}

function Rows({ rows, ask, mayWrite }: RowsProps) {
  const t = useText(walletText);
  const list = useText(listText);
  const format = useFormat();
  const columns: readonly Column<Certificate>[] = [
    { key: 'identifier', label: t('identifier'), lead: true, cell: (one) => one.merchantIdentifier },
    {
      key: 'status',
      label: list('status'),
      cell: ({ status }) => <Status tone={states[status].tone}>{t(states[status].text)}</Status>,
    },
    {
      key: 'expires',
      label: t('expires'),
      nowrap: true,
      cell: ({ expiresAt }) => (expiresAt ? format.date(expiresAt) : ''),
    },
    { key: 'created', label: t('created'), nowrap: true, cell: ({ createdAt }) => format.date(createdAt) },
    {
      key: 'actions',
      label: t('actions'),
      hideLabel: true,
      cell: (one) => <Actions one={one} ask={ask} mayWrite={mayWrite} />,
    },
  ];
  return <Table label={t('certificates')} columns={columns} rows={rows} keyOf={({ certificateId }) => certificateId} />;
}

function Actions({ one, ask, mayWrite }: { readonly one: Certificate; readonly ask: Ask; readonly mayWrite: boolean }) {
  const t = useText(walletText);
  const { status } = one;
  return (
    <Group gap="xs" justify="flex-end">
      {status === 'requested' ? (
        <Button size="xs" variant="default" onClick={() => ask({ kind: 'csr', of: one })}>
          {t('csr')}
        </Button>
      ) : null}
      {mayWrite && status === 'requested' ? (
        <Button size="xs" variant="default" onClick={() => ask({ kind: 'upload', of: one })}>
          {t('upload')}
        </Button>
      ) : null}
      {mayWrite && status !== 'revoked' ? (
        <Button size="xs" variant="default" onClick={() => ask({ kind: 'revoke', of: one })}>
          {t('revoke')}
        </Button>
      ) : null}
    </Group>
  );
}

interface QuestionsProps {
  readonly question: Question;
  readonly onClose: () => void;
}

function Questions({ question, onClose }: QuestionsProps) {
  switch (question.kind) {
    case 'request':
      return <Request onClose={onClose} />;
    case 'csr':
      return <SigningRequest of={question.of} onClose={onClose} />;
    case 'upload':
      return <Upload of={question.of} onClose={onClose} />;
    case 'revoke':
      return <Revoke of={question.of} onClose={onClose} />;
  }
}

function useDone(): (message: string) => Promise<void> {
  const client = useQueryClient();
  const notify = useNotify();
  return async (message) => {
    await client.invalidateQueries({ queryKey: ['GET /wallet/certificates'] });
    notify.done(message);
  };
}

interface DialogProps {
  readonly onClose: () => void;
}

/** With a key: a repeated click makes no second key pair. */
function Request({ onClose }: DialogProps) {
  const t = useText(walletText);
  const done = useDone();
  const keyOf = useKeys();
  async function send(values: Values): Promise<void> {
    const body = { merchantIdentifier: values('merchantIdentifier').trim() };
    await callWith({ idempotencyKey: keyOf(body) }, 'POST /wallet/certificates', { body });
    await done(t('requested'));
  }
  return (
    <Confirm
      title={t('request')}
      submit={t('request')}
      onClose={onClose}
      send={send}
      fields={
        <TextField
          name="merchantIdentifier"
          label={t('identifier')}
          placeholder="merchant.com.example.shop"
          autoCapitalize="off"
          required
          withAsterisk={false}
          data-autofocus
        />
      }
    />
  );
}

interface OfProps extends DialogProps {
  readonly of: Certificate;
}

function SigningRequest({ of: { csr, merchantIdentifier }, onClose }: OfProps) {
  const t = useText(walletText);
  return (
    <Dialog title={`${t('csr')}: ${merchantIdentifier}`} onClose={onClose} size="lg">
      <Group justify="flex-end" mb="xs">
        <Copy text={csr} />
      </Group>
      <Json value={csr} />
    </Dialog>
  );
}

function Upload({ of: { certificateId }, onClose }: OfProps) {
  const t = useText(walletText);
  const done = useDone();
  async function send(values: Values): Promise<void> {
    const body = { certificate: values('certificate') };
    await call('POST /wallet/certificates/{certificateId}/certificate', { params: { certificateId }, body });
    await done(t('uploaded'));
  }
  return (
    <Confirm
      title={t('upload')}
      submit={t('upload')}
      onClose={onClose}
      send={send}
      fields={
        <AreaField
          name="certificate"
          label={t('certificate')}
          description={t('uploadHint')}
          rows={8}
          required
          withAsterisk={false}
          data-autofocus
        />
      }
    />
  );
}

function Revoke({ of: { certificateId, merchantIdentifier }, onClose }: OfProps) {
  const t = useText(walletText);
  const done = useDone();
  async function send(): Promise<void> {
    await call('POST /wallet/certificates/{certificateId}/revoke', { params: { certificateId }, body: {} });
    await done(t('revoked'));
  }
  return (
    <Confirm
      title={t('revokeTitle', { identifier: merchantIdentifier })}
      submit={t('revoke')}
      danger
      onClose={onClose}
      send={send}
    >
      {t('revokeHint')}
    </Confirm>
  );
}

import { Button, Stack } from '@mantine/core';
import { IconBuildingBank, IconPlus, IconStack2 } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { Older } from '../../ui/list/older.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Confirmation, confirmationOf } from './confirmation.tsx';
import { toneOf } from './tone.ts';
import { batchesText } from './words.ts';

const path = 'GET /panel/api/operator/payout-batches';
type Found = Answer<typeof path>;
type Batch = Found['batches'][number];
type Account = Found['accounts'][number];
type LeftOut = Answer<'POST /panel/api/operator/payout-batches'>['leftOut'][number];

export default function PayoutBatches() {
  const t = useText(batchesText);
  const screen = useText(screenText);
  const [before, setBefore] = useState('');
  const found = useQuery(read(path, before === '' ? {} : { query: { before } }));
  return (
    <Page title={screen('payoutBatches')} about={t('about')}>
      <Loaded query={found}>
        {(shown) => (
          <>
            <Waiting waiting={shown.waiting} accounts={shown.accounts} />
            <Batches batches={shown.batches} />
            <Older before={before} nextBefore={shown.nextBefore} open={setBefore} />
            <Accounts accounts={shown.accounts} profiles={shown.profiles} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function useChanged(): (text: 'made_done' | 'giveDone') => Promise<void> {
  const t = useText(batchesText);
  const notify = useNotify();
  const client = useQueryClient();
  return async (text) => {
    await client.invalidateQueries({ queryKey: [path] });
    notify.done(t(text));
  };
}

function Waiting({ waiting, accounts }: Pick<Found, 'waiting' | 'accounts'>) {
  const t = useText(batchesText);
  const format = useFormat();
  const [making, setMaking] = useState(false);
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const { payouts, total, currency } = waiting;
  const isPossible = payouts > 0 && accounts.length > 0;
  return (
    <Section
      title={t('waiting')}
      actions={
        <Button disabled={!isPossible} onClick={() => setMaking(true)}>
          {t('make')}
        </Button>
      }
    >
      <Facts
        facts={[
          { label: t('waitingCount'), value: format.number(payouts) },
          { label: t('waitingSum'), value: format.amount(total, currency) },
        ]}
      />
      {leftOut.length > 0 ? <NotPossible leftOut={leftOut} /> : null}
      {making ? <Make accounts={accounts} leaveOut={setLeftOut} onClose={() => setMaking(false)} /> : null}
    </Section>
  );
}

function NotPossible({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  const t = useText(batchesText);
  const columns: readonly Column<LeftOut>[] = [
    { key: 'payout', label: t('payout'), lead: true, cell: ({ payoutId }) => <span className="mono">{payoutId}</span> },
    { key: 'reason', label: t('reason'), cell: ({ reason }) => t(`reason_${reason}`) },
  ];
  return (
    <Section title={t('leftOut')} about={t('leftOutAbout')}>
      <Table label={t('leftOut')} columns={columns} rows={leftOut} keyOf={({ payoutId }) => payoutId} />
    </Section>
  );
}

interface MakeProps {
  readonly accounts: readonly Account[];
  readonly leaveOut: (leftOut: readonly LeftOut[]) => void;
  readonly onClose: () => void;
}

function Make({ accounts, leaveOut, onClose }: MakeProps) {
  const t = useText(batchesText);
  const changed = useChanged();
  async function send(values: Values): Promise<void> {
    const payingAccountId = values('payingAccountId') || accounts[0]?.id;
    const body = payingAccountId === undefined ? {} : { payingAccountId };
    const { leftOut } = await call('POST /panel/api/operator/payout-batches', { body });
    leaveOut(leftOut);
    await changed('made_done');
  }
  const choice = (
    <SelectField
      name="payingAccountId"
      label={t('payer')}
      data={accounts.map(({ id, number, holder }) => ({ value: id, label: `${number}, ${holder}` }))}
    />
  );
  return (
    <Confirm
      title={t('make')}
      submit={t('make')}
      onClose={onClose}
      send={send}
      fields={accounts.length > 1 ? choice : null}
    >
      {t('makeAbout')}
    </Confirm>
  );
}

function Batches({ batches }: Pick<Found, 'batches'>) {
  const t = useText(batchesText);
  const format = useFormat();
  const columns: readonly Column<Batch>[] = [
    {
      key: 'batch',
      label: t('batch'),
      lead: true,
      cell: ({ id, file }) => (
        <TextLink to={`/operator/batches/${id}`} size="sm">
          <span className="mono">{file?.name ?? id}</span>
        </TextLink>
      ),
    },
    { key: 'state', label: t('state'), cell: ({ state }) => <Status tone={toneOf[state]}>{t(state)}</Status> },
    { key: 'payouts', label: t('payouts'), align: 'end', cell: ({ payouts }) => format.number(payouts) },
    { key: 'total', label: t('total'), align: 'end', cell: ({ total, currency }) => format.amount(total, currency) },
    {
      key: 'signatures',
      label: t('signatures'),
      cell: ({ first, second }) => (
        <Stack gap={0}>{[first, second].map((one) => (one ? <span key={one.by}>{one.by}</span> : null))}</Stack>
      ),
    },
    { key: 'created', label: t('created'), nowrap: true, cell: ({ first }) => format.dateTime(first.at) },
  ];
  return (
    <Section title={t('batches')}>
      {batches.length > 0 ? (
        <Table label={t('batches')} columns={columns} rows={batches} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={IconStack2} title={t('noBatches')}>
          {t('noBatchesHint')}
        </Empty>
      )}
    </Section>
  );
}

function Accounts({ accounts, profiles }: Pick<Found, 'accounts' | 'profiles'>) {
  const t = useText(batchesText);
  const [giving, setGiving] = useState(false);
  const columns: readonly Column<Account>[] = [
    { key: 'iban', label: t('iban'), lead: true, cell: ({ number }) => <span className="mono">{number}</span> },
    { key: 'holder', label: t('holder'), cell: ({ holder }) => holder },
    { key: 'profile', label: t('profile'), cell: ({ profile }) => profile },
  ];
  return (
    <Section
      title={t('accounts')}
      about={t('accountsAbout')}
      actions={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setGiving(true)}
        >
          {t('give')}
        </Button>
      }
    >
      {accounts.length > 0 ? (
        <Table label={t('accounts')} columns={columns} rows={accounts} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={IconBuildingBank} title={t('noAccounts')}>
          {t('noAccountsHint')}
        </Empty>
      )}
      {giving ? <Give profiles={profiles} onClose={() => setGiving(false)} /> : null}
    </Section>
  );
}

function Give({ profiles, onClose }: Pick<Found, 'profiles'> & { readonly onClose: () => void }) {
  const t = useText(batchesText);
  const changed = useChanged();
  async function send(values: Values): Promise<void> {
    const body = { number: values('number'), holder: values('holder'), profile: values('profile') };
    await call('POST /panel/api/operator/paying-accounts', { body: { ...body, ...confirmationOf(values) } });
    await changed('giveDone');
  }
  return (
    <Confirm
      title={t('give')}
      submit={t('give')}
      onClose={onClose}
      send={send}
      fields={
        <>
          <TextField name="number" label={t('iban')} maxLength={60} required withAsterisk={false} />
          <TextField name="holder" label={t('holder')} maxLength={70} required withAsterisk={false} />
          <SelectField name="profile" label={t('profile')} data={[...profiles]} />
          <Confirmation />
        </>
      }
    />
  );
}

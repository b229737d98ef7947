import { useSession } from '../../../api/session.ts';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { useDisputeReason } from '../../../ui/dispute-reason.ts';
import { type Column, Table } from '../../../ui/list/table.tsx';
import { listText } from '../../../ui/list/words.ts';
import { Section } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Detail } from '../status.tsx';
import { oneTransactionText } from './words.ts';

type Dispute = Detail['disputes'][number];

const marks = {
  opened: { tone: 'wait', text: 'disputeOpened' },
  won: { tone: 'good', text: 'disputeWon' },
  lost: { tone: 'bad', text: 'disputeLost' },
} as const;

/** Nothing if there are none. */
export function Disputes({ detail: { transaction, disputes } }: { readonly detail: Detail }) {
  const t = useText(oneTransactionText);
  const list = useText(listText);
  const format = useFormat();
  const reasonOf = useDisputeReason();
  if (disputes.length === 0) return null;
  const sum = (amount: number) => format.amount(amount, transaction.currency);
  const time = (at: string | null) => (at ? format.dateTime(at) : '');
  /** A column that no dispute has anything for is left out. */
  const sometimes = (isUsed: (dispute: Dispute) => boolean, column: Column<Dispute>) =>
    disputes.some(isUsed) ? [column] : [];
  const columns: readonly Column<Dispute>[] = [
    { key: 'amount', label: list('amount'), lead: true, cell: ({ amount }) => <strong>{sum(amount)}</strong> },
    {
      key: 'state',
      label: list('status'),
      cell: ({ state }) => <Status tone={marks[state].tone}>{t(marks[state].text)}</Status>,
    },
    ...sometimes(({ returned }) => returned > 0, {
      key: 'returned',
      label: t('returned'),
      align: 'end',
      cell: ({ returned }) => (returned > 0 ? sum(returned) : ''),
    }),
    { key: 'reason', label: t('reason'), cell: ({ reason }) => reasonOf(reason) },
    ...sometimes(({ bearers }) => bearers.length > 0, {
      key: 'bearers',
      label: t('bearers'),
      cell: (dispute) => <Bearers dispute={dispute} sum={sum} />,
    }),
    ...sometimes(({ state, respondUntil }) => state === 'opened' && respondUntil !== null, {
      key: 'respondUntil',
      label: t('respondUntil'),
      nowrap: true,
      cell: ({ state, respondUntil }) => (state === 'opened' ? time(respondUntil) : ''),
    }),
    { key: 'opened', label: t('opened'), nowrap: true, cell: ({ openedAt }) => time(openedAt) },
    ...sometimes(({ endedAt }) => endedAt !== null, {
      key: 'ended',
      label: t('ended'),
      nowrap: true,
      cell: ({ endedAt }) => time(endedAt),
    }),
  ];
  return (
    <Section title={t('disputes')}>
      <Table label={t('disputes')} columns={columns} rows={disputes} keyOf={({ disputeId }) => disputeId} />
    </Section>
  );
}

interface BearersProps {
  readonly dispute: Dispute;
  readonly sum: (amount: number) => string;
}

/** Of a payment over several sellers: from whose balances it was taken. */
function Bearers({ dispute: { bearers }, sum }: BearersProps) {
  const t = useText(oneTransactionText);
  const { account } = useSession();
  return (
    <ul className="plain-list">
      {bearers.map(({ accountId, name, amount }) => (
        <li key={accountId}>
          {accountId === account?.id ? t('you') : name}: <span className="numeric">{sum(amount)}</span>
        </li>
      ))}
    </ul>
  );
}

import { IconCoins } from '@tabler/icons-react';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { useDisputeReason } from '../../ui/dispute-reason.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { BalanceNow, useBalance } from './balance.tsx';
import { ledgerText } from './words.ts';

type Move = Answer<'GET /panel/api/ledger'>['moves'][number];

export default function Ledger() {
  const t = useText(ledgerText);
  const list = useText(listText);
  return (
    <List
      endpoint="GET /panel/api/ledger"
      title={useText(screenText)('ledger')}
      about={t('ledgerAbout')}
      file="GET /panel/api/ledger/export"
      above={<BalanceNow />}
      filters={{
        kind: {
          label: t('kind'),
          options: {
            payment: t('payment'),
            refund: t('refund'),
            refund_returned: t('refund_returned'),
            dispute: t('dispute'),
            dispute_returned: t('dispute_returned'),
            opening: t('opening'),
            other: t('other'),
          },
        },
        from: { label: list('from'), day: true },
        to: { label: list('to'), day: true },
      }}
      older={{ inside: true }}
      rows={({ moves }) => moves}
      keyOf={({ journalId }) => journalId}
      columns={useColumns()}
      empty={{
        icon: IconCoins,
        title: t('ledgerEmpty'),
        children: t('ledgerEmptyHint'),
        action: (
          <ButtonLink to="/transactions" variant="default" mt="sm">
            {t('toTransactions')}
          </ButtonLink>
        ),
      }}
    />
  );
}

/** Figures that no row has are left out. */
function useColumns(): (moves: readonly Move[]) => readonly Column<Move>[] {
  const t = useText(ledgerText);
  const list = useText(listText);
  const format = useFormat();
  const currency = useBalance().data?.currency ?? 'PLN';
  const figure = (key: 'amount' | 'fee' | 'commission' | 'other' | 'net', label: string): Column<Move> => ({
    key,
    label,
    align: 'end',
    cell: (move) => (move[key] === 0 && key !== 'net' ? '' : format.amount(move[key], currency)),
  });
  return (moves) => {
    const some = (key: 'commission' | 'other') => moves.some((move) => move[key] !== 0);
    return [
      { key: 'at', label: t('time'), lead: true, nowrap: true, cell: ({ at }) => format.dateTime(at) },
      { key: 'kind', label: t('kind'), cell: (move) => <Kind move={move} /> },
      { key: 'transaction', label: list('transaction'), cell: (move) => <Transaction move={move} /> },
      figure('amount', list('amount')),
      figure('fee', t('fee')),
      ...(some('commission') ? [figure('commission', t('commission'))] : []),
      ...(some('other') ? [figure('other', t('other'))] : []),
      figure('net', t('net')),
    ];
  };
}

function Kind({ move: { kind, reason, amount, volume } }: { readonly move: Move }) {
  const t = useText(ledgerText);
  const reasonOf = useDisputeReason();
  const format = useFormat();
  const isDispute = kind === 'dispute' || kind === 'dispute_returned';
  const beyond = isDispute ? volume - Math.abs(amount) : 0;
  const owed = { amount: format.amount(Math.round(beyond * 100) / 100, 'PLN') };
  return (
    <>
      {t(kind)}
      {reason ? <div className="tile-about">{reasonOf(reason)}</div> : null}
      {beyond > 0.005 ? (
        <div className="tile-about">{t(kind === 'dispute' ? 'alsoOwed' : 'noLongerOwed', owed)}</div>
      ) : null}
    </>
  );
}

/** That of a partner is no link: its sellers cannot open it. */
function Transaction({ move: { transactionId, title, hiddenDescription, isOwn } }: { readonly move: Move }) {
  if (transactionId === null) return null;
  const name = title ?? transactionId;
  return (
    <>
      {isOwn ? (
        <TextLink to={`/transactions/${transactionId}`} className="mono" size="sm">
          {name}
        </TextLink>
      ) : (
        <span className="mono">{name}</span>
      )}
      {hiddenDescription ? <div className="tile-about">{hiddenDescription}</div> : null}
    </>
  );
}

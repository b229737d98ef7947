import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters, usePathPart } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Facts, Id } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Export } from '../../ui/list/export.tsx';
import { Pages } from '../../ui/list/pages.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { settlementText } from './words.ts';

type Settlement = Answer<'GET /settlements/{settlementId}'>['settlement'];
type Line = Answer<'GET /settlements/{settlementId}/lines'>['lines'][number];

export default function OneSettlement() {
  const settlementId = usePathPart('settlementId');
  const settlement = useQuery(read('GET /settlements/{settlementId}', { params: { settlementId } }));
  return <Loaded query={settlement}>{(data) => <Shown settlement={data.settlement} />}</Loaded>;
}

function Shown({ settlement }: { readonly settlement: Settlement }) {
  const t = useText(settlementText);
  const { settlementId, number } = settlement;
  return (
    <Page
      title={t('one', { number })}
      about={
        <TextLink to="/money/settlements" size="sm">
          {t('all')}
        </TextLink>
      }
      actions={<Export name="GET /panel/api/settlement-lines/export" query={{ settlementId }} />}
    >
      <Section title={t('sums')}>
        <Sums settlement={settlement} />
      </Section>
      <Lines settlement={settlement} />
    </Page>
  );
}

function Sums({ settlement }: { readonly settlement: Settlement }) {
  const t = useText(settlementText);
  const list = useText(listText);
  const format = useFormat();
  const { currency, date, reason, settlementId, payoutId } = settlement;
  const figure = (key: 'opening' | 'amount' | 'fee' | 'commission' | 'other' | 'closing') => ({
    label: t(key),
    value: <span className="numeric">{format.amount(settlement[key], currency)}</span>,
  });
  return (
    <Facts
      facts={[
        { label: t('reason'), value: t(reason) },
        { label: t('period'), value: t('fromTo', { from: format.local(date.first), to: format.local(date.last) }) },
        figure('opening'),
        figure('amount'),
        figure('fee'),
        ...(settlement.commission === 0 ? [] : [figure('commission')]),
        ...(settlement.other === 0 ? [] : [figure('other')]),
        figure('closing'),
        { label: t('made'), value: format.local(date.creation) },
        ...(payoutId === null
          ? []
          : [
              {
                label: t('payout'),
                value: (
                  <TextLink to={`/money/payouts/${payoutId}`} className="mono" size="sm">
                    {payoutId}
                  </TextLink>
                ),
              },
            ]),
        { label: list('id'), value: <Id text={settlementId} /> },
      ]}
    />
  );
}

const linesOfPage = 50;

/** The lines of a settlement, a page at a time. */
export function Lines({
  settlement: { settlementId, currency },
}: {
  readonly settlement: { readonly settlementId: string; readonly currency: string };
}) {
  const t = useText(settlementText);
  const [{ page: text }, change] = useFilters(['page']);
  const query = { page: Math.max(1, Number(text) || 1), limit: linesOfPage };
  const lines = useQuery({
    ...read('GET /settlements/{settlementId}/lines', { params: { settlementId }, query }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(currency);
  return (
    <Section title={t('lines')}>
      <Loaded query={lines}>
        {({ lines: rows, page, limit, total }) => (
          <>
            <Table label={t('lines')} columns={columns(rows)} rows={rows} keyOf={({ journalId }) => journalId} />
            <Pages page={page} limit={limit} total={total} open={(to) => change({ page: String(to) })} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const named = [
  'payment',
  'refund',
  'refund_returned',
  'refund_came_back',
  'dispute',
  'dispute_returned',
  'opening',
  'payout_created',
  'payout_returned',
  'payout_sent_back',
  'payout_paid_after_all',
  'payout_move_undone',
] as const;

/** The word of a kind; one that has none is shown as it is. */
function useKind(): (kind: string) => string {
  const t = useText(settlementText);
  return (kind) => {
    const known = named.find((one) => one === kind);
    return known ? t(known) : kind.replaceAll('_', ' ');
  };
}

/** Figures that no row has are left out. */
function useColumns(currency: string): (lines: readonly Line[]) => readonly Column<Line>[] {
  const t = useText(settlementText);
  const list = useText(listText);
  const format = useFormat();
  const kindOf = useKind();
  const figure = (key: 'amount' | 'fee' | 'commission' | 'other' | 'net', label: string): Column<Line> => ({
    key,
    label,
    align: 'end',
    cell: (line) => (line[key] === 0 && key !== 'net' ? '' : format.amount(line[key], currency)),
  });
  return (lines) => {
    const some = (key: 'amount' | 'fee' | 'commission' | 'other') => lines.some((line) => line[key] !== 0);
    return [
      { key: 'date', label: t('time'), lead: true, nowrap: true, cell: ({ date }) => format.local(date) },
      { key: 'kind', label: t('kind'), cell: ({ kind }) => kindOf(kind) },
      { key: 'transaction', label: list('transaction'), cell: (line) => <Transaction line={line} /> },
      ...(some('amount') ? [figure('amount', list('amount'))] : []),
      ...(some('fee') ? [figure('fee', t('feeOfLine'))] : []),
      ...(some('commission') ? [figure('commission', t('commissionOfLine'))] : []),
      ...(some('other') ? [figure('other', t('otherOfLine'))] : []),
      figure('net', t('net')),
    ];
  };
}

/** That of a partner is no link: its sellers cannot open it. */
function Transaction({
  line: { transactionId, transactionTitle, hiddenDescription, isOwn, reference },
}: {
  line: Line;
}) {
  if (transactionId === null) return reference === null ? null : <span className="mono">{reference}</span>;
  const name = transactionTitle ?? transactionId;
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

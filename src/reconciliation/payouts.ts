// Payouts: what the acquirer paid to our bank account. Each is booked once, unless the acquirer does not owe that much;
// one that changes or disappears is named.

import { planByHash, type Sql } from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import { ledgerAccounts, post } from '../ledger/index.ts';
import { applyChanges } from './apply.ts';
import { currency, newItem } from './changes.ts';
import { isPromiseOver } from './judge.ts';
import type { Change, Difference, Item, KnownItems, Payout, Run, Total } from './model.ts';
import { appendRecords, contentOfPayout } from './record.ts';
import { journalOf, payoutMoves, promiseBroken, whyOf } from './rules.ts';
import { borderOf, inRun } from './run.ts';
import type { Statement } from './statement.ts';
import { type Carried, findCarried, sumAccount } from './store/books.ts';
import { listKnown, lockOpenPayouts, updateSeen } from './store/items.ts';
import { sumTakenSince, sumUnbookedReturns } from './store/lines.ts';
import { type ComparedPayout, insertPayouts, listPayouts, type Paid } from './store/payouts.ts';
import type { ReconciliationTools } from './tools.ts';
import { totalOf } from './totals.ts';

const nothing: Paid = { amountMinor: 0n, feeMinor: 0n };
const grossOf = ({ amountMinor, feeMinor }: Paid) => amountMinor + feeMinor;
const isSamePaid = (one: Paid, other: Paid) => one.amountMinor === other.amountMinor && one.feeMinor === other.feeMinor;

/** Keys of payouts are the acquirer's own: only with its name are they unique. */
export function sourceOfPayout(acquirer: string, key: string): string {
  return `${acquirer}:${key}`;
}

export interface ComparedPayouts {
  readonly found: number;
  /** What the next run need not sum up again. */
  readonly carried: Carried | undefined;
  readonly totals: readonly Omit<Total, 'runId'>[];
}

/** Compares the payouts of the period, in the order of their time; after everything else of the statement is booked. */
export async function comparePayouts(
  tools: ReconciliationTools,
  run: Run,
  statement: Statement,
): Promise<ComparedPayouts> {
  const { bankClient: bank, acquirerFee: fees } = ledgerAccounts;
  return inRun(tools, run, async (sql) => {
    await planByHash(sql);
    // Locked before anything is read: an operator may be deciding, and what is decided is booked.
    await lockOpenPayouts(sql, run.acquirer);
    const payouts = await listPayouts(sql, run, { bank, fees });
    const known = await listKnown(
      sql,
      run.acquirer,
      'payout',
      payouts.map(({ key }) => key),
    );
    const itemsOf = (key: string) => known.get(key) ?? { open: [], closed: [] };
    const owed = payouts.some(isNew) ? await owedBy(sql, run) : undefined;
    // What it has again of earlier payouts it owes, and may have paid out once more.
    const back = owed ? await sumUnbookedReturns(sql, run) : 0n;
    const judging = { tools, sql, run, owedMinor: (owed?.minor ?? 0n) + back };
    const taken = await sumTakenSince(
      sql,
      run,
      payouts.map(({ at }) => at),
    );
    const judged: JudgedPayout[] = [];
    for (const [place, payout] of payouts.entries()) {
      const takenSinceMinor = taken[place] ?? 0n;
      const one = await judgePayout(judging, { ...payout, takenSinceMinor }, itemsOf(payout.key));
      judging.owedMinor -= one.bookedMinor;
      judged.push(one);
    }
    const found = judged.filter(({ isFound }) => isFound).length;
    return { found, carried: owed?.carried, totals: totalsOf(run, statement, judged) };
  });
}

/** Journals may be committed a little later than their ids say. */
const settledAfter = Temporal.Duration.from({ hours: 72 });

/** What the acquirer owes us by the books: what an earlier run summed up, and what came after it. */
async function owedBy(sql: Sql, run: Run): Promise<{ readonly minor: bigint; readonly carried: Carried }> {
  const receivable = ledgerAccounts.receivable(run.acquirer);
  const last = await findCarried(sql, run.acquirer);
  const border = borderOf(run.toAt.subtract(settledAfter));
  const carriedUntil = border > last.carriedUntil ? border : last.carriedUntil;
  const carriedMinor = last.carriedMinor + (await sumAccount(sql, receivable, last.carriedUntil, carriedUntil));
  const minor = carriedMinor + (await sumAccount(sql, receivable, carriedUntil, null));
  return { minor, carried: { carriedMinor, carriedUntil } };
}

const isNew = ({ bank, row, booked }: ComparedPayout) => bank !== null && row === null && booked === null;

interface Judging {
  readonly tools: ReconciliationTools;
  readonly sql: Sql;
  readonly run: Run;
  /** What the acquirer owes us by the books. */
  owedMinor: bigint;
}

/** What was taken since it was paid out, the acquirer still owed us then. */
interface PayoutThen extends ComparedPayout {
  readonly takenSinceMinor: bigint;
}

interface JudgedPayout {
  readonly payout: ComparedPayout;
  /** What is booked for it now. */
  readonly ours: Paid;
  /** What this run booked, with the fee. */
  readonly bookedMinor: bigint;
  readonly isOpen: boolean;
  readonly isFound: boolean;
}

async function judgePayout(
  judging: Judging,
  payout: PayoutThen,
  { open: items, closed }: KnownItems,
): Promise<JudgedPayout> {
  const bank = payout.bank ?? nothing;
  const ours = payout.booked ?? nothing;
  const settled = { payout, ours, bookedMinor: 0n, isOpen: false, isFound: false };
  if (isNew(payout) && grossOf(bank) > 0n && grossOf(bank) <= judging.owedMinor + payout.takenSinceMinor) {
    await book(judging, payout, bank);
    await close(judging, items, 'booked', bank);
    return { ...settled, ours: bank, bookedMinor: grossOf(bank) };
  }
  const difference = differenceOf(payout, closed);
  if (difference === undefined) {
    await close(judging, items, 'corrected_by_bank', ours);
    return settled;
  }
  const isFound = await name(judging, payout, difference, items);
  return { ...settled, isOpen: true, isFound };
}

function differenceOf({ bank, row, booked }: ComparedPayout, closed: readonly Item[]): Difference | undefined {
  const ours = booked ?? nothing;
  if (bank === null) return grossOf(ours) === 0n ? undefined : 'not_at_bank';
  // With a row it was booked once, and its journal is gone.
  if (!isSamePaid(bank, ours)) return booked === null && row === null ? 'not_booked' : 'other_amount';
  if (booked === null || (row !== null && isSamePaid(row, ours))) return undefined;
  const isAcknowledged = closed.some(
    (item) => item.difference === 'row_missing' && item.bankMinor === bank.amountMinor,
  );
  return isAcknowledged ? undefined : 'row_missing';
}

/** Books a payout that the books do not have. Its row and its journal exist once. */
async function book({ tools, sql, run }: Judging, { key, at }: ComparedPayout, paid: Paid): Promise<void> {
  const { acquirer } = run;
  await bookPayout(tools, sql, { acquirer, key, ...paid, currency, at, bookedAt: tools.clock.now() }, run.id);
}

export async function bookPayout(
  tools: ReconciliationTools,
  sql: Sql,
  payout: Payout,
  runId: string | null,
): Promise<void> {
  const { acquirer, key, amountMinor, feeMinor } = payout;
  await insertPayouts(sql, [payout]);
  const about = { acquirer, runId, itemId: null, kind: 'payout', key, moves: undefined } as const;
  await appendRecords(tools, sql, [
    { id: tools.ids.ulid(), step: 'payout_booked', ...about, content: contentOfPayout(payout) },
  ]);
  const moves = payoutMoves('payout', amountMinor, feeMinor);
  const journals = moves ? [journalOf(sourceOfPayout(acquirer, key), payout, moves)] : [];
  await post(sql, tools.ids, journals, payout.bookedAt);
}

async function close(
  { tools, sql, run }: Judging,
  items: readonly Item[],
  outcome: 'booked' | 'corrected_by_bank',
  ours: Paid,
): Promise<void> {
  const now = tools.clock.now();
  const amounts = { ourMinor: ours.amountMinor, ourFeeMinor: ours.feeMinor, seenRunId: run.id };
  const changes = items.map(
    (item): Change => ({
      item: { ...item, ...amounts, state: 'closed', closedAt: now, outcome },
      isNew: false,
      step: 'closed',
    }),
  );
  await applyChanges(tools, sql, changes, run.id);
}

/** Names a difference, or says again what is open; returns whether it is an operator's from now on. */
async function name(
  judging: Judging,
  payout: ComparedPayout,
  difference: Difference,
  items: readonly Item[],
): Promise<boolean> {
  const { tools, sql, run } = judging;
  const now = tools.clock.now();
  const same = items.find((item) => item.difference === difference);
  const amounts = {
    bankMinor: payout.bank?.amountMinor ?? null,
    bankFeeMinor: payout.bank?.feeMinor ?? 0n,
    bankAt: payout.at,
    ourMinor: payout.booked?.amountMinor ?? 0n,
    ourFeeMinor: payout.booked?.feeMinor ?? 0n,
  };
  const others = items.filter((item) => item !== same);
  await applyChanges(
    tools,
    sql,
    others.map((item) => ({
      item: { ...item, state: 'closed', closedAt: now, outcome: 'changed' },
      isNew: false,
      step: 'closed',
    })),
    run.id,
  );
  const why = whyOfPayout(judging, difference, amounts);
  if (!same) {
    const item = newItem(run, {
      id: tools.ids.ulid(),
      kind: 'payout',
      key: payout.key,
      difference,
      ...amounts,
      foundAt: now,
      why,
    });
    await applyChanges(tools, sql, [{ item, isNew: true, step: 'found' }], run.id);
    return true;
  }
  const isChanged = (Object.keys(amounts) as (keyof typeof amounts)[]).some(
    (one) => String(same[one]) !== String(amounts[one]),
  );
  const isBroken = same.state === 'promised' && isPromiseOver(same, now);
  if (!isChanged && !isBroken) {
    await updateSeen(sql, [same.id], run.id);
    return false;
  }
  const next: Item = {
    ...same,
    ...amounts,
    seenRunId: run.id,
    state: 'parked',
    why: isBroken ? promiseBroken(same) : why,
  };
  const item = { ...next, promisedAt: isBroken ? same.promisedAt : null };
  await applyChanges(tools, sql, [{ item, isNew: false, step: 'changed' }], run.id);
  return true;
}

function whyOfPayout(
  { owedMinor }: Judging,
  difference: Difference,
  amounts: Pick<Item, 'bankMinor' | 'ourMinor'>,
): Item['why'] {
  if (difference !== 'not_booked') return whyOf({ kind: 'payout', difference, ...amounts });
  const [bank, owed] = [decimalText(amounts.bankMinor ?? 0n), decimalText(owedMinor)];
  return { code: 'payout_exceeds', parameters: { bank, owed } };
}

/** By what was paid and by what was kept. */
function totalsOf(run: Run, statement: Statement, judged: readonly JudgedPayout[]): Omit<Total, 'runId'>[] {
  const { minor, feeMinor } = statement.sumOf('payout');
  const repeated = statement.repeatedOf('payout');
  const inPeriod = ({ payout: { at } }: JudgedPayout) =>
    Temporal.Instant.compare(at, run.fromAt) >= 0 && Temporal.Instant.compare(at, run.toAt) < 0;
  const kinds = [
    { kind: 'payout', bankMinor: minor, part: 'amountMinor', repeated: repeated.minor },
    { kind: 'fee', bankMinor: feeMinor, part: 'feeMinor', repeated: repeated.feeMinor },
  ] as const;
  return kinds.map(({ kind, bankMinor, part, repeated: twice }) => {
    const sum = (some: readonly JudgedPayout[], of: (one: JudgedPayout) => bigint) =>
      some.reduce((all, one) => all + of(one), 0n);
    const named = judged.filter(({ payout }) => payout.bank !== null);
    const bookedMinor = sum(named, ({ ours }) => ours[part]);
    const oursMinor = sum(judged.filter(inPeriod), ({ ours }) => ours[part]);
    const explained = sum(
      named.filter(({ isOpen }) => isOpen),
      ({ payout, ours }) => (payout.bank?.[part] ?? 0n) - ours[part],
    );
    const { runId: _run, ...total } = totalOf('', kind, {
      bankMinor,
      bookedMinor,
      oursMinor,
      namedMinor: explained + twice,
    });
    return total;
  });
}

// Naming differences: judges keys against everything that is booked for them, and writes what follows.

import { cancelHeld, lockUnallocated } from '../banking/index.ts';
import { isAboutRows, type Sql } from '../database/index.ts';
import type { Currency } from '../kernel/index.ts';
import { ledgerAccounts, post } from '../ledger/index.ts';
import { isPromiseOver, isSame, judge, totalOf, type Verdict } from './judge.ts';
import type { Booked, Change, Difference, Facts, Item, KnownItems, Outcome, Run } from './model.ts';
import { appendRecords, contentOfItem, type NewRecord } from './record.ts';
import { corrected, followed, journalOf, promiseBroken, whyOf } from './rules.ts';
import { type BookedAccounts, listBooked } from './store/books.ts';
import { insertItems, listKnown, listOpenIds, lockItems, updateItems, updateSeen } from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

export const currency: Currency = 'PLN';
const keysAtOnce = 500;

export const nothingBooked: Booked = { ownMinor: null, correctedMinor: null, lossMinor: 0n, unallocatedMinor: 0n };
const unknown: KnownItems = { open: [], closed: [] };

export function accountsOf(acquirer: string): BookedAccounts {
  const { loss, payerUnallocated: unallocated } = ledgerAccounts;
  return { receivable: ledgerAccounts.receivable(acquirer), loss, unallocated };
}

/** What became of a number of keys. */
export interface Named {
  /** New differences, and those that are an operator's again. */
  readonly found: number;
  /** What is booked for the keys now, as the bank names it: of a refund positive. */
  readonly bookedMinor: bigint;
  /** What the bank has more, of keys with an open difference. */
  readonly explainedMinor: bigint;
  /** Keys whose room is to be told of the result. */
  readonly toApply: readonly Facts[];
  /** Keys that could not be written, because of their rows. */
  readonly failed: readonly string[];
}

const none: Named = { found: 0, bookedMinor: 0n, explainedMinor: 0n, toApply: [], failed: [] };

/**
 * Names differences and books what was not in the books; all of one kind, in database transactions of some hundreds. A key
 * whose rows are damaged does not keep the others from being named.
 */
export async function nameAll(tools: ReconciliationTools, run: Run, facts: readonly Facts[]): Promise<Named> {
  let all = none;
  for (let begin = 0; begin < facts.length; begin += keysAtOnce) {
    const some = facts.slice(begin, begin + keysAtOnce);
    all = both(all, await nameSome(tools, run, some));
  }
  return all;
}

const both = (one: Named, other: Named): Named => ({
  found: one.found + other.found,
  bookedMinor: one.bookedMinor + other.bookedMinor,
  explainedMinor: one.explainedMinor + other.explainedMinor,
  toApply: [...one.toApply, ...other.toApply],
  failed: [...one.failed, ...other.failed],
});

async function nameSome(tools: ReconciliationTools, run: Run, facts: readonly Facts[]): Promise<Named> {
  try {
    return await tools.db.atomic((sql) => nameIn(tools, sql, run, facts));
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    const [only, ...others] = facts;
    if (only && others.length === 0) {
      tools.log.error({ err: error, key: only.key }, 'a difference could not be written');
      return { ...none, failed: [only.key] };
    }
    const half = Math.ceil(facts.length / 2);
    return both(await nameSome(tools, run, facts.slice(0, half)), await nameSome(tools, run, facts.slice(half)));
  }
}

async function nameIn(tools: ReconciliationTools, sql: Sql, run: Run, facts: readonly Facts[]): Promise<Named> {
  const [first] = facts;
  if (!first) return none;
  const { acquirer } = run;
  const keys = facts.map(({ key }) => key);
  // Outgoing refunds are locked before what they are for.
  const ids = await listOpenIds(sql, acquirer, first.kind, keys);
  await lockUnallocated(sql, ids);
  if (ids.length > 0) await lockItems(sql, ids);
  const items = await listKnown(sql, acquirer, first.kind, keys);
  const booked = await listBooked(sql, acquirer, first.kind, facts, accountsOf(acquirer));
  const now = tools.clock.now();
  const judged = facts.map((one) => {
    const ours = booked.get(one.key) ?? nothingBooked;
    const known = items.get(one.key) ?? unknown;
    return { facts: one, booked: ours, known, verdict: judge(one, ours, known, now) };
  });
  const context = { run, now, newId: () => tools.ids.ulid() };
  const steps = judged.map((one) => ({ ...one, ...changesOf(context, one) }));
  await updateSeen(
    sql,
    steps.flatMap(({ seen }) => seen),
    run.id,
  );
  await writeChanges(
    tools,
    sql,
    steps.flatMap(({ changes }) => changes),
    run.id,
  );
  const toApply = steps.filter(({ verdict }) => verdict.kind === 'apply');
  const known = steps.filter(({ verdict }) => verdict.kind !== 'apply');
  return {
    found: steps.filter(({ isFound }) => isFound).length,
    bookedMinor: known.reduce((sum, one) => sum + bookedAfter(one), 0n),
    explainedMinor: known.reduce((sum, one) => sum + explainedBy(one), 0n),
    toApply: toApply.map(({ facts }) => facts),
    failed: [],
  };
}

function bookedAfter({ facts, booked, changes }: Judged & Steps): bigint {
  const owed = changes.reduce((sum, { moves }) => sum + (moves?.receivableMinor ?? 0n), 0n);
  return totalOf(booked) + (facts.kind === 'capture' ? owed : -owed);
}

/** Only an open difference explains anything. */
function explainedBy(one: Judged & Steps): bigint {
  const isOpen = one.seen.length > 0 || one.changes.some(({ item }) => item.state !== 'closed');
  return isOpen ? (one.facts.bankMinor ?? 0n) - bookedAfter(one) : 0n;
}

interface Judged {
  readonly facts: Facts;
  readonly booked: Booked;
  readonly known: KnownItems;
  readonly verdict: Verdict;
}

interface Context {
  readonly run: Run;
  readonly now: Temporal.Instant;
  newId(): string;
}

interface Steps {
  readonly changes: readonly Change[];
  /** Open items that are as they were. */
  readonly seen: readonly string[];
  readonly isFound: boolean;
}

/** What a verdict changes. */
function changesOf(context: Context, judged: Judged): Steps {
  const { facts, booked, known, verdict } = judged;
  const { kind } = facts;
  const bank = facts.bankMinor ?? 0n;
  switch (verdict.kind) {
    case 'apply':
      return { changes: [], seen: [], isFound: false };
    case 'agrees':
      return settled(context, judged);
    case 'promised':
      return { changes: [], seen: known.open.map(({ id }) => id), isFound: false };
    case 'revert':
      return reverted(context, judged);
    case 'follow': {
      const moves = followed(kind, bank - totalOf(booked));
      return named(context, judged, 'not_booked', bank, moves && { step: 'followed', moves });
    }
    case 'name':
      return named(context, judged, verdict.difference, totalOf(booked));
  }
}

/** Bank and books agree: what was open is over, except what nobody here asked for. */
function settled(context: Context, { facts, booked, known }: Judged): Steps {
  const isOver = (item: Item) =>
    item.state !== 'returning' &&
    (item.difference !== 'not_booked' || booked.ownMinor !== null || facts.bankMinor === null);
  const over = known.open.filter(isOver);
  return {
    changes: over.map((item) =>
      closed(context, item, outcomeOf(item, booked), { ...facts, ourMinor: totalOf(booked) }),
    ),
    seen: known.open.filter((item) => !isOver(item)).map(({ id }) => id),
    isFound: false,
  };
}

function outcomeOf({ difference }: Item, { ownMinor }: Booked): Outcome {
  if (difference === 'not_at_bank') return 'named_later';
  return difference === 'not_booked' && ownMinor !== null ? 'settled_by_payment' : 'corrected_by_bank';
}

/** The bank has what our rooms have: what reconciliation booked besides is taken back, and said. */
function reverted(context: Context, { facts, booked, known }: Judged): Steps {
  const bank = facts.bankMinor ?? 0n;
  const moves = corrected(facts.kind, bank - totalOf(booked), booked);
  const [first, ...others] = known.open;
  const outcome: Outcome = first?.difference === 'not_booked' ? 'settled_by_payment' : 'named_later';
  const seen = { ...facts, ourMinor: bank };
  const item = first ?? itemOf(context, facts, 'other_amount', totalOf(booked));
  return {
    changes: [
      { ...closed(context, item, outcome, seen), isNew: first === undefined, step: 'reverted', moves },
      ...others.map((other) => closed(context, other, outcome, seen)),
    ],
    seen: [],
    isFound: first?.difference !== 'not_booked' || first.state !== 'parked',
  };
}

interface Seen {
  readonly bankMinor: bigint | null;
  readonly bankAt: Temporal.Instant | null;
  readonly ourMinor: bigint;
}

function closed({ run, now }: Context, item: Item, outcome: Outcome, { bankMinor, bankAt, ourMinor }: Seen): Change {
  const seen = { seenRunId: run.id, bankMinor: bankMinor ?? item.bankMinor, bankAt: bankAt ?? item.bankAt, ourMinor };
  return { item: { ...item, ...seen, state: 'closed', closedAt: now, outcome }, isNew: false, step: 'closed' };
}

/** A difference that is new, still there, or there with other amounts. */
function named(
  context: Context,
  { facts, known }: Judged,
  difference: Difference,
  ourMinor: bigint,
  booking?: Pick<Change, 'step' | 'moves'> | undefined,
): Steps {
  const { run, now } = context;
  const same = known.open.find((item) => item.difference === difference);
  const others = known.open.filter((item) => item !== same && item.state !== 'returning');
  const overtaken = others.map((item) => closed(context, item, 'changed', { ...facts, ourMinor }));
  const going = known.open.filter(
    (item) => item !== same && item.state === 'returning' && !isSame(item, facts.bankMinor ?? item.bankMinor, ourMinor),
  );
  const kept = going.map((item): Change => {
    const amounts = { bankMinor: facts.bankMinor ?? item.bankMinor, ourMinor, seenRunId: run.id };
    return { item: { ...item, ...amounts }, isNew: false, step: 'changed' };
  });
  if (!same) {
    const change = {
      item: itemOf(context, facts, difference, ourMinor),
      isNew: true,
      step: 'found',
      ...booking,
    } as const;
    return { changes: [...overtaken, ...kept, change], seen: [], isFound: true };
  }
  const isChanged = !isSame(same, facts.bankMinor, ourMinor) || booking !== undefined;
  const isBroken = same.state === 'promised' && isPromiseOver(same, now);
  if (!isChanged && !isBroken) return { changes: [...overtaken, ...kept], seen: [same.id], isFound: false };
  const { bankMinor, bankAt } = facts;
  const seen = { seenRunId: run.id, bankMinor, bankAt: bankAt ?? same.bankAt, ourMinor };
  const next: Item = { ...same, ...seen, state: same.state === 'returning' ? 'returning' : 'parked' };
  const item = {
    ...next,
    why: isBroken ? promiseBroken(same) : whyOf(next),
    promisedAt: isBroken ? same.promisedAt : null,
  };
  return {
    changes: [...overtaken, ...kept, { item, isNew: false, step: 'changed', ...booking }],
    seen: [],
    isFound: true,
  };
}

function itemOf({ run, now, newId }: Context, facts: Facts, difference: Difference, ourMinor: bigint): Item {
  const { kind, key, bankMinor, bankAt } = facts;
  return newItem(run, { id: newId(), kind, key, difference, bankMinor, bankAt, ourMinor, foundAt: now });
}

type NewItem = Pick<Item, 'id' | 'kind' | 'key' | 'difference' | 'bankMinor' | 'bankAt' | 'ourMinor' | 'foundAt'> &
  Partial<Pick<Item, 'bankFeeMinor' | 'ourFeeMinor' | 'why'>>;

export function newItem(run: Run, found: NewItem): Item {
  return {
    bankFeeMinor: 0n,
    ourFeeMinor: 0n,
    why: whyOf(found),
    ...found,
    runId: run.id,
    seenRunId: run.id,
    acquirer: run.acquirer,
    currency,
    state: 'parked',
    promisedAt: null,
    closedAt: null,
    outcome: null,
  };
}

/** Writes items with their records and journals, in the caller's database transaction, which holds their locks. */
export async function writeChanges(
  tools: Pick<ReconciliationTools, 'clock' | 'ids' | 'vault'>,
  sql: Sql,
  changes: readonly Change[],
  runId: string | null,
): Promise<void> {
  if (changes.length === 0) return;
  const items = changes.map(({ item }) => item);
  await updateItems(
    sql,
    changes.filter(({ isNew }) => !isNew).map(({ item }) => item),
  );
  await insertItems(
    sql,
    changes.filter(({ isNew }) => isNew).map(({ item }) => item),
  );
  // Nobody wants it sent any more.
  const over = items.filter(({ state }) => state === 'closed' || state === 'promised').map(({ id }) => id);
  if (over.length > 0) await cancelHeld(sql, over);
  const recorded = changes.map((change) => ({ change, record: recordOf(tools.ids.ulid(), change, runId) }));
  await appendRecords(
    tools,
    sql,
    recorded.map(({ record }) => record),
  );
  const journals = recorded.flatMap(({ change: { item, moves }, record }) =>
    moves ? [journalOf(record.id, item, moves)] : [],
  );
  await post(sql, tools.ids, journals, tools.clock.now());
}

function recordOf(id: string, { item, step, moves }: Change, runId: string | null): NewRecord {
  return {
    id,
    step,
    acquirer: item.acquirer,
    runId,
    itemId: item.id,
    kind: item.kind,
    key: item.key,
    movedMinor: moves?.receivableMinor ?? null,
    content: contentOfItem(item),
  };
}

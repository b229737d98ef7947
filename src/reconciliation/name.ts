// Naming differences: judges keys against everything that is booked for them, and writes what follows.

import { lockUnallocated, withdrawUnsent } from '../banking/index.ts';
import { isAboutRows, type Sql } from '../database/index.ts';
import { ledgerAccounts } from '../ledger/index.ts';
import { applyChanges } from './apply.ts';
import { bookedAfter, changesOf, explainedBy, type Steps } from './changes.ts';
import { judge } from './judge.ts';
import { isSuspense } from './kinds.ts';
import { amendLines, bookLines } from './lines.ts';
import type { Booked, Change, Facts, Item, Keyed, KnownItems, Run } from './model.ts';
import { noting } from './noted.ts';
import { whyOf } from './rules.ts';
import { inRun } from './run.ts';
import { type BookedAccounts, listBooked } from './store/books.ts';
import { listKnown, listOpenIds, lockItems, updateSeen } from './store/items.ts';
import { noteGone } from './store/named.ts';
import type { ReconciliationTools } from './tools.ts';

const keysAtOnce = 500;

export const nothingBooked: Booked = { ownMinor: null, correctedMinor: null, lossMinor: 0n, unallocatedMinor: 0n };
const unknown: KnownItems = { open: [], closed: [] };

/** What nobody knows is in suspense, and then the acquirer's fee. */
export function accountsOf(acquirer: string, kind: Keyed): BookedAccounts {
  const { loss, payerUnallocated: unallocated, acquirerFee } = ledgerAccounts;
  const receivable = ledgerAccounts.receivable(acquirer);
  if (!isSuspense(kind)) return { receivable, loss, unallocated };
  return { receivable, loss: acquirerFee, unallocated: ledgerAccounts.suspense(acquirer) };
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
  /** Keys that their room settled after the facts were read: nothing is said about them. */
  readonly outdated: readonly Facts[];
  /** Keys that could not be written, because of their rows. */
  readonly failed: readonly string[];
}

const none: Named = { found: 0, bookedMinor: 0n, explainedMinor: 0n, toApply: [], outdated: [], failed: [] };

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
  outdated: [...one.outdated, ...other.outdated],
  failed: [...one.failed, ...other.failed],
});

async function nameSome(tools: ReconciliationTools, run: Run, facts: readonly Facts[]): Promise<Named> {
  try {
    return await inRun(tools, run, (sql) => nameIn(tools, sql, run, facts));
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
  if (ids.length > 0) await parkUnsent(tools, sql, run, facts, await lockItems(sql, ids));
  const items = await listKnown(sql, acquirer, first.kind, keys);
  const booked = await listBooked(sql, acquirer, first.kind, facts, accountsOf(acquirer, first.kind));
  const now = tools.clock.now();
  const outdated: Facts[] = [];
  const judged = facts.flatMap((one) => {
    const ours = booked.get(one.key) ?? nothingBooked;
    const known = items.get(one.key) ?? unknown;
    const verdict = judge(one, ours, known, now);
    if (verdict.kind !== 'outdated') return [{ facts: one, booked: ours, known, verdict }];
    outdated.push(one);
    return [];
  });
  const context = { run, now, newId: () => tools.ids.ulid() };
  const steps = judged.map((one) => ({ ...one, ...changesOf(context, one) }));
  await updateSeen(
    sql,
    steps.flatMap(({ seen }) => seen),
    run.id,
  );
  await applyChanges(
    tools,
    sql,
    steps.flatMap(({ changes }) => changes),
    run.id,
  );
  await noteBack(tools, sql, run, judged);
  await bookLines(tools, sql, run, steps);
  await amendLines(tools, sql, run, judged);
  sayClosed(tools, steps);
  const toApply = steps.filter(({ verdict }) => verdict.kind === 'apply');
  const known = steps.filter(({ verdict }) => verdict.kind !== 'apply');
  return {
    found: steps.filter(({ isFound }) => isFound).length,
    bookedMinor: known.reduce((sum, one) => sum + bookedAfter(one), 0n),
    explainedMinor: known.reduce((sum, one) => sum + explainedBy(one), 0n),
    toApply: toApply.map(({ facts }) => facts),
    outdated,
    failed: [],
  };
}

/** What the bank was asked about, and has again: another line of it would be another movement. */
async function noteBack(
  tools: ReconciliationTools,
  sql: Sql,
  { acquirer }: Run,
  judged: readonly { readonly facts: Facts; readonly known: KnownItems }[],
): Promise<void> {
  const wasGone = ({ open, closed }: KnownItems) =>
    [...open, ...closed].some(({ difference }) => difference === 'not_at_bank');
  const back = judged.filter(
    ({ facts: { bankMinor, bankAt }, known }) => bankMinor !== null && bankAt === null && wasGone(known),
  );
  if (back.length === 0) return;
  const keys = back.map(({ facts }) => facts);
  await noting(tools, sql, acquirer, async () => ({ change: await noteGone(sql, acquirer, keys, false) }));
}

/** Logs what was found but needs no decision: rows that came later explain it, and somebody may have made them up. */
function sayClosed({ log }: ReconciliationTools, steps: readonly (Steps & { readonly facts: Facts })[]): void {
  for (const { facts, changes, isFound } of steps) {
    const [one] = changes;
    if (!isFound || !one || changes.some(({ item }) => item.state !== 'closed')) continue;
    const { kind, key } = facts;
    log.warn({ kind, key, outcome: one.item.outcome }, 'a difference from the bank closed by itself');
  }
}

/** What was decided to go back and is not sent yet does not go out if the bank has another amount by now. */
async function parkUnsent(
  tools: ReconciliationTools,
  sql: Sql,
  run: Run,
  facts: readonly Facts[],
  items: readonly Item[],
): Promise<void> {
  const bank = new Map(facts.map(({ key, bankMinor }) => [key, bankMinor]));
  const overtaken = items.filter(({ state, key, bankMinor }) => state === 'returning' && bank.get(key) !== bankMinor);
  if (overtaken.length === 0) return;
  const withdrawn = new Set(
    await withdrawUnsent(
      sql,
      overtaken.map(({ id }) => id),
    ),
  );
  const changes = overtaken
    .filter(({ id }) => withdrawn.has(id))
    .map((item): Change => ({ item: { ...item, state: 'parked', why: whyOf(item) }, isNew: false, step: 'parked' }));
  await applyChanges(tools, sql, changes, run.id);
}

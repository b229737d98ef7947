// An operator's decision about a difference. It is relative to what is booked when it is made.

import {
  type Decision,
  insertOrRelease,
  isLostByDispute,
  lockUnallocated,
  type NewOutgoing,
  type OutgoingRefunds,
  type ParkedItem,
  type Parking,
} from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { applyChanges } from './apply.ts';
import { historyOf } from './history.ts';
import { isKeyed, isOwnKind, isSuspense, signOf } from './kinds.ts';
import { bookLines, correctLine } from './lines.ts';
import type { Booked, Change, Item, Moves } from './model.ts';
import { accountsOf, nothingBooked } from './name.ts';
import { bookPayout } from './payouts.ts';
import { afterDecision, type Step, whyOf } from './rules.ts';
import { listBooked } from './store/books.ts';
import { listKnown, listParked, listSiblings, lockItems, lockWaiting } from './store/items.ts';
import { hasLine } from './store/lines.ts';
import { hasPayout, updatePayout } from './store/payouts.ts';
import type { ReconciliationTools } from './tools.ts';

interface DecideTools extends ReconciliationTools {
  /** Ends disputes by which a payer got money that is not sent for that reason. */
  readonly coverDisputes: OutgoingRefunds['coverDisputes'];
}

export function parkedDifferences(tools: DecideTools): Parking {
  return {
    list: async () => {
      const items = await listParked(tools.db.sql);
      const history = await historyOf(tools.db.sql, items);
      return items.map((item) => parkedOf(item, history.get(item.id) ?? []));
    },
    decide: (id, decision) => decide(tools, id, decision),
  };
}

function parkedOf(item: Item, history: ParkedItem['history']): ParkedItem {
  const { id, kind, bankMinor, ourMinor, foundAt, state, promisedAt } = item;
  const amountMinor = bankMinor ?? ourMinor ?? 0n;
  const why: Item['why'] =
    state === 'promised' && promisedAt ? { code: 'promised', parameters: { since: promisedAt.toString() } } : item.why;
  return { id, kind, amountMinor: amountMinor < 0n ? -amountMinor : amountMinor, parkedAt: foundAt, why, history };
}

function decide(tools: DecideTools, id: string, decision: Decision): Promise<boolean> {
  return tools.db.atomic(async (sql) => {
    // Outgoing refunds are locked before what they are for.
    await lockUnallocated(sql, [id]);
    await lockItems(sql, await listSiblings(sql, id));
    const item = await lockWaiting(sql, id);
    if (!item) return false;
    const booked = await bookedOf(sql, item);
    if (decision === 'not-captured' && (await closeByDispute(tools, sql, item, booked))) return true;
    const step = afterDecision(item, decision, booked);
    await applyStep(tools, sql, item, step);
    if (item.difference !== 'suspended' && step.moves) await followInSuspense(tools, sql, item, booked, step.moves);
    return true;
  });
}

/**
 * Ends a capture that was to go back and that its payer got by disputes which are lost: what we had of it makes up for them.
 * False: it is something else, or a dispute is open.
 */
async function closeByDispute(
  tools: DecideTools,
  sql: Sql,
  item: Item,
  { unallocatedMinor: amountMinor }: Booked,
): Promise<boolean> {
  const { acquirer, key: chargeKey } = item;
  if (item.why.code !== 'return_disputed' || amountMinor <= 0n) return false;
  if (!(await isLostByDispute(sql, { acquirer, chargeKey }))) return false;
  const closed = { ...item, state: 'closed', closedAt: tools.clock.now(), outcome: 'disputed' } as const;
  await applyChanges(tools, sql, [{ item: closed, isNew: false, step: 'decided' }], null);
  await tools.coverDisputes(sql, { acquirer, chargeKey, amountMinor });
  return true;
}

async function bookedOf(sql: Sql, { acquirer, kind, key }: Item): Promise<Booked> {
  if (!isKeyed(kind)) return nothingBooked;
  const booked = await listBooked(sql, acquirer, kind, [{ key, chargeKey: null }], accountsOf(acquirer, kind));
  return booked.get(key) ?? nothingBooked;
}

async function applyStep(tools: ReconciliationTools, sql: Sql, item: Item, step: Step): Promise<void> {
  const change = changeOf(item, step, tools.clock.now());
  if (item.kind === 'payout' && isAboutBooking(item) && step.kind === 'close') await applyToPayout(tools, sql, change);
  else if (isAboutBooking(item) && item.difference === 'not_booked' && isOwnKind(item.kind) && change.moves) {
    await bookUnbooked(tools, sql, change);
  } else {
    await applyChanges(tools, sql, [change], null);
    if (isAboutBooking(item) && item.difference !== 'suspended') await correctLine(sql, change.item);
  }
  if (step.kind === 'giveBack') {
    await insertOrRelease(sql, returnOf(tools.ids.ulid(), item, tools.clock.now()));
  }
}

/** What waits in suspense is what is left of it there. */
async function followInSuspense(
  tools: ReconciliationTools,
  sql: Sql,
  { acquirer, kind, key }: Item,
  { unallocatedMinor }: Booked,
  { suspenseMinor }: Moves,
): Promise<void> {
  if (!isSuspense(kind) || suspenseMinor === 0n) return;
  const known = (await listKnown(sql, acquirer, kind, [key])).get(key);
  const waiting = known?.open.find(({ difference }) => difference === 'suspended');
  if (!waiting) return;
  const heldMinor = signOf(kind) * (unallocatedMinor + suspenseMinor);
  const amounts = { bankMinor: heldMinor, ourMinor: heldMinor };
  const over = { state: 'closed', closedAt: tools.clock.now(), outcome: 'not_moved' } as const;
  const next: Item = { ...waiting, ...amounts, ...(heldMinor === 0n ? over : {}) };
  const change: Change = {
    item: { ...next, why: whyOf(next) },
    isNew: false,
    step: heldMinor === 0n ? 'closed' : 'changed',
  };
  await applyChanges(tools, sql, [change], null);
}

function isAboutBooking({ difference }: Item): boolean {
  return difference !== 'total' && difference !== 'repeated' && difference !== 'other_charge';
}

/** The item after the step, with what is booked for it then. */
function changeOf(item: Item, step: Step, now: Temporal.Instant): Change {
  const { moves } = step;
  const owed = moves?.receivableMinor ?? 0n;
  const bookedMinor = item.kind === 'payout' ? moves?.bankMinor : signOf(item.kind) * owed;
  const amounts = {
    ourMinor: item.difference === 'total' ? item.ourMinor : (item.ourMinor ?? 0n) + (bookedMinor ?? 0n),
    ourFeeMinor: item.ourFeeMinor + (moves?.feeMinor ?? 0n),
  };
  switch (step.kind) {
    case 'close': {
      const closed = { state: 'closed', closedAt: now, outcome: step.outcome, promisedAt: null } as const;
      return { item: { ...item, ...amounts, ...closed }, isNew: false, step: 'decided', moves };
    }
    case 'promise': {
      const promised: Item = { ...item, ...amounts, state: 'promised', promisedAt: now };
      return { item: { ...promised, why: whyOf(promised) }, isNew: false, step: 'promised', moves };
    }
    case 'giveBack':
      return {
        item: { ...item, ...amounts, state: 'returning', promisedAt: null },
        isNew: false,
        step: 'returning',
        moves,
      };
  }
}

/** A line that was not booked by itself gets its row with its journal, unless it has one by now. */
async function bookUnbooked(tools: ReconciliationTools, sql: Sql, change: Change): Promise<void> {
  const { item, moves } = change;
  const { kind, key, chargeKey, what, bankMinor, bankAt } = item;
  await applyChanges(tools, sql, [{ ...change, moves: undefined }], null);
  if (!isOwnKind(kind) || (await hasLine(sql, item))) return;
  await bookLines(tools, sql, { acquirer: item.acquirer, id: null }, [
    { facts: { kind, key, chargeKey, what, bankMinor, bankAt }, booking: moves },
  ]);
}

/** The row says what is booked; it is made or changed together with the journal. One that exists is only corrected. */
async function applyToPayout(tools: ReconciliationTools, sql: Sql, change: Change): Promise<void> {
  const { item, moves } = change;
  const { acquirer, key, currency, bankAt, ourMinor, ourFeeMinor: feeMinor } = item;
  const now = tools.clock.now();
  const payout = { acquirer, key, currency, amountMinor: ourMinor ?? 0n, feeMinor, at: bankAt ?? now, bookedAt: now };
  if (item.difference === 'not_booked' && !(await hasPayout(sql, acquirer, key))) {
    await applyChanges(tools, sql, [{ ...change, moves: undefined }], null);
    await bookPayout(tools, sql, payout, null);
    return;
  }
  await applyChanges(tools, sql, [{ ...change, moves: moves && { ...moves, kind: 'payout corrected' } }], null);
  await updatePayout(sql, payout);
}

function returnOf(id: string, item: Item, now: Temporal.Instant): NewOutgoing & { readonly purpose: 'unallocated' } {
  const { acquirer, currency, key: chargeKey, bankMinor } = item;
  const facts = { id, acquirer, merchantId: null, currency, amountMinor: bankMinor ?? 0n, chargeKey };
  return { ...facts, purpose: 'unallocated', subjectId: item.id, createdAt: now, nextTryAt: now };
}

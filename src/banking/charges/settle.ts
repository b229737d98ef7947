// Settling: turns results of charges into rows, journals and events, a whole batch in one database transaction.

import { isAboutRows, type Sql } from '../../database/index.ts';
import { type Journal, post, surplusJournals } from '../../ledger/index.ts';
import type { Tools } from '../../tools.ts';
import { insertOutgoing, listSurplusOf } from '../outgoing/store.ts';
import type { ChargeRoom, LockedCharge, Settled, Settlement, SettlingCharge } from './model.ts';
import { afterStep } from './step.ts';
import { parkCharge, updateCharges } from './store.ts';
import { surplusOf } from './surplus.ts';

export type AnyRoom = ChargeRoom<SettlingCharge, unknown>;
type AnyLocked = LockedCharge<SettlingCharge, unknown>;
type AnySettled = Settled<SettlingCharge, unknown>;

type SettleTools = Pick<Tools, 'clock' | 'db' | 'ids'>;

/** Settles a result in a batch with others that arrive at the same time; undefined if there is no such charge. */
export type Settle = (settlement: Settlement) => Promise<AnyLocked | undefined>;

/**
 * Results that arrive together are settled together; each caller gets its own. Each purpose has its own queue, so that a
 * payer does not wait for a batch of recurring charges. A key of unknown purpose is looked for in these rooms, in order.
 */
export function openSettle(
  tools: SettleTools,
  name: string,
  rooms: () => readonly AnyRoom[],
  lanes: number = 1,
): Settle {
  return tools.db.joined({
    name,
    atomic: true,
    drainsQueue: true,
    lanes,
    execute: (sql, settlements) => settleSet(tools, sql, rooms(), settlements),
  });
}

/** A locked charge and its room. */
interface Known {
  readonly room: AnyRoom;
  locked: AnyLocked;
}

async function settleSet(
  tools: SettleTools,
  sql: Sql,
  rooms: readonly AnyRoom[],
  settlements: readonly Settlement[],
): Promise<(AnyLocked | undefined)[]> {
  const known = await lock(sql, rooms, settlements);
  const now = tools.clock.now();
  const changed = new Map<AnyRoom, AnySettled[]>();
  for (const settlement of settlements) {
    const one = known.get(settlement.chargeId);
    const applied = one && isFromIts(one, settlement) ? apply(one, settlement, now) : undefined;
    if (!one || !applied) continue;
    const settled = priced(one.room, { ...applied, facts: one.room.next(applied) });
    one.locked = settled;
    const own = changed.get(one.room);
    if (own) own.push(settled);
    else changed.set(one.room, [settled]);
  }
  await storeSettled(tools, sql, known, changed, now);
  return settlements.map(({ chargeId }) => known.get(chargeId)?.locked);
}

/** A payment names the price that its fee is computed by. */
function priced(room: AnyRoom, settled: AnySettled): AnySettled {
  if (settled.step.kind !== 'correct') return settled;
  return { ...settled, charge: { ...settled.charge, priceId: room.priceOf(settled.facts) } };
}

/** Locks the charges. Only one that ended without money can have been booked as surplus: the others need no query. */
async function lock(
  sql: Sql,
  rooms: readonly AnyRoom[],
  settlements: readonly Settlement[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  let left = settlements;
  for (const room of rooms) {
    for (const locked of left.length > 0 ? await room.lock(sql, left) : []) {
      known.set(locked.charge.id, { room, locked: { ...locked, surplusBooked: false } });
    }
    left = left.filter(({ chargeId }) => !known.has(chargeId));
  }
  const ended = [...known.values()]
    .filter(({ locked: { charge } }) => isEnded(charge))
    .map(({ locked }) => locked.charge.id);
  for (const id of ended.length > 0 ? await listSurplusOf(sql, ended) : []) {
    const one = known.get(id);
    if (one) one.locked = { ...one.locked, surplusBooked: true };
  }
  return known;
}

/** Whether nobody but its own acquirer says so; the row is locked. */
function isFromIts({ locked }: Known, { acquirer }: Settlement): boolean {
  return acquirer === undefined || acquirer === locked.charge.acquirer;
}

function isEnded({ state }: SettlingCharge): boolean {
  return state === 'failed' || state === 'canceled';
}

/** Applies a result to a charge in memory; undefined if it changes nothing. */
function apply(
  { room, locked }: Known,
  { result, lookedAt }: Settlement,
  now: Temporal.Instant,
): AnySettled | undefined {
  const step = room.after(locked, result);
  if (step.kind === 'none') return undefined;
  const { waitingLook } = room;
  const times = { now, endedAt: room.endedAt(locked.charge, now), lookedAt: lookedAt ?? now, waitingLook };
  const charge = afterStep(locked.charge, step, times);
  const settled = { ...locked, charge, step, surplusBooked: locked.surplusBooked || step.kind === 'giveBack' };
  const atOnce = step.kind === 'wait' && room.unwanted(settled);
  return atOnce ? { ...settled, charge: { ...charge, nextCheckAt: now } } : settled;
}

/** Balances are locked last, by `post`: they are the most contended rows. */
async function storeSettled(
  tools: SettleTools,
  sql: Sql,
  known: ReadonlyMap<string, Known>,
  changed: ReadonlyMap<AnyRoom, readonly AnySettled[]>,
  now: Temporal.Instant,
): Promise<void> {
  const settled = [...changed.values()].flat();
  if (settled.length === 0) return;
  const ids = new Set(settled.map(({ charge }) => charge.id));
  await updateCharges(
    sql,
    [...ids].flatMap((id) => known.get(id)?.locked.charge ?? []),
  );
  const journals: Journal[] = [];
  for (const [room, own] of changed) journals.push(...(await room.applySteps(sql, own, now)));
  const givenBack = settled.flatMap(({ step, charge }) => (step.kind === 'giveBack' ? [charge] : []));
  // Captured, but not needed: the money belongs to the payer.
  const surpluses = givenBack.map((charge) => surplusOf(tools.ids.ulid(), charge, now));
  if (surpluses.length > 0) await insertOutgoing(sql, surpluses);
  await post(sql, tools.ids, [...journals, ...givenBack.flatMap((charge) => surplusJournals(captureOf(charge)))], now);
}

/** What the ledger needs to know about a captured charge. */
export function captureOf({ id, acquirer, currency, amountMinor }: SettlingCharge) {
  return { source: id, acquirer, currency, amountMinor };
}

/**
 * Settles charges that nobody waits for, each as soon as its result is there. One that cannot be written is parked, and
 * does not affect the others. Throws when all have ended, if any failed for another reason than its row.
 */
export async function settleEach(
  { clock, db, log }: Pick<Tools, 'clock' | 'db' | 'log'>,
  settle: Settle,
  settlements: readonly Promise<Settlement>[],
): Promise<void> {
  const ends = await Promise.allSettled(
    settlements.map(async (learning) => {
      const settlement = await learning;
      const { chargeId } = settlement;
      try {
        await settle(settlement);
      } catch (error) {
        if (!isAboutRows(error)) throw error;
        log.error({ err: error, chargeId }, 'a charge could not be settled');
        await parkCharge(db.sql, chargeId, 'not_written', clock.now());
      }
    }),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

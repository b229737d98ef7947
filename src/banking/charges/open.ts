// The charges of every room: one settle, one look-up, one list of what is parked, one entry for callbacks.

import type { WorkName } from '../../../contract/codes/works.ts';
import type { Callback } from '../../acquirer/index.ts';
import type { Work } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { type Decision, decidedResult } from '../decision.ts';
import { openParking, type ParkedItem, type Parking } from '../parking.ts';
import { learnedOf } from '../rules.ts';
import { type ChargePart, lookUpCharges } from './look-up.ts';
import type { ChargePurpose, ChargeRoom, LockedCharge, Settlement, SettlingCharge } from './model.ts';
import { type AnyRoom, openSettle, type Settle, settleEach } from './settle.ts';
import { chargesDue, findParkedCharge, listParkedCharges, updateUnparked } from './store.ts';

type ChargeCallback = Extract<Callback, { kind: 'charge' }>;

/** What a room gets for handing in its part. */
export interface RoomCharges<C extends SettlingCharge, Facts, Known> {
  /** Durable when it resolves; undefined if there is no such charge. A repeat changes nothing. */
  settle(settlement: Settlement<Known>): Promise<LockedCharge<C, Facts> | undefined>;
  /**
   * The same for charges that nobody waits for, each as soon as its result is there. One that cannot be written is parked
   * and does not affect the others. The promises never reject.
   */
  settleAll(settlements: readonly Promise<Settlement<Known>>[]): Promise<void>;
}

/** A work for each purpose: a backlog of one does not delay the other. */
const lookUps = [
  ['look_up_payments', 'payment'],
  ['look_up_charges', 'recurring'],
] as const satisfies readonly (readonly [Work['name'], ChargePurpose])[];

export function openCharges(tools: Pick<Tools, 'acquirers' | 'clock' | 'db' | 'ids' | 'log'>) {
  const { sql } = tools.db;
  const parts = new Map<ChargePurpose, ChargePart>();
  const partOf = (purpose: ChargePurpose): ChargePart => {
    const part = parts.get(purpose);
    if (!part) throw new Error(`No room takes charges for ${purpose}.`);
    return part;
  };
  // A callback says only its key. Recurring payments are locked before transactions, here and everywhere.
  const settleAny = openSettle(tools, 'any settlement', () => [partOf('recurring').room, partOf('payment').room]);
  return {
    /** Takes a room's part in its charges; once for each purpose, when the room is opened. `name` is that of its queue. */
    add<C extends SettlingCharge, Facts, Known>(
      purpose: ChargePurpose,
      name: string,
      room: ChargeRoom<C, Facts, Known>,
    ): RoomCharges<C, Facts, Known> {
      const added = room as unknown as AnyRoom;
      const part = { room: added, settle: openSettle(tools, name, () => [added], room.setsAtOnce) };
      parts.set(purpose, part);
      return {
        settle: part.settle as (settlement: Settlement<Known>) => Promise<LockedCharge<C, Facts> | undefined>,
        settleAll: (settlements) => settleEach(tools, part.settle, settlements),
      };
    },
    callback: (callback: ChargeCallback, acquirer: string) => receiveCallback(tools, settleAny, callback, acquirer),
    parked: parkedCharges(tools, settleAny),
    works: lookUps.map(
      ([name, purpose]): Work<WorkName> => ({
        name,
        run: () => lookUpCharges({ ...tools, partOf }, purpose),
        waiting: () => chargesDue[purpose].waiting(sql, tools.clock.now()),
        nextAt: () => chargesDue[purpose].next(sql),
      }),
    ),
  };
}

/** Results pushed by the acquirer. They may arrive twice, late, out of order, or before the response to the request. */
async function receiveCallback(
  { log }: Pick<Tools, 'log'>,
  settle: Settle,
  { key: chargeId, result, lookedUp }: ChargeCallback,
  acquirer: string,
): Promise<boolean> {
  const locked = await settle({ chargeId, result: learnedOf(result, lookedUp), acquirer });
  if (locked && locked.charge.acquirer !== acquirer)
    log.error({ acquirer, chargeId, of: locked.charge.acquirer }, 'a callback is about a charge of another acquirer');
  return locked !== undefined;
}

/** An operator's decision about a parked charge. */
function parkedCharges({ db }: Pick<Tools, 'db'>, settle: Settle): Parking {
  return openParking({
    list: () => listParkedCharges(db.sql),
    find: (id) => findParkedCharge(db.sql, id),
    async decide({ id }: ParkedItem, decision: Decision) {
      await settle({ chargeId: id, result: decidedResult(decision) });
      // An ended one about which the bank contradicted itself stays as it is.
      if (decision === 'not-captured') await updateUnparked(db.sql, id);
    },
  });
}

// What tests do with the rooms of a world without HTTP: run one kind of work, pass in a callback, decide, verify.

import type { Callback } from '../../src/acquirer/index.ts';
import type { Decision, ParkedItem } from '../../src/banking/index.ts';
import { handleCallback as take } from '../../src/capabilities.ts';
import { type RoundLimits, tick } from '../../src/engine/index.ts';
import type { Work } from '../../src/runtime/index.ts';
import { type RoomWorld, roomsOf } from './service.ts';

const worksAtOnce = 2;

/**
 * A few at a time: all at once they would open ten connections in every world, each of which costs the server more than
 * the queries of an idle work.
 */
function fewAtOnce(works: readonly Work[]): Work[] {
  const lanes: Promise<unknown>[] = Array.from({ length: worksAtOnce }, async () => undefined);
  return works.map(({ name, run, drain = run }, index) => ({
    name,
    run() {
      const lane = index % worksAtOnce;
      const done = Promise.resolve(lanes[lane]).then(drain);
      lanes[lane] = done.catch(() => undefined);
      return done;
    },
  }));
}

/** Everything that is due, until nothing is. */
export async function tickAll(world: RoomWorld, limits?: RoundLimits): Promise<number> {
  return tick(world, fewAtOnce((await roomsOf(world)).works), limits);
}

/** Whether anything has become due by now. Asks one work after another: an idle tick takes five times as long. */
export async function isAnythingDue(world: RoomWorld): Promise<boolean> {
  const now = world.clock.now();
  for (const { nextAt } of (await roomsOf(world)).works) {
    const next = await nextAt?.();
    if (next && Temporal.Instant.compare(next, now) <= 0) return true;
  }
  return false;
}

async function workOf(world: RoomWorld, name: string): Promise<Work> {
  const work = (await roomsOf(world)).works.find((one) => one.name === name);
  if (!work) throw new Error(`There is no work "${name}".`);
  return work;
}

const run = (name: string) => async (world: RoomWorld) => (await workOf(world, name)).run();

export const chargeDue = run('charge_recurring');
export const lookUpPayments = run('look_up_payments');
const lookUpRecurring = run('look_up_charges');
/** Of both purposes. */
export const lookUpCharges = async (world: RoomWorld) => (await lookUpPayments(world)) + (await lookUpRecurring(world));
export const moveRefunds = run('move_refunds');
export const claimDisputes = run('claim_disputes');
export const parkDisputes = run('park_disputes');
export const makePayouts = run('make_payouts');
export const cutPayouts = run('cut_settlements');
export const expireTransactions = run('expire_transactions');
export const sendMails = run('send_mail');

/** What an operator decides about a parked item; returns whether any room has it. */
export async function decideParked(world: RoomWorld, id: string, decision: Decision): Promise<boolean> {
  for (const { parked } of (await roomsOf(world)).capabilities) {
    if (await parked?.decide(id, decision)) return true;
  }
  return false;
}

/** What waits for an operator, in all rooms. */
export async function listParked(world: RoomWorld): Promise<ParkedItem[]> {
  const lists = (await roomsOf(world)).capabilities.map(({ parked }) => parked?.list() ?? []);
  return (await Promise.all(lists)).flat();
}

/** Returns whether the room knows its key. */
export async function receiveRefundCallback(world: RoomWorld, callback: Callback): Promise<boolean> {
  return (await roomsOf(world)).banking.callback(callback, firstOf(world));
}

/** As the bank would send it, or another acquirer. */
export async function handleCallback(
  world: RoomWorld,
  callback: Callback,
  acquirer: string = firstOf(world),
): Promise<void> {
  await take(world, (await roomsOf(world)).capabilities, acquirer, callback);
}

function firstOf({ acquirers }: RoomWorld): string {
  return acquirers.list[0]?.acquirer.name ?? '';
}

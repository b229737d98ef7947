// Events never delivered: receivers fail in every way for up to 72 hours, recover, and must then have everything.

import { readBoolean, readText } from '../../src/database/index.ts';
import { aTransaction, payBlik, settleAll } from '../support/payments.ts';
import { aReceiver, confirmed, type Receiver, type ReceiverAnswer } from '../support/receiver.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, aService, type TestWorld } from '../support/service.ts';
import { figureText, isOver, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalEvents = 5_000;
const receiversAtOnce = 10;
const eventsAtOnce = 200;

const failures: readonly ReceiverAnswer[] = [
  { status: 500, body: 'no' },
  { status: 503, body: 'TRUE' },
  { status: 200, body: 'FALSE' },
  { status: 200, body: '' },
  { status: 301, body: 'TRUE', headers: { location: 'http://127.0.0.1:1/' } },
  'drop',
];

interface Broken {
  readonly receiver: Receiver;
  /** When it recovers, in hours from the start. */
  readonly backAfter: number;
}

/** Whether something is to be sent: in most half hours nothing is. */
function isDue({ db, clock }: TestWorld): Promise<boolean> {
  return db.sql.one((row) => readBoolean(row, 'due'))`
    select exists (select from delivery where status = 'pending' and next_try_at <= ${clock.now()}) as due`;
}

/**
 * One round: events for receivers that are down, then four days in steps of half an hour. Returns those that never
 * arrived.
 */
async function playRound(draw: Seeded, count: number): Promise<string[]> {
  const service = await aService({ random: draw });
  const merchant = await aMerchant(service);
  const broken: Broken[] = [];
  for (let index = 0; index < receiversAtOnce; index += 1) {
    const receiver = await aReceiver();
    receiver.answer = draw.of(failures);
    broken.push({ receiver, backAfter: index === 0 ? 71 : draw.below(72) });
  }
  const { world } = service;
  await Promise.all(
    Array.from({ length: count }, async () => {
      const url = `${draw.of(broken).receiver.url}/${draw.below(3)}`;
      await payBlik(service, merchant, await aTransaction(service, merchant, { callbacks: { notification: { url } } }));
    }),
  );
  await settleAll(world);
  for (let half = 1; half <= 2 * 96; half += 1) {
    for (const { receiver, backAfter } of broken) if (half / 2 >= backAfter) receiver.answer = confirmed;
    world.clock.advance({ minutes: 30 });
    world.wall.advance({ seconds: 30 });
    if (await isDue(world)) await settleAll(world);
  }
  const heard = new Set(broken.flatMap(({ receiver }) => receiver.ids));
  const events = await world.db.sql.many((row) => ({ id: readText(row, 'id'), status: readText(row, 'status') }))`
    select event.id, delivery.status from event join delivery on delivery.event_id = event.id`;
  return events
    .filter(({ id, status }) => status !== 'delivered' || !heard.has(id))
    .map(({ id, status }) => `Event ${id} is ${status}.`);
}

export async function proveEvents(options: ProveOptions): Promise<Seen[]> {
  const goal = scaled(goalEvents, options);
  const lost: string[] = [];
  let events = 0;
  for (let round = 0; events < goal && !isOver(options); round += 1) {
    const count = Math.min(eventsAtOnce, Math.max(20, goal - events));
    lost.push(...(await playRound(new Seeded(`${options.seed} events ${round}`), count)));
    events += count;
    options.print(`${figureText(events)} of ${figureText(goal)} events`);
  }
  for (const note of lost.slice(0, 10)) options.print(`  ${note}`);
  return [
    {
      figure: 'events never delivered to a receiver that comes back within 72 h',
      goal: '0',
      seen: `${lost.length} of ${figureText(events)}`,
      met: lost.length === 0 && events > 0,
    },
  ];
}

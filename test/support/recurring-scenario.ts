// Merchants with recurring payments of every kind, at a bank that misbehaves, with two nodes at work, while days pass.
// Who does what is derived from a seed.

import assert from 'node:assert/strict';
import { readBigint, readInteger, readText } from '../../src/database/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { type FaultName, faultNames } from '../../src/simulators/index.ts';
import { aRecurringRequest, askRecurring, chargeAll, postRecurring } from './recurring.ts';
import type { Seeded } from './seeded.ts';
import type { Service, TestMerchant, TestWorld } from './service.ts';

export interface RecurringStage {
  readonly service: Service;
  readonly nodes: readonly TestWorld[];
  readonly merchant: TestMerchant;
  readonly draw: Seeded;
}

const values = [
  'tok',
  'tok',
  'tok',
  'tok-insufficient-funds',
  'fail-1-payer-rejected',
  'fail-3-instrument-rejected',
  'lost-answer',
  'lost-answer-fail',
  'slow',
  'unreachable',
  'fail-1-insufficient-funds-unreachable',
];
const bliks = [{ model: 'A', noDelay: true }, { model: 'A' }, { model: 'O' }, { model: 'M' }];
const policies = [null, [], [{ value: 40, unit: 'minutes' }], Array(4).fill({ value: 1, unit: 'days' })];

/** One to three scenarios, each with a probability of one half. */
export function drawFaults(draw: Seeded): Faults {
  const chosen = Array.from({ length: 1 + draw.below(3) }, (): [FaultName, Faults[FaultName]] => [
    draw.of(faultNames),
    { probability: draw.of([0.1, 0.3, 0.6]), seed: draw.below(1_000_000) },
  ]);
  return Object.fromEntries(chosen);
}

function drawInstrument(draw: Seeded): object {
  const value = draw.of(values);
  return draw.chance(0.3)
    ? { paymentType: 'blik_payid', value, blik: draw.of(bliks) }
    : { paymentType: 'card_token', value };
}

async function create({ service, merchant, draw }: RecurringStage): Promise<string> {
  const first = service.world.clock.now().add({ hours: draw.below(72) - 24 });
  const request = aRecurringRequest(service, {
    schedule: {
      firstChargeDate: first.toString(),
      interval: 1 + draw.below(2),
      intervalType: 'days',
      chargeCount: draw.chance(0.5) ? 1 + draw.below(6) : null,
      retryIntervals: draw.of(policies),
    },
    paymentInstrument: drawInstrument(draw),
  });
  const answers = await Promise.all(
    Array.from({ length: draw.chance(0.1) ? 3 : 1 }, () => postRecurring(service, merchant, request)),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  return request.id;
}

/** What a merchant does to one of its recurring payments; every response must match the contract. */
async function meddle({ service, merchant, draw }: RecurringStage, id: string): Promise<void> {
  const verb = draw.of(['retry', 'retry', 'cancel', 'payment_instrument', 'payment_instrument'] as const);
  const body = verb === 'payment_instrument' ? { paymentInstrument: drawInstrument(draw) } : undefined;
  const { status, text } = await askRecurring(service, merchant, id, verb, body);
  assert.ok([200, 201, 406, 409].includes(status), text);
}

/** This many recurring payments, while this many hours pass; all nodes work concurrently. */
export async function playRecurring(stage: RecurringStage, count: number, hours: number): Promise<void> {
  const { service, nodes, draw } = stage;
  const ids: string[] = [];
  for (let made = 0; made < count; made += 50) {
    ids.push(...(await Promise.all(Array.from({ length: Math.min(50, count - made) }, () => create(stage)))));
  }
  for (let passed = 0; passed < hours; ) {
    const step = draw.of([1, 3, 12]);
    const meddling = Array.from({ length: Math.ceil(count / 40) }, () => meddle(stage, draw.of(ids)));
    await Promise.all([...meddling, ...nodes.map(chargeAll)]);
    service.world.clock.advance({ hours: step });
    passed += step;
  }
}

const stepsAtMost = 400;

/** Due iterations without an attempt, and attempts that nobody decided or parked. The engine should be idle. */
export function listMissed(world: TestWorld): Promise<string[]> {
  return world.db.sql.many((row) => readText(row, 'what'))`
    select 'Iteration ' || iteration || ' of ' || id || ' was due and not made.' as what from recurring
     where due_at <= ${world.clock.now()}
    union all
    select 'Attempt ' || transaction_id || ' is ' || state || '.' from charge
     where purpose = 'recurring' and settled_at is null and parked_at is null`;
}

/**
 * Makes the bank honest again and starts nothing new, until every charge is decided. Returns the iterations that were
 * due and not made, and the charges that were never decided.
 */
export async function untilDecided({ service, nodes }: RecurringStage): Promise<string[]> {
  const { sql } = service.world.db;
  await Promise.all(nodes.map(chargeAll));
  const missed = (await listMissed(service.world)).filter((what) => what.startsWith('Iteration'));
  service.world.bank.setFaults({});
  await sql.run`
    update recurring set status = 'canceled', ended_at = ${service.world.clock.now()}, scheduled_at = null, due_at = null,
                         manual = false where status = 'active'`;
  for (let step = 0; step < stepsAtMost; step += 1) {
    await Promise.all(nodes.map(chargeAll));
    const open = await sql.many((row) => readText(row, 'transaction_id'))`
      select transaction_id from charge where purpose = 'recurring' and settled_at is null and parked_at is null limit 10`;
    if (open.length === 0) break;
    service.world.clock.advance({ minutes: 20 });
  }
  return [...missed, ...(await listMissed(service.world))];
}

export interface Counted {
  readonly charges: number;
  /** Iterations of which the bank holds more than their amount. */
  readonly twice: readonly string[];
}

/** What the bank's own record says about each iteration. */
export async function countCharges(world: TestWorld): Promise<Counted> {
  const attempts = await world.db.sql.many((row) => ({
    key: readText(row, 'transaction_id'),
    iteration: `${readText(row, 'recurring_id')} ${readInteger(row, 'iteration')}`,
    amountMinor: readBigint(row, 'amount_minor'),
  }))`
    select attempt.transaction_id, attempt.recurring_id, attempt.iteration, recurring.amount_minor
      from charge as attempt join recurring on recurring.id = attempt.recurring_id`;
  const { netMinor } = world.bank.record();
  const twice = [...Map.groupBy(attempts, ({ iteration }) => iteration)].flatMap(([iteration, own]) => {
    const held = own.reduce((sum, { key }) => sum + (netMinor.get(key) ?? 0n), 0n);
    return held > (own[0]?.amountMinor ?? 0n) ? [`The bank holds ${held} of iteration ${iteration}.`] : [];
  });
  return { charges: attempts.length, twice };
}

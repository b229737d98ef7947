// Three virtual years of recurring payments in two moves: attempts, dates, ledger and notifications match a
// closed-form model written independently of the engine, with its own calendar. Between the moves merchants retry some by
// hand, and restore some that have failed.

import assert from 'node:assert/strict';
import { readInstant, readInteger, readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import type { Work } from '../../src/runtime/index.ts';
import { inParallel } from '../../src/runtime/index.ts';
import { advance, SandboxClock } from '../../src/sandbox/index.ts';
import type { Tools } from '../../src/tools.ts';
import { findProblems } from './invariants.ts';
import { aRecurringRequest, askRecurring, postRecurring } from './recurring.ts';
import { aMerchant, aService, roomsOf, type Service, type TestMerchant, type TestWorld } from './service.ts';

const start = Date.UTC(2026, 2, 10, 9, 0, 0);
const end = Date.UTC(2029, 2, 10, 9, 0, 0);
/** No charge is due at this second. */
const stop = Date.UTC(2026, 7, 11, 3, 30, 30);
const minute = 60_000;

/** Small, seeded, and good enough to mix cases. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Last Sunday of the month, 01:00 UTC: when Warsaw changes between +1 and +2 hours. */
function change(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return Date.UTC(year, month, last.getUTCDate() - last.getUTCDay(), 1);
}

function warsawOffset(utc: number): number {
  const year = new Date(utc).getUTCFullYear();
  return utc >= change(year, 2) && utc < change(year, 9) ? 120 * minute : 60 * minute;
}

/** The instant of a local time; none of them is in a DST gap or overlap. */
function utcOf(local: number): number {
  const summer = local - 120 * minute;
  return warsawOffset(summer) === 120 * minute ? summer : local - 60 * minute;
}

function addLocal(utc: number, days: number, months: number): number {
  const local = new Date(utc + warsawOffset(utc));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth() + months, local.getUTCDate()];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = local.getTime() - Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  return utcOf(Date.UTC(year, month, Math.min(day, lastDay) + days) + time);
}

interface Case {
  readonly first: number;
  readonly interval: number;
  readonly intervalType: 'days' | 'months';
  readonly chargeCount: number | null;
  readonly retries: readonly { value: number; unit: 'minutes' | 'days' | 'months' }[] | null;
  /** How many attempts of each iteration fail; Infinity for a value that always fails. */
  readonly failures: number;
  readonly value: string;
  readonly amountMinor: number;
  /** At the stop: retried by hand if its last attempt failed, or restored with an instrument that works if it did. */
  readonly helped: boolean;
}

function caseOf(roll: (below: number) => number): Case {
  const hour = [0, 5, 8, 12, 17, 22][roll(6)] ?? 8;
  const firstDay = Date.UTC(2026, 1 + roll(6), 1 + roll(28), hour, roll(60));
  const failures = [0, 0, 0, 0, 1, 2, 5, Number.POSITIVE_INFINITY][roll(8)] ?? 0;
  const retryKind = roll(4);
  const retries =
    retryKind === 0
      ? null
      : Array.from({ length: [0, 0, 1, 6][retryKind] ?? 0 }, () => ({
          value: 1 + roll(3),
          unit: (['minutes', 'days'] as const)[roll(2)] ?? ('days' as const),
        }));
  return {
    first: firstDay,
    interval: 1 + roll(roll(2) === 0 ? 3 : 90),
    intervalType: roll(3) === 0 ? 'days' : 'months',
    chargeCount: roll(2) === 0 ? null : 1 + roll(12),
    retries,
    failures,
    value:
      failures === 0 ? 'good' : Number.isFinite(failures) ? `fail-${failures}-payer-rejected` : 'insufficient-funds',
    amountMinor: 100 + roll(10_000),
    helped: roll(3) > 0,
  };
}

interface Expected {
  readonly attempts: string[];
  /** The notifications after each attempt. */
  readonly tellings: string[];
  readonly status: string;
  readonly paidMinor: number;
  readonly retriedByHand: boolean;
  readonly restored: boolean;
}

/** When the n-th charge is due by the calendar. */
function dueOf(given: Case, iteration: number): number {
  const steps = (iteration - 1) * given.interval;
  if (steps === 0) return given.first;
  return addLocal(given.first, given.intervalType === 'days' ? steps : 0, given.intervalType === 'months' ? steps : 0);
}

type Delay = { value: number; unit: 'minutes' | 'days' | 'months' };

function after(at: number, { value, unit }: Delay): number {
  if (unit === 'minutes') return at + value * minute;
  return addLocal(at, unit === 'days' ? value : 0, unit === 'months' ? value : 0);
}

/** The iteration after one that was restored at the stop: dates before that have passed. */
function afterRestored(given: Case, iteration: number): number {
  let next = iteration + 1;
  while (dueOf(given, next) < stop) next += 1;
  return next;
}

/** The expected state at the end. */
function expect(given: Case): Expected {
  const retries: readonly Delay[] = given.retries ?? Array.from({ length: 14 }, () => ({ value: 1, unit: 'days' }));
  const attempts: string[] = [];
  const tellings: string[] = [];
  let { failures } = given;
  let paidMinor = 0;
  let retriedByHand = false;
  let restored = false;
  const ended = (status: string): Expected => ({ attempts, tellings, status, paidMinor, retriedByHand, restored });
  let at = start;
  for (let iteration = 1; ; ) {
    // Due in the past, or while an earlier iteration was open: immediately.
    at = Math.max(dueOf(given, iteration), at);
    let following = iteration + 1;
    let retriesUsed = 0;
    let before = Number.POSITIVE_INFINITY;
    for (let attempt = 1; ; attempt += 1) {
      const byHand = given.helped && !retriedByHand && before <= stop && at > stop;
      const moment = byHand ? stop : at;
      if (moment > end) return ended('active');
      const correct = attempt > failures;
      const delay = retries[retriesUsed];
      const last = given.chargeCount !== null && following > given.chargeCount;
      const retry = byHand ? at : delay ? after(at, delay) : null;
      const next = correct ? (last ? null : dueOf(given, following)) : retry;
      const outcome = correct ? 'correct' : 'failed';
      attempts.push(`${iteration}.${attempt} ${new Date(moment).toISOString()} ${outcome}`);
      tellings.push(`${iteration}.${attempt} ${outcome} next ${next === null ? 'none' : new Date(next).toISOString()}`);
      before = moment;
      if (byHand) retriedByHand = true;
      if (correct) {
        at = moment;
        break;
      }
      if (byHand) continue;
      retriesUsed += 1;
      if (next !== null) {
        at = next;
      } else if (given.helped && at < stop) {
        restored = true;
        failures = 0;
        following = afterRestored(given, iteration);
        before = Number.POSITIVE_INFINITY;
        at = stop;
      } else {
        return ended('failed');
      }
    }
    paidMinor += given.amountMinor;
    if (given.chargeCount !== null && following > given.chargeCount) return ended('finished');
    iteration = following;
  }
}

/** What merchants do at the stop. */
async function help(service: Service, merchant: TestMerchant, id: string, given: Case): Promise<void> {
  if (!given.helped) return;
  const { restored, retriedByHand } = expect(given);
  const body = { paymentInstrument: { paymentType: 'card_token', value: 'good' } };
  const answer = await (restored
    ? askRecurring(service, merchant, id, 'payment_instrument', body)
    : askRecurring(service, merchant, id, 'retry'));
  assert.equal(answer.status, restored || retriedByHand ? 201 : 406, `${answer.text} ${JSON.stringify(given)}`);
}

/** Deliveries have their own tests; here they would take most of the time. */
async function withoutDelivery(world: TestWorld): Promise<Work[]> {
  return (await roomsOf(world)).works.filter(({ name }) => name !== 'send_notifications');
}

/** What the notifications say, one line each. */
async function tellings(world: Tools): Promise<string[]> {
  const bodies = await world.db.sql.many((row) => JSON.parse(readText(row, 'body')))`
    select body from event where type = 'recurring'`;
  return bodies
    .map((notified) => {
      const next = notified.nextChargeDate === null ? 'none' : new Date(notified.nextChargeDate).toISOString();
      return `${notified.recurringId} ${notified.iterationCount}.${notified.iterationAttemptCount} ${notified.status} next ${next}`;
    })
    .sort();
}

/** Called at every step of a move: the maximum number of count changes that the previous steps left to be added. */
class Left implements Work {
  readonly name = 'count_recurring';
  most = 0;
  readonly #db: Tools['db'];
  constructor({ db }: Pick<Tools, 'db'>) {
    this.#db = db;
  }
  run = async () => 0;
  nextAt = async () => {
    const left = await this.#db.sql.one((row) => readInteger(row, 'left'))`
      select count(*)::integer as left from transaction_count_change`;
    this.most = Math.max(this.most, left);
    return null;
  };
}

/** Plays so many payments and checks everything; returns how many attempts they made. */
export async function liveThreeYears(count: number): Promise<number> {
  const service = await aService({ clockOver: (wall) => new SandboxClock(wall) });
  const { world } = service;
  const merchant = await aMerchant(service);
  const roll = dice(20_260_310);
  const cases = new Map<string, Case>();
  const requests: Record<string, unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const given = caseOf(roll);
    // Steps of a day or less over three years would take most of the test's time and prove nothing new.
    const spaced = given.intervalType === 'days' ? { ...given, interval: given.interval + 6 } : given;
    const request = aRecurringRequest(service, {
      schedule: {
        amount: spaced.amountMinor / 100,
        firstChargeDate: new Date(spaced.first).toISOString(),
        interval: spaced.interval,
        intervalType: spaced.intervalType,
        chargeCount: spaced.chargeCount,
        ...(spaced.retries ? { retryIntervals: spaced.retries } : {}),
      },
      paymentInstrument: { value: spaced.value },
    });
    cases.set(request.id, spaced);
    requests.push(request);
  }
  // Some were due before the engine started: they were created while it stood still.
  world.wall.set('2026-02-01T00:00:00Z');
  const answers = await inParallel(requests, 50, (request) => postRecurring(service, merchant, request));
  world.wall.set(new Date(start).toISOString());
  for (const answer of answers) assert.equal(answer.status, 201, answer.text);
  const left = new Left(world);
  const works = [...(await withoutDelivery(world)), left];
  await advance(world, works, { to: Temporal.Instant.fromEpochMilliseconds(stop) });
  await inParallel([...cases], 50, ([id, given]) => help(service, merchant, id, given));
  await advance(world, works, { to: Temporal.Instant.fromEpochMilliseconds(end) });

  const rows = await world.db.sql.many((row) => ({
    recurringId: readText(row, 'recurring_id'),
    text: `${readInteger(row, 'iteration')}.${readInteger(row, 'attempt')} ${new Date(readInstant(row, 'created_at').epochMilliseconds).toISOString()} ${readText(row, 'state')}`,
  }))`select * from charge where purpose = 'recurring' order by recurring_id, iteration, attempt`;
  const happened = Map.groupBy(rows, ({ recurringId }) => recurringId);
  const statuses = new Map(
    await world.db.sql.many(
      (row) => [readText(row, 'id'), readText(row, 'status')] as const,
    )`select id, status from recurring`,
  );
  let paidMinor = 0;
  let attempts = 0;
  let [retriedByHand, restored] = [0, 0];
  for (const [id, given] of cases) {
    const expected = expect(given);
    retriedByHand += expected.retriedByHand ? 1 : 0;
    restored += expected.restored ? 1 : 0;
    assert.deepEqual(
      (happened.get(id) ?? []).map(({ text }) => text),
      expected.attempts,
      JSON.stringify(given),
    );
    assert.equal(statuses.get(id), expected.status, JSON.stringify(given));
    paidMinor += expected.paidMinor;
    attempts += expected.attempts.length;
  }
  assert.equal(await findBalance(world.db.sql, ledgerAccounts.available(merchant.id)), BigInt(paidMinor));
  assert.deepEqual(
    await tellings(world),
    [...cases].flatMap(([id, given]) => expect(given).tellings.map((text) => `${id} ${text}`)).sort(),
  );
  assert.ok(attempts > count * 5, 'the model made enough attempts to mean something');
  assert.ok(retriedByHand > 0 && restored > count / 50, `${retriedByHand} retried by hand, ${restored} restored`);
  // Otherwise each step would read what all previous ones left, and a long move would take quadratic time.
  assert.ok(left.most < attempts / 5, `a step leaves ${left.most} of ${attempts} to those after it`);
  assert.deepEqual(await findProblems(world), []);
  return attempts;
}

// Every sequence of what a bank, an operator and a late callback can do to one payment, refund or payout: after each run
// the books have what the bank has, or an open difference names both amounts. The truth is the bank's record; the books
// are read from the journals, not from the tables of reconciliation. And every sequence in which the bank moves it again on
// another day, which is compared day by day too: the books have one of its lines, and somebody was asked about all of them.

import { type Decision, DecisionFault } from '../../src/banking/index.ts';
import type { Rooms } from '../../src/capabilities.ts';
import { patientTimes, readBigint, readBoolean, readText, readTextOrNull } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { inParallel } from '../../src/runtime/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { inWords } from '../support/findings.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { moveRefunds } from '../support/rooms.ts';
import { aMerchant, aWorld, roomsOf, serve, type TestWorld } from '../support/service.ts';
import { StatementBank } from '../support/statement-bank.ts';
import { findingsOf } from '../support/verify.ts';
import { figureText, isOver, type ProveOptions, type Seen } from './figure.ts';
import {
  amounts,
  choose,
  describe,
  type Event,
  isTheirs,
  length,
  nameOf,
  type Start,
  type Walk,
  walks,
} from './sequence-walks.ts';

const atOnce = 16;

interface Sequence {
  readonly key: string;
  readonly steps: readonly Event[];
}

interface Stage {
  readonly world: TestWorld;
  readonly bank: StatementBank;
  readonly rooms: Rooms;
  readonly kind: 'capture' | 'refund' | 'payout' | 'fee';
  readonly start: Temporal.Instant;
  readonly isDaily: boolean;
}

async function aStage({ start, isDaily }: Walk): Promise<Stage & { keys(count: number): Promise<string[]> }> {
  const base = await aWorld({ times: patientTimes });
  const bank = new StatementBank(() => base.clock.now());
  const world = { ...base, acquirers: acquirersOf(base, bank) };
  const service = await serve(world);
  const kind = isTheirs(start) ? start : start.endsWith('refund') ? 'refund' : 'capture';
  const keys = (count: number) => keysOf(start, { ...service, world }, bank, count);
  const rooms = await roomsOf(service.world);
  return { world, bank, rooms, kind, start: base.clock.now(), isDaily, keys };
}

async function keysOf(
  start: Start,
  service: Awaited<ReturnType<typeof serve>>,
  bank: StatementBank,
  count: number,
): Promise<string[]> {
  const { world } = service;
  const all = Array.from({ length: count });
  if (start.startsWith('unknown')) return all.map(() => world.ids.ulid());
  if (isTheirs(start)) {
    // So much that no payout of a sequence takes the receivable below zero, except the last ones.
    bank.say('capture', 'plenty', 10_000_000_000n);
    return all.map((_, index) => `${start}-${index}`);
  }
  // The clock stands still, so nothing that was spent of a limit comes back.
  const merchant = await aMerchant(service, { requestsPerSecond: 1_000_000 });
  await fund(service, merchant, 100_000_000_000n);
  const isRefund = start.endsWith('refund');
  bank.answers = start === 'open payment' ? 'unknown' : 'approved';
  const paid = await inParallel(all, atOnce, async () => {
    const id = await aTransaction(service, merchant, { amount: isRefund ? 50 : 20 });
    await payBlik(service, merchant, id);
    return id;
  });
  if (!isRefund) {
    const charges = await world.db.sql.many((row) => readText(row, 'id'))`select id from charge order by id`;
    return charges;
  }
  bank.answers = start === 'open refund' ? 'unknown' : 'approved';
  const refunds = await inParallel(paid, atOnce, (id) => aRefund(service, merchant, id, { amount: 20 }));
  world.clock.advance({ seconds: 6 });
  while ((await moveRefunds(world)) > 0);
  bank.answers = 'approved';
  return refunds;
}

/** A difference that somebody has been told of, and that is open, or looked into and acknowledged. */
interface Asked {
  readonly bank: bigint;
  readonly ours: bigint;
  readonly isOpen: boolean;
  readonly isRepeated: boolean;
}

/** The keys that neither agree nor are named, by the bank's lines and what is booked. */
async function listUnnamed(stage: Stage, keys: readonly string[]): Promise<string[]> {
  const { world, bank, kind } = stage;
  const booked = await readBooks(stage);
  const asked = await world.db.sql.many((row) => ({
    key: readText(row, 'key'),
    bank: row.bank_minor === null ? 0n : readBigint(row, 'bank_minor'),
    ours: row.our_minor === null ? 0n : readBigint(row, 'our_minor'),
    isOpen: readBoolean(row, 'is_open'),
    isRepeated: readBoolean(row, 'is_repeated'),
  }))`
    select key, bank_minor, our_minor, state <> 'closed' as is_open, difference = 'repeated' as is_repeated
      from reconciliation_item
     where kind = ${kind} and (state <> 'closed' or difference = 'repeated' and outcome = 'confirmed')`;
  const named = Map.groupBy(asked, ({ key }) => key);
  return keys.flatMap((key) => {
    const [lines, ours] = [bank.minorsOf(kind, key), booked.get(key) ?? 0n];
    if (isNamed(lines, ours, named.get(key) ?? [])) return [];
    return [`${key}: the bank has ${lines.join(' and ') || 0n}, the books ${ours}`];
  });
}

function isNamed(lines: readonly bigint[], ours: bigint, asked: readonly Asked[]): boolean {
  const truth = lines.reduce((sum, minor) => sum + minor, 0n);
  const isDifference = (bank: bigint) =>
    asked.some((one) => one.isOpen && !one.isRepeated && one.bank === bank && one.ours === ours);
  if (lines.length < 2) return truth === ours || isDifference(truth);
  const isAsked = asked.some((one) => one.isRepeated && one.bank === truth);
  return isAsked && lines.some((minor) => minor === ours || isDifference(minor));
}

/** From the journals: by the key, or by the record of a correction that says which key it is about. */
async function readBooks({ world, kind }: Stage): Promise<Map<string, bigint>> {
  const rows = await world.db.sql.many((row) => ({
    key: readTextOrNull(row, 'key') ?? '',
    minor: BigInt(readText(row, 'minor')),
  }))`
    select case when journal.kind = 'payout' then split_part(journal.source, ':', 2) else coalesce(record.key, journal.source) end as key,
           sum(case when ${kind} = 'payout' then case when entry.account = 'bank:client' then entry.amount_minor else 0 end
                    when entry.account = 'acquirer:simulator:receivable'
                    then case when ${kind} in ('refund', 'fee') then -entry.amount_minor else entry.amount_minor end else 0 end)::text as minor
      from entry join journal on journal.id = entry.journal_id
      left join reconciliation_record as record on record.id = journal.source
     where journal.kind <> 'opening' group by 1`;
  return new Map(rows.map(({ key, minor }) => [key, minor]));
}

/** What waits for an operator or the bank, the newest of each key. */
async function listWaiting({ world, kind }: Stage): Promise<ReadonlyMap<string, string>> {
  const rows = await world.db.sql.many((row) => [readText(row, 'key'), readText(row, 'id')] as const)`
    select key, id from reconciliation_item where kind = ${kind} and state in ('parked', 'promised') order by id`;
  return new Map(rows);
}

/** `itemId`: the difference that waits for a decision about the key. */
async function act(stage: Stage, key: string, itemId: string | undefined, event: Event): Promise<void> {
  const { bank, rooms, kind } = stage;
  if (event.who === 'bank') return bank.say(kind, key, event.minor);
  if (event.who === 'bank again') return bank.moveAgain(kind, key, event.minor);
  if (event.who === 'callback') {
    const amount = money(event.minor, 'PLN');
    await (kind === 'capture'
      ? rooms.banking.callback({ kind: 'charge', key, result: { kind: 'approved', amount } }, bank.name)
      : rooms.banking.callback({ kind: 'refund', key, result: { kind: 'approved' } }, bank.name));
    return;
  }
  if (itemId === undefined) return;
  await rooms.reconciliation.parked.decide(itemId, event.decision).catch((error: unknown) => {
    if (!(error instanceof DecisionFault)) throw error;
  });
}

const hoursBetween = 40;

async function run({ world, rooms, start, isDaily }: Stage): Promise<string> {
  while ((await moveRefunds(world)) > 0);
  world.clock.advance({ hours: hoursBetween });
  world.wall.advance({ minutes: 2 });
  if (isDaily) {
    const made = await rooms.reconciliation.reconcile({ from: world.clock.now().subtract({ hours: hoursBetween }) });
    if (made?.state !== 'agreed' && made?.state !== 'differs') return made?.state ?? 'not started';
    world.wall.advance({ minutes: 2 });
  }
  const made = await rooms.reconciliation.reconcile({ from: start.subtract({ seconds: 1 }) });
  return made?.state ?? 'not started';
}

interface Walked {
  readonly sequences: number;
  readonly unnamed: readonly string[];
  readonly problems: readonly string[];
}

async function walk(of: Walk, options: ProveOptions): Promise<Walked> {
  const start = nameOf(of);
  const stage = await aStage(of);
  const steps = choose(of, options);
  const keys = await stage.keys(steps.length);
  const sequences = keys.map((key, index): Sequence => ({ key, steps: steps[index] ?? [] }));
  const unnamed: string[] = [];
  const problems: string[] = [];
  for (let place = 0; place < length && !isOver(options); place += 1) {
    const waiting = await listWaiting(stage);
    await inParallel(sequences, atOnce, async (one) => {
      const event = one.steps[place];
      try {
        if (event) await act(stage, one.key, waiting.get(one.key), event);
      } catch (error) {
        problems.push(`${start} ${describe(one.steps)}: ${String(error)}`);
      }
    });
    const state = await run(stage);
    if (state === 'incomplete' || state === 'not started') problems.push(`${start}, step ${place + 1}: ${state}`);
    const found = await listUnnamed(stage, keys);
    if (found.length > 0 && state === 'agreed') problems.push(`${start}, step ${place + 1}: agreed`);
    const stepsOf = new Map(sequences.map((one) => [one.key, one.steps]));
    unnamed.push(
      ...found.map(
        (one) => `${start} ${describe(stepsOf.get(one.split(':', 1)[0] ?? '') ?? [])} after ${place + 1}: ${one}`,
      ),
    );
  }
  problems.push(...(await settleAll(stage, keys)));
  problems.push(...inWords(await findingsOf(stage.world)));
  return { sequences: sequences.length, unnamed, problems };
}

/** In the end the operator believes the bank, and that it repeats itself: then the books have what the bank has. */
async function settleAll(stage: Stage, keys: readonly string[]): Promise<string[]> {
  const { world, rooms, bank, kind } = stage;
  for (let round = 0; round < 4; round += 1) {
    const open = await world.db.sql.many((row) => ({
      id: readText(row, 'id'),
      minor: row.minor === null ? 0n : readBigint(row, 'minor'),
    }))`
      select id, case when difference = 'repeated' then our_minor else bank_minor end as minor from reconciliation_item
       where state = 'parked' and kind = ${kind}`;
    if (open.length === 0 && round > 0) break;
    await inParallel(open, atOnce, async ({ id, minor }) => {
      const decision: Decision = minor === 0n ? 'not-captured' : { capturedMinor: minor };
      await rooms.reconciliation.parked.decide(id, decision).catch((error: unknown) => {
        if (!(error instanceof DecisionFault)) throw error;
      });
    });
    await run(stage);
  }
  const booked = await readBooks(stage);
  return keys.flatMap((key) => {
    const [lines, ours] = [bank.minorsOf(kind, key), booked.get(key) ?? 0n];
    if (lines.includes(ours) || (lines.length === 0 && ours === 0n)) return [];
    return [`${key} in the end: the bank has ${lines.join(' and ') || 0n}, the books ${ours}`];
  });
}

/** The figure. */
export async function proveSequences(options: ProveOptions, chosen: readonly Walk[] = walks): Promise<Seen[]> {
  const walked: Walked[] = [];
  for (const of of chosen) {
    const one = await walk(of, options);
    walked.push(one);
    options.print(
      `${nameOf(of)}: ${figureText(one.sequences)} sequences, ${one.unnamed.length} unnamed, ${one.problems.length} problems`,
    );
    for (const note of [...one.unnamed, ...one.problems].slice(0, 5)) options.print(`  ${note}`);
  }
  const sum = (of: (one: Walked) => number) => walked.reduce((all, one) => all + of(one), 0);
  const goal = walks.reduce((all, of) => all + of.events.length ** length, 0);
  const [unnamed, problems, sequences] = [
    sum((one) => one.unnamed.length),
    sum((one) => one.problems.length),
    sum((one) => one.sequences),
  ];
  return [
    {
      figure: 'sequences of bank, operator and late callback that leave books and bank apart and unnamed',
      goal: `0 of ${figureText(goal)} of length ${length} over ${amounts.length} amounts`,
      seen: `${unnamed} of ${figureText(sequences)}, ${problems} problems`,
      met: unnamed === 0 && problems === 0 && sequences > 0,
    },
  ];
}

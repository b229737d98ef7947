// Every sequence of what a bank, an operator and a late callback can do to one payment, refund or payout: after each run
// the books have what the bank has, or an open difference names both amounts. The truth is the bank's record; the books
// are read from the journals, not from the tables of reconciliation.

import { type Decision, DecisionFault } from '../../src/banking/index.ts';
import type { Rooms } from '../../src/capabilities.ts';
import { patientTimes, readBigint, readText, readTextOrNull } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { inParallel } from '../../src/runtime/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { inWords } from '../support/findings.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { moveRefunds } from '../support/rooms.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, aWorld, roomsOf, serve, type TestWorld } from '../support/service.ts';
import { StatementBank } from '../support/statement-bank.ts';
import { findingsOf } from '../support/verify.ts';
import { figureText, isOver, type ProveOptions, type Seen } from './figure.ts';

const length = 4;
const amounts = [2_000n, 500n, 700n] as const;
const atOnce = 16;
/** At least so many of each kind, however small the scale. */
const leastOfEach = 60;

type Event =
  | { readonly who: 'bank'; readonly minor: bigint | undefined }
  | { readonly who: 'operator'; readonly decision: Decision }
  | { readonly who: 'callback'; readonly minor: bigint };

const events: readonly Event[] = [
  ...[...amounts, undefined].map((minor) => ({ who: 'bank', minor }) as const),
  ...amounts.map((capturedMinor) => ({ who: 'operator', decision: { capturedMinor } }) as const),
  { who: 'operator', decision: 'not-captured' },
  ...amounts.map((minor) => ({ who: 'callback', minor }) as const),
];

/** What a sequence begins with. */
type Start =
  | 'open payment'
  | 'paid payment'
  | 'unknown capture'
  | 'open refund'
  | 'paid refund'
  | 'unknown refund'
  | 'payout'
  | 'fee';
const starts: readonly Start[] = [
  'open payment',
  'paid payment',
  'unknown capture',
  'open refund',
  'paid refund',
  'unknown refund',
  'payout',
  'fee',
];

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
}

/** What only the acquirer knows: no callback says anything about it. */
function isTheirs(start: Start): start is 'payout' | 'fee' {
  return start === 'payout' || start === 'fee';
}

/** All sequences by number, or as many of them as the scale says, drawn by the seed. */
function choose(start: Start, { scale, seed }: ProveOptions): readonly Event[][] {
  const own = isTheirs(start) ? events.filter(({ who }) => who !== 'callback') : events;
  const count = own.length ** length;
  const wanted = Math.min(count, Math.max(leastOfEach, Math.round(count * scale)));
  const draws = new Seeded(`${seed} ${start}`);
  const numbers =
    wanted === count
      ? Array.from({ length: count }, (_, number) => number)
      : Array.from({ length: wanted }, () => draws.below(count));
  return numbers.map((number) =>
    Array.from({ length }, (_, place) => own[Math.floor(number / own.length ** place) % own.length] as Event),
  );
}

async function aStage(start: Start): Promise<Stage & { keys(count: number): Promise<string[]> }> {
  const base = await aWorld({ times: patientTimes });
  const bank = new StatementBank(() => base.clock.now());
  const world = { ...base, acquirers: acquirersOf(base, bank) };
  const service = await serve(world);
  const kind = isTheirs(start) ? start : start.endsWith('refund') ? 'refund' : 'capture';
  const keys = (count: number) => keysOf(start, { ...service, world }, bank, count);
  const rooms = await roomsOf(service.world);
  return { world, bank, rooms, kind, start: base.clock.now(), keys };
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

/** The bank's amount of everything that it names, by kind and key, and what is booked. */
async function listUnnamed(stage: Stage, keys: readonly string[]): Promise<string[]> {
  const { world, bank, kind } = stage;
  const booked = await readBooks(stage);
  const open = await world.db.sql.many((row) => ({
    key: readText(row, 'key'),
    bank: row.bank_minor === null ? 0n : readBigint(row, 'bank_minor'),
    ours: row.our_minor === null ? 0n : readBigint(row, 'our_minor'),
  }))`select key, bank_minor, our_minor from reconciliation_item where state <> 'closed' and kind = ${kind}`;
  const named = Map.groupBy(open, ({ key }) => key);
  return keys.flatMap((key) => {
    const [truth, ours] = [bank.minorOf(kind, key) ?? 0n, booked.get(key) ?? 0n];
    if (truth === ours) return [];
    const isNamed = named.get(key)?.some((item) => item.bank === truth && item.ours === ours);
    return isNamed ? [] : [`${key}: the bank has ${truth}, the books ${ours}`];
  });
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

async function run(stage: Stage): Promise<string> {
  while ((await moveRefunds(stage.world)) > 0);
  stage.world.clock.advance({ hours: 40 });
  stage.world.wall.advance({ minutes: 2 });
  const made = await stage.rooms.reconciliation.reconcile({ from: stage.start.subtract({ seconds: 1 }) });
  return made?.state ?? 'not started';
}

interface Walked {
  readonly sequences: number;
  readonly unnamed: readonly string[];
  readonly problems: readonly string[];
}

async function walk(start: Start, options: ProveOptions): Promise<Walked> {
  const stage = await aStage(start);
  const steps = choose(start, options);
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

/** In the end the operator believes the bank about everything: then the books have what the bank has. */
async function settleAll(stage: Stage, keys: readonly string[]): Promise<string[]> {
  const { world, rooms, bank, kind } = stage;
  for (let round = 0; round < 4; round += 1) {
    const open = await world.db.sql.many((row) => ({ id: readText(row, 'id'), key: readText(row, 'key') }))`
      select id, key from reconciliation_item where state = 'parked' and kind = ${kind}`;
    if (open.length === 0 && round > 0) break;
    await inParallel(open, atOnce, async ({ id, key }) => {
      const minor = bank.minorOf(kind, key);
      const decision: Decision = minor === undefined ? 'not-captured' : { capturedMinor: minor };
      await rooms.reconciliation.parked.decide(id, decision).catch((error: unknown) => {
        if (!(error instanceof DecisionFault)) throw error;
      });
    });
    await run(stage);
  }
  const booked = await readBooks(stage);
  return keys.flatMap((key) => {
    const [truth, ours] = [bank.minorOf(kind, key) ?? 0n, booked.get(key) ?? 0n];
    return truth === ours ? [] : [`${key} in the end: the bank has ${truth}, the books ${ours}`];
  });
}

function describe(steps: readonly Event[]): string {
  return steps
    .map((event) => {
      if (event.who === 'bank') return `bank ${event.minor ?? 'nothing'}`;
      if (event.who === 'callback') return `callback ${event.minor}`;
      return event.decision === 'not-captured' ? event.decision : `captured ${event.decision.capturedMinor}`;
    })
    .join(', ');
}

/** The figure. */
export async function proveSequences(options: ProveOptions, chosen: readonly Start[] = starts): Promise<Seen[]> {
  const walked: Walked[] = [];
  for (const start of chosen) {
    const one = await walk(start, options);
    walked.push(one);
    options.print(
      `${start}: ${figureText(one.sequences)} sequences, ${one.unnamed.length} unnamed, ${one.problems.length} problems`,
    );
    for (const note of [...one.unnamed, ...one.problems].slice(0, 5)) options.print(`  ${note}`);
  }
  const sum = (of: (one: Walked) => number) => walked.reduce((all, one) => all + of(one), 0);
  const goal = (starts.length - 2) * events.length ** length + 2 * (events.length - amounts.length) ** length;
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

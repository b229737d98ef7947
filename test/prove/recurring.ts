// Charges of the recurring engine captured twice, or never made: at a bank that misbehaves, with merchants who
// interfere and nodes that race; and with real workers killed with -9 in mid-charge. The bank's own record decides.

import { readInteger, readText } from '../../src/database/index.ts';
import { pause, systemClock } from '../../src/runtime/index.ts';
import { findProblems } from '../support/invariants.ts';
import { settleAll } from '../support/payments.ts';
import { type Running, startGrosz } from '../support/process.ts';
import { anOverdueRecurring } from '../support/recurring.ts';
import {
  countCharges,
  drawFaults,
  listMissed,
  playRecurring,
  type RecurringStage,
  untilDecided,
} from '../support/recurring-scenario.ts';
import { Seeded } from '../support/seeded.ts';
import { aFolder, aMerchant, aNode, aService, type Service, type TestMerchant } from '../support/service.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalCharges = 200_000;
const goalKills = 25;
const recurringsOfOneService = 1_500;
const hoursOfOneService = 24 * 12;
const goesOnWithinSeconds = 20;

async function openStage(draw: Seeded): Promise<RecurringStage> {
  const service = await aService({ random: draw });
  const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  return { service, nodes: [service.world, await aNode(service.world)], merchant, draw };
}

interface Wrong {
  readonly twice: string[];
  readonly undecided: string[];
  readonly problems: string[];
}

/** Services one after another, each with other merchants, faults and random numbers. */
async function play(options: ProveOptions, goal: number): Promise<Wrong & { charges: number }> {
  const wrong: Wrong = { twice: [], undecided: [], problems: [] };
  let charges = 0;
  for (let service = 0; charges < goal && !isOver(options); service += 1) {
    const stage = await openStage(new Seeded(`${options.seed} recurring ${service}`));
    const { world } = stage.service;
    world.bank.setFaults(drawFaults(stage.draw));
    const recurrings = Math.min(recurringsOfOneService, Math.max(20, Math.ceil((goal - charges) / 8)));
    await playRecurring(stage, recurrings, hoursOfOneService);
    wrong.undecided.push(...(await untilDecided(stage)));
    await settleAll(world);
    const counted = await countCharges(world);
    wrong.problems.push(...(await findProblems(world)));
    wrong.twice.push(...counted.twice);
    charges += counted.charges;
    options.print(`${figureText(charges)} of ${figureText(goal)} charges`);
  }
  return { ...wrong, charges };
}

export interface WorkersSeen {
  readonly kills: number;
  readonly charges: number;
  readonly twice: readonly string[];
  /** Due iterations without an attempt, and attempts that are neither decided nor parked. */
  readonly missed: readonly string[];
  readonly problems: readonly string[];
  /** From a kill until everything that was open then was decided. */
  readonly slowestMilliseconds: number;
}

class Workers {
  readonly #service: Service;
  readonly #dataDir: string;
  readonly #running = new Set<Running>();

  constructor(service: Service, dataDir: string) {
    this.#service = service;
    this.#dataDir = dataDir;
  }

  async start(): Promise<Running> {
    const { databaseUrl, bankFile, vaultKey } = this.#service.world;
    const worker = startGrosz(['work'], {
      DATABASE_URL: databaseUrl,
      BANK_FILE: bankFile,
      VAULT_KEYS: `test:${Buffer.from(vaultKey).toString('base64')}`,
      DATA_DIR: this.#dataDir,
      LOG_LEVEL: 'error',
    });
    await worker.until(/The Grosz engine is running/);
    this.#running.add(worker);
    return worker;
  }

  async kill(worker: Running): Promise<void> {
    worker.kill('SIGKILL');
    await worker.ended;
    this.#running.delete(worker);
  }

  async stop(): Promise<void> {
    for (const worker of this.#running) await worker.stop();
  }
}

const chargesOfEach = 2;

/** Two charges each, all overdue; some of them slow, so that there is always a charge in flight. */
async function makeRecurrings(service: Service, merchant: TestMerchant, count: number, draw: Seeded): Promise<void> {
  const firstChargeDate = service.world.clock
    .now()
    .subtract({ hours: 24 * 10 })
    .toString();
  const schedule = { interval: 1, intervalType: 'days', chargeCount: chargesOfEach, retryIntervals: [] };
  for (let made = 0; made < count; made += 1) {
    const value = draw.of(['tok', 'slow', 'slow', 'slow-lost-answer', 'unreachable']);
    await anOverdueRecurring(service, merchant, firstChargeDate, schedule, { value });
  }
}

async function openKeys({ world }: Service): Promise<string[]> {
  return world.db.sql.many((row) => readText(row, 'transaction_id'))`
    select transaction_id from charge where purpose = 'recurring' and settled_at is null`;
}

/** Milliseconds until all of these are decided. */
async function untilSettled(
  { world }: Service,
  keys: readonly string[],
  deadlineMilliseconds: number,
): Promise<number> {
  const started = performance.now();
  for (;;) {
    const left = await world.db.sql.one((row) => readInteger(row, 'left'))`
      select count(*)::integer as left from charge
       where id = any(${keys}::text[]) and settled_at is null and parked_at is null`;
    const passed = performance.now() - started;
    if (left === 0 || passed > deadlineMilliseconds) return passed;
    await pause(50);
  }
}

async function until(isSo: () => Promise<boolean>, milliseconds: number): Promise<void> {
  for (const started = performance.now(); !(await isSo()) && performance.now() - started < milliseconds; )
    await pause(20);
}

/**
 * Three real workers on one database and one bank. Two are killed in mid-charge, the third continues; then they are
 * replaced.
 */
export async function killWorkers(
  { recurrings, kills, seed }: { recurrings: number; kills: number; seed: string },
  onKill: (kill: number) => boolean = () => true,
): Promise<WorkersSeen> {
  const draw = new Seeded(seed);
  const service = await aService();
  const { world } = service;
  // The workers are real and use the real time.
  for (const clock of [world.clock, world.wall]) clock.set(systemClock.now().toString());
  const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  const workers = new Workers(service, await aFolder());
  let slowestMilliseconds = 0;
  let done = 0;
  try {
    let survivor = await workers.start();
    while (done < kills) {
      const victims = [survivor, await workers.start()];
      survivor = await workers.start();
      await makeRecurrings(service, merchant, Math.ceil(recurrings / kills), draw);
      await until(async () => (await openKeys(service)).length > 0, 20_000);
      await pause(draw.below(2_000));
      await Promise.all(victims.map((victim) => workers.kill(victim)));
      const open = await openKeys(service);
      slowestMilliseconds = Math.max(slowestMilliseconds, await untilSettled(service, open, 60_000));
      done += 1;
      if (!onKill(done)) break;
    }
    await until(async () => (await dueOrOpen(service)) === 0, 120_000);
  } finally {
    await workers.stop();
  }
  world.clock.set(systemClock.now().toString());
  const missed = await listMissed(world);
  await settleAll(world);
  const { charges, twice } = await countCharges(world);
  return { kills: done, charges, twice, missed, problems: await findProblems(world), slowestMilliseconds };
}

function dueOrOpen({ world }: Service): Promise<number> {
  return world.db.sql.one((row) => readInteger(row, 'left'))`
    select ((select count(*) from recurring where status = 'active') +
            (select count(*) from charge where purpose = 'recurring' and settled_at is null and parked_at is null))::integer as left`;
}

/** The figures: recurring charges captured twice; due iterations never made; differences between the records. */
export async function proveRecurring(options: ProveOptions): Promise<Seen[]> {
  const { charges, twice, undecided, problems } = await play(options, scaled(goalCharges, options));
  for (const note of [...twice, ...undecided, ...problems].slice(0, 10)) options.print(`  ${note}`);
  return [
    noneOf('recurring charges captured twice', twice.length, charges, goalCharges),
    {
      figure: 'due iterations neither attempted nor parked',
      goal: '0',
      seen: String(undecided.length),
      met: undecided.length === 0,
    },
    {
      figure: 'differences between bank, books and events of recurring payments',
      goal: '0',
      seen: String(problems.length),
      met: problems.length === 0,
    },
  ];
}

/** The figures: the same with real workers killed in mid-charge, and how long it takes until their charges continue. */
export async function proveWorkers(options: ProveOptions): Promise<Seen[]> {
  const kills = Math.max(2, Math.round(goalKills * Math.sqrt(options.scale)));
  const seen = await killWorkers({ recurrings: kills * 60, kills, seed: options.seed }, (kill) => {
    options.print(`kill ${kill} of ${kills}`);
    return !isOver(options);
  });
  const notes = [...seen.twice, ...seen.missed, ...seen.problems];
  for (const note of notes.slice(0, 10)) options.print(`  ${note}`);
  const seconds = seen.slowestMilliseconds / 1_000;
  return [
    {
      figure: 'charges captured twice, missed or told differently after kill -9 of workers in mid-charge',
      goal: '0',
      seen: `${notes.length} of ${figureText(seen.charges)} over ${figureText(seen.kills)} kills`,
      met: notes.length === 0,
    },
    {
      figure: "time until killed workers' charges go on",
      goal: `at most ${goesOnWithinSeconds} s`,
      seen: `${Math.round(seconds)} s`,
      met: seconds <= goesOnWithinSeconds,
    },
  ];
}

// Checks runs, differences, decisions and payouts against their chain of records and against the books, for
// `grosz verify`. Reads in pages.

import type { Finding } from '../../contract/codes/findings.ts';
import { headProblems, type Sql, type Verifying } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import { isOverlong } from '../runtime/index.ts';
import { verifyCompared } from './behind.ts';
import { isAsDecided } from './give-back.ts';
import type { Run, StepRecord } from './model.ts';
import { verifyNoted } from './noted.ts';
import {
  chainStart,
  contentOfItem,
  contentOfLine,
  contentOfPayout,
  contentOfRun,
  contentOfStart,
  minorIn,
  recordChain,
  recordHash,
} from './record.ts';
import { reconciledJournals, reconciledSums } from './store/founded.ts';
import { listLinesAfter } from './store/lines.ts';
import { listChain, listDecidedReturns } from './store/records.ts';
import {
  listAstray,
  listBookings,
  listItemsAfter,
  listLastOfItems,
  listLastOfRuns,
  listLineBookings,
  listLost,
  listMisbooked,
  listPayoutsAfter,
  listReturns,
  listRunsAfter,
  listSuspended,
} from './store/verify.ts';
import type { ReconciliationTools } from './tools.ts';

const readAtOnce = 1_000;
const problemsAtMost = 100;

/** A journal follows its record at once, unless the clock of a sandbox is moved meanwhile. */
const tolerances = {
  live: Temporal.Duration.from({ minutes: 1 }),
  sandbox: Temporal.Duration.from({ hours: 25 }),
} as const;

/** Each run, difference or payout that its records or the books contradict. */
export async function verifyReconciliation(
  { acquirers, config, vault, wall }: Pick<ReconciliationTools, 'acquirers' | 'config' | 'vault' | 'wall'>,
  verifying: Verifying,
): Promise<Finding[]> {
  const { sql, books } = verifying;
  return [
    ...(await verifyChain(sql)),
    ...(await headProblems(vault, sql, 'reconciliation', recordChain(sql))),
    ...(await stillWrong(() => verifyRuns(sql, wall.now()))),
    ...(await stillWrong(() => verifyItems(sql))),
    ...(await stillWrong(() => verifyPayouts(sql))),
    ...(await stillWrong(() => verifyLines(sql))),
    // Whoever verifies every hour reads the changes; this reads all.
    ...(verifying.since ? [] : await verifyNoted({ vault }, sql)),
    ...(await verifyCompared(
      sql,
      acquirers.list.map(({ acquirer }) => acquirer.name),
    )),
    ...(await listLost(sql, problemsAtMost)),
    ...(await listMisbooked(sql, problemsAtMost)),
    ...(await listAstray(sql, problemsAtMost)),
    ...(await stillWrong(() => listSuspended(sql, problemsAtMost))),
    ...(await verifyFounded(verifying, reconciledJournals(tolerances[config.mode]))),
    ...(books ? await listWrongSums(sql, books, reconciledSums) : []),
  ];
}

/** Rows and records are read one after the other, and a run may be writing both meanwhile: what is wrong stays wrong. */
async function stillWrong(verify: () => Promise<Finding[]>): Promise<Finding[]> {
  const first = new Set((await verify()).map((finding) => JSON.stringify(finding)));
  if (first.size === 0) return [];
  return (await verify()).filter((finding) => first.has(JSON.stringify(finding)));
}

/** The first place where the chain is broken. */
async function verifyChain(sql: Sql): Promise<Finding[]> {
  let before: Uint8Array = chainStart;
  let position = 0n;
  for (;;) {
    const records = await listChain(sql, position, readAtOnce);
    for (const record of records) {
      const parameters = { position: `${position + 1n}` };
      if (record.position !== position + 1n) return [{ code: 'reconciliation_record_missing', parameters }];
      const hash = recordHash(before, record);
      if (!hash.equals(record.hash)) return [{ code: 'reconciliation_record_changed', parameters }];
      [before, position] = [hash, record.position];
    }
    if (records.length < readAtOnce) return [];
  }
}

/** A run takes minutes: one that began so long ago has died, and nothing was compared since. */
const runsAtMost = Temporal.Duration.from({ hours: 24 });

function isStuck({ state, startedAt, leaseUntil }: Run, now: Temporal.Instant): boolean {
  if (state !== 'running') return false;
  return Temporal.Instant.compare(startedAt.add(runsAtMost), now) < 0 || isOverlong(leaseUntil, now);
}

async function verifyRuns(sql: Sql, now: Temporal.Instant): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (let after = ''; ; ) {
    const runs = await listRunsAfter(sql, after, readAtOnce);
    const ids = runs.map(({ run }) => run.id);
    const last = new Map((await listLastOfRuns(sql, ids)).map((record) => [record.runId, record]));
    for (const { run, totals } of runs) {
      const record = last.get(run.id);
      const isRunning = run.state === 'running';
      const content = isRunning ? contentOfStart(run) : contentOfRun(run, totals);
      const step = isRunning ? 'run_started' : 'run_ended';
      if (!says(record, step, content) || (isRunning && totals.length > 0)) problems.push(changed('run', run.id));
      if (isStuck(run, now)) {
        const parameters = { id: run.id, since: run.startedAt.toString() };
        problems.push({ code: 'reconciliation_stuck', parameters });
      }
    }
    const end = ids.at(-1);
    if (end === undefined || runs.length < readAtOnce || problems.length >= problemsAtMost) return problems;
    after = end;
  }
}

async function verifyItems(sql: Sql): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (let after = ''; ; ) {
    const items = await listItemsAfter(sql, after, readAtOnce);
    const ids = items.map(({ id }) => id);
    const last = new Map((await listLastOfItems(sql, ids)).map((record) => [record.itemId, record]));
    for (const item of items) {
      if (last.get(item.id)?.content !== contentOfItem(item)) problems.push(changed('difference', item.id));
    }
    problems.push(...(await verifyReturns(sql, ids)));
    const end = ids.at(-1);
    if (end === undefined || items.length < readAtOnce || problems.length >= problemsAtMost) return problems;
    after = end;
  }
}

/** What goes back, or went, is what was decided. */
async function verifyReturns(sql: Sql, itemIds: readonly string[]): Promise<Finding[]> {
  const returns = await listReturns(sql, itemIds);
  if (returns.length === 0) return [];
  const subjects = returns.map(({ subjectId }) => subjectId);
  const decided = new Map((await listDecidedReturns(sql, subjects)).map((record) => [record.itemId, record]));
  return returns.flatMap((outgoing): Finding[] => {
    const { id, subjectId, amountMinor } = outgoing;
    const record = decided.get(subjectId);
    if (record && isAsDecided(outgoing, record)) return [];
    const minor = record && minorIn(record.content, 'bankMinor');
    const parameters = { id, amount: Number(amountMinor), decided: minor ? Number(minor) : null };
    return [{ code: 'return_not_decided', parameters }];
  });
}

/** What is booked for a payout may have been corrected; who it is about, and when, stays. */
async function verifyPayouts(sql: Sql): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (let after = { acquirer: '', key: '' }; ; ) {
    const payouts = await listPayoutsAfter(sql, after, readAtOnce);
    const bookings = await listBookings(
      sql,
      payouts.map(({ key }) => key),
    );
    const booked = new Map(bookings.map((record) => [`${record.acquirer}:${record.key}`, record.content]));
    for (const payout of payouts) {
      const id = `${payout.acquirer}:${payout.key}`;
      const content = booked.get(id);
      const amountMinor = minorIn(content ?? '', 'amountMinor') ?? 0n;
      const feeMinor = minorIn(content ?? '', 'feeMinor') ?? 0n;
      const first = { ...payout, amountMinor, feeMinor };
      if (content !== contentOfPayout(first)) problems.push(changed('payout', id));
    }
    const end = payouts.at(-1);
    if (!end || payouts.length < readAtOnce || problems.length >= problemsAtMost) return problems;
    after = end;
  }
}

/** The same for lines of the acquirer's own. */
async function verifyLines(sql: Sql): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (let after = { acquirer: '', kind: '', key: '' }; ; ) {
    const lines = await listLinesAfter(sql, after, readAtOnce);
    const bookings = await listLineBookings(
      sql,
      lines.map(({ key }) => key),
    );
    const idOf = ({ acquirer, kind, key }: Pick<StepRecord, 'acquirer' | 'kind' | 'key'>) =>
      `${acquirer}:${kind}:${key}`;
    const booked = new Map(bookings.map((record) => [idOf(record), record.content]));
    for (const line of lines) {
      const content = booked.get(idOf(line));
      const first = { ...line, amountMinor: minorIn(content ?? '', 'amountMinor') ?? 0n };
      if (content !== contentOfLine(first)) problems.push(changed('line', idOf(line)));
    }
    const end = lines.at(-1);
    if (!end || lines.length < readAtOnce || problems.length >= problemsAtMost) return problems;
    after = end;
  }
}

function says(record: StepRecord | undefined, step: StepRecord['step'], content: string): boolean {
  return record?.step === step && record.content === content;
}

function changed(kind: 'run' | 'difference' | 'payout' | 'line', id: string): Finding {
  return { code: 'reconciliation_row_changed', parameters: { kind, id } };
}

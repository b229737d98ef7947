// Keeps the sums of the panel: reads the ledger in the order of its seals, so that each journal is read once, and adds
// what it means for each account. No payment waits for this.

import type { Finding, findings } from '../../../contract/codes/findings.ts';
import type { ParametersOf } from '../../../contract/codes/message.ts';
import { findingsAtMost, type Sql, type Verifying, verifyPages } from '../../database/index.ts';
import { localText } from '../../kernel/index.ts';
import { journalPages } from '../../ledger/index.ts';
import { mapInTurns, type Waiting } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { lockProgress, updateProgress } from '../progress/store.ts';
import {
  addToDays,
  type DayRow,
  findSealedTo,
  findUnread,
  findZoneChange,
  insertMoves,
  listCounted,
  listDays,
  listMisreadMoves,
  listMissummed,
  listMovesAlone,
  type QuarterSums,
  resetDays,
} from './store.ts';
import { sumsOf } from './sums.ts';

export const countedAtOnce = 5_000;

/** Reads the next journals; returns how many seals. One node at a time. */
export function countMoves({ db }: Pick<Tools, 'db'>, atMost = countedAtOnce): Promise<number> {
  return db.atomic(async (sql) => {
    const after = await lockProgress(sql, 'journals');
    if (after === undefined) return 0;
    const again = await countZoneAgain(sql);
    const to = await findSealedTo(sql, after, atMost);
    if (to === after) return again;
    const days = await daysOf(await insertMoves(sql, after, to));
    if (days.length > 0) await addToDays(sql, days);
    await updateProgress(sql, 'journals', to);
    return Number(to - after) + again;
  });
}

/** The days of one account whose time zone changed, from all of its moves; returns how many accounts. */
async function countZoneAgain(sql: Sql): Promise<number> {
  const accountId = await findZoneChange(sql);
  if (accountId === undefined) return 0;
  const days = await daysOf(await resetDays(sql, accountId));
  if (days.length > 0) await addToDays(sql, days);
  return 1;
}

/** By day of the account's zone. The zone is read here and not by the database, whose zones may be of another year. */
async function daysOf(quarters: readonly QuarterSums[]): Promise<DayRow[]> {
  const days = new Map<string, DayRow>();
  await mapInTurns(quarters, ({ quarter, zone, ...sums }) => {
    const day = localText(quarter, zone).slice(0, 10);
    const key = `${sums.accountId} ${day}`;
    const before = days.get(key);
    if (before) days.set(key, { ...before, ...sumsOf([before, sums]) });
    else days.set(key, { ...sums, day: Temporal.PlainDate.from(day) });
  });
  return [...days.values()];
}

/** How far behind the ledger the sums are. */
export function unreadMoves({ db }: Pick<Tools, 'db'>): Promise<Waiting> {
  return findUnread(db.sql);
}

/** Each account whose kept sums contradict the ledger, and each move that is not what its journal means. */
export async function verifyCounts(verifying: Verifying): Promise<Finding[]> {
  if (verifying.since) return [];
  const misread = await verifyPages(verifying, journalPages, async (page) =>
    (await listMisreadMoves(verifying.sql, page)).map(wrongMove),
  );
  return [...misread, ...(await verifySums(verifying.sql))];
}

async function verifySums(sql: Sql): Promise<Finding[]> {
  const missummed = await listMissummed(sql, findingsAtMost);
  const days = await listWrongDays(sql);
  const alone = await listMovesAlone(sql, findingsAtMost);
  return [
    ...missummed.map((parameters): Finding => ({ code: 'sums_wrong', parameters })),
    ...days.map((accountId): Finding => ({ code: 'days_wrong', parameters: { accountId } })),
    ...alone.map(wrongMove),
  ];
}

function wrongMove(parameters: ParametersOf<typeof findings.move_wrong>): Finding {
  return { code: 'move_wrong', parameters };
}

const quartersOfDay = 96;
const quartersAtOnce = 50_000;

/** Accounts with a day that is not the sum of its moves, a number of accounts at a time that fits into memory. */
async function listWrongDays(sql: Sql): Promise<string[]> {
  const wrong: string[] = [];
  let [some, quarters]: [string[], number] = [[], 0];
  const compare = async () => {
    if (some.length > 0) wrong.push(...(await wrongOf(sql, some)));
    [some, quarters] = [[], 0];
  };
  for (const { accountId, days } of await listCounted(sql)) {
    some.push(accountId);
    quarters += (days + 1) * quartersOfDay;
    if (quarters >= quartersAtOnce) await compare();
  }
  await compare();
  return wrong.slice(0, findingsAtMost);
}

async function wrongOf(sql: Sql, accountIds: readonly string[]): Promise<string[]> {
  const { days, quarters } = await listDays(sql, accountIds);
  const kept = await byText(days);
  const counted = await byText(await daysOf(quarters));
  const differing = [
    ...[...kept].filter(([text]) => !counted.has(text)),
    ...[...counted].filter(([text]) => !kept.has(text)),
  ];
  return [...new Set(differing.map(([, accountId]) => accountId))];
}

/** The accounts of days, each by all that its day says. */
async function byText(days: readonly DayRow[]): Promise<Map<string, string>> {
  const textOf = ({ accountId, day, ...sums }: DayRow) =>
    `${accountId} ${day} ${Object.values(sumsOf([sums])).join(' ')}`;
  return new Map(await mapInTurns(days, (day) => [textOf(day), day.accountId] as const));
}

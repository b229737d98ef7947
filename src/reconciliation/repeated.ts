// Lines that statements name more than once. Each key is compared once; whether the bank repeats itself or moved the
// money again only the bank can say, so it is a difference until an operator has asked.

import { planByHash, type Sql } from '../database/index.ts';
import { applyChanges } from './apply.ts';
import { newItem } from './changes.ts';
import { isPromiseOver, totalOf } from './judge.ts';
import { isKeyed } from './kinds.ts';
import type { Change, Item, Moved, Run } from './model.ts';
import { accountsOf } from './name.ts';
import { noting } from './noted.ts';
import { promiseBroken, whyOf } from './rules.ts';
import { inRun } from './run.ts';
import { listBooked } from './store/books.ts';
import type { Page } from './store/compare.ts';
import { listUnseenRepeated, lockRepeated, updateSeen } from './store/items.ts';
import {
  type Again,
  listRepeated,
  type NotedPage,
  notePage,
  type OfRun,
  type Repeated,
  unmark,
} from './store/named.ts';
import { listPaidOut } from './store/payouts.ts';
import type { ReconciliationTools } from './tools.ts';

const keysAtOnce = 500;

/**
 * Notes what the last page of a statement names, and marks what is not compared. What the bank did not have any more, and
 * names once more for another time, is compared: nothing is booked for it, or a difference says that it was gone.
 */
export function notePageOf(
  tools: Pick<ReconciliationTools, 'vault'>,
  sql: Sql,
  run: OfRun,
  page: Pick<Page, 'after' | 'until'>,
): Promise<NotedPage> {
  return noting(tools, sql, run.acquirer, () => noteIn(sql, run, page));
}

async function noteIn(sql: Sql, run: OfRun, page: Pick<Page, 'after' | 'until'>): Promise<NotedPage> {
  const noted = await notePage(sql, run, page);
  const once: Again[] = [];
  const again = noted.again.filter(({ wasGone }) => !wasGone);
  for (const [kind, some] of Map.groupBy(again, (one) => one.kind)) {
    const booked = await listBookedKeys(sql, run, kind, some);
    once.push(...some.filter(({ key }) => !booked.has(key)));
  }
  const named = [...once, ...noted.again.filter(({ wasGone }) => wasGone)];
  if (named.length === 0) return noted;
  const { digest } = await unmark(sql, run, page, named);
  const { lines, digest: added } = noted.change;
  return { ...noted, repeated: noted.repeated - once.length, change: { lines, digest: added + digest } };
}

/** Those for which something is in the books. */
async function listBookedKeys(
  sql: Sql,
  { acquirer }: OfRun,
  kind: Moved,
  lines: readonly Again[],
): Promise<ReadonlySet<string>> {
  if (!isKeyed(kind)) {
    return listPaidOut(
      sql,
      acquirer,
      lines.map(({ key }) => key),
    );
  }
  const booked = await listBooked(sql, acquirer, kind, lines, accountsOf(acquirer, kind));
  return new Set([...booked].flatMap(([key, sums]) => (totalOf(sums) === 0n ? [] : [key])));
}

export interface NamedRepeated {
  readonly found: number;
  /** Keys that nobody has looked into, and the first of them. */
  readonly open: { readonly count: number; readonly first: string };
}

/** Names what the lines of a run repeat; closes what a complete statement repeats no more. */
export async function nameRepeated(tools: ReconciliationTools, run: Run, isComplete: boolean): Promise<NamedRepeated> {
  let [found, count, first] = [0, 0, ''];
  for (let after: Pick<Repeated, 'kind' | 'key'> | undefined = undefined; ; ) {
    const page: readonly Repeated[] = await readPage(tools, run, after);
    if (page.length > 0) {
      const named = await inRun(tools, run, (sql) => nameIn(tools, sql, run, page));
      found += named.found;
      count += named.open.length;
      first ||= named.open[0] ?? '';
    }
    if (page.length < keysAtOnce) break;
    after = page.at(-1);
  }
  found += await inRun(tools, run, (sql) => reviewUnseen(tools, sql, run, isComplete));
  return { found, open: { count, first } };
}

function readPage(
  { db }: ReconciliationTools,
  run: Run,
  after: Pick<Repeated, 'kind' | 'key'> | undefined,
): Promise<readonly Repeated[]> {
  return db.atomic(async (sql) => {
    await planByHash(sql);
    return listRepeated(sql, run, after, keysAtOnce);
  });
}

async function nameIn(
  tools: ReconciliationTools,
  sql: Sql,
  run: Run,
  page: readonly Repeated[],
): Promise<{ readonly found: number; readonly open: readonly string[] }> {
  const items = await lockRepeated(
    sql,
    run.acquirer,
    page.map(({ key }) => key),
  );
  const byKey = Map.groupBy(items, ({ kind, key }) => `${kind} ${key}`);
  const context = { run, now: tools.clock.now(), newId: () => tools.ids.ulid() };
  const judged = page.map((one) => ({
    ...judge(context, one, byKey.get(`${one.kind} ${one.key}`) ?? []),
    key: one.key,
  }));
  const seen = judged.flatMap(({ seenId }) => seenId ?? []);
  if (seen.length > 0) await updateSeen(sql, seen, run.id);
  const changes = judged.flatMap(({ change }) => change ?? []);
  await applyChanges(tools, sql, changes, run.id);
  return { found: changes.length, open: judged.filter((one) => !one.isAcknowledged).map(({ key }) => key) };
}

interface Context {
  readonly run: Run;
  readonly now: Temporal.Instant;
  newId(): string;
}

interface Judged {
  readonly change?: Change;
  /** The open item that is as it was. */
  readonly seenId?: string;
  readonly isAcknowledged?: boolean;
}

/** Of the items about a key, the newest counts. */
function judge({ run, now, newId }: Context, repeated: Repeated, items: readonly Item[]): Judged {
  const { kind, key, ...amounts } = repeated;
  const last = items.at(-1);
  const isSame =
    last !== undefined &&
    last.bankMinor === amounts.bankMinor &&
    last.bankAt?.equals(amounts.bankAt) === true &&
    last.bankFeeMinor === amounts.bankFeeMinor &&
    last.ourMinor === amounts.ourMinor;
  if (!last || last.state === 'closed') {
    if (isSame && last.outcome === 'confirmed') return { isAcknowledged: true };
    const item = newItem(run, { id: newId(), kind, key, difference: 'repeated', ...amounts, foundAt: now });
    return { change: { item, isNew: true, step: 'found' } };
  }
  const isBroken = last.state === 'promised' && isPromiseOver(last, now);
  if (isSame && !isBroken) return { seenId: last.id };
  const next: Item = { ...last, ...amounts, seenRunId: run.id, state: 'parked' };
  return { change: changed(next, isBroken && isSame) };
}

function changed(item: Item, isBroken: boolean): Change {
  const why = isBroken ? promiseBroken(item) : whyOf(item);
  return { item: { ...item, why, promisedAt: isBroken ? item.promisedAt : null }, isNew: false, step: 'changed' };
}

/** What this run did not come across is over if its lines would have been in the statement. Returns how many are named again. */
async function reviewUnseen(tools: ReconciliationTools, sql: Sql, run: Run, isComplete: boolean): Promise<number> {
  const now = tools.clock.now();
  const changes = (await listUnseenRepeated(sql, run.acquirer, run.id)).flatMap(({ item, seenUntil }): Change[] => {
    const isCovered =
      item.bankAt !== null &&
      Temporal.Instant.compare(run.fromAt, item.bankAt) <= 0 &&
      Temporal.Instant.compare(run.toAt, seenUntil) >= 0;
    const seen = { ...item, seenRunId: run.id };
    if (isCovered && isComplete) {
      const closed = { ...seen, state: 'closed', closedAt: now, outcome: 'corrected_by_bank' } as const;
      return [{ item: closed, isNew: false, step: 'closed' }];
    }
    const isBroken = item.state === 'promised' && isPromiseOver(item, now);
    return isBroken ? [changed({ ...item, state: 'parked' }, true)] : [];
  });
  await applyChanges(tools, sql, changes, run.id);
  return changes.filter(({ item }) => item.state !== 'closed').length;
}

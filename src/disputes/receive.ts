// What the acquirer says about a dispute, by a message or by a line of its statement.

import type { Callback, DisputeNews } from '../acquirer/index.ts';
import type { Sql } from '../database/index.ts';
import { Unavailable } from '../kernel/index.ts';
import type { About, News, Unclaimed } from './model.ts';
import { afterNews, claimed } from './rules.ts';
import { applyStep, type DisputeTools, lockAround } from './step.ts';
import { type DisputedCharge, findCharge, lockDispute, updateDisputes } from './store/disputes.ts';
import { lockUnclaimed, updateClaimed } from './store/unclaimed.ts';
import { hear, hearIn, saidOfAnother } from './unclaimed.ts';

type DisputeCallback = Extract<Callback, { kind: 'dispute' }>;

const triesAtMost = 5;

/** Durable when it resolves, also if nobody here has the charge, or not yet. A repeat changes nothing. */
export async function receiveNews(tools: DisputeTools, callback: DisputeCallback, acquirer: string): Promise<true> {
  await untilDone(() => receive(tools, callback, acquirer));
  return true;
}

/** Begins a dispute that waited for its charge, which was paid by now. */
export function claim(tools: DisputeTools, { acquirer, key, chargeKey }: About, charge: DisputedCharge): Promise<void> {
  const about = { acquirer, key, chargeKey };
  return untilDone(() => tools.db.atomic((sql) => settleIn(tools, sql, about, charge)));
}

/** Something may come in between, and then it begins again. */
async function untilDone(attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await attempt()); tries += 1) {
    if (tries === triesAtMost) throw new Unavailable('service_unavailable');
  }
}

/** False: the charge was paid meanwhile, or a refund came in between. */
async function receive(
  tools: DisputeTools,
  { key, moved, result }: DisputeCallback,
  acquirer: string,
): Promise<boolean> {
  const { chargeKey } = result;
  const about = { acquirer, key, chargeKey };
  const news = newsOf(result, moved === true);
  const charge = await findCharge(tools.db.sql, chargeKey);
  if (charge?.state === 'correct' && charge.acquirer === acquirer) {
    return tools.db.atomic((sql) => settleIn(tools, sql, about, charge, news));
  }
  if (charge && charge.acquirer !== acquirer) {
    tools.log.error({ ...about, of: charge.acquirer }, 'a callback is about a charge of another acquirer');
  }
  return hear(tools, { ...about, currency: result.amount.currency }, news);
}

function newsOf({ kind, amount, reason, respondUntil, at }: DisputeNews, isMoved: boolean): News {
  return { stage: kind, amountMinor: amount.minor, reason, respondUntil, at: at ?? null, isMoved };
}

function heardNews({ state, amountMinor, reason, respondUntil, saidAt }: Unclaimed): News {
  return { stage: state, amountMinor, reason, respondUntil, at: saidAt, isMoved: false };
}

/** Of a charge that was paid. Without news it begins as it was heard. False: a refund came in between. */
async function settleIn(
  tools: DisputeTools,
  sql: Sql,
  about: About,
  charge: DisputedCharge,
  said?: News,
): Promise<boolean> {
  const locked = await lockAround(sql, about, charge);
  if (!locked) return false;
  const before = await lockDispute(sql, about.acquirer, about.key);
  if (before && before.chargeId !== about.chargeKey) return saidOfAnother(tools, about, before.chargeId);
  const heard = await lockUnclaimed(sql, about.acquirer, about.key);
  // What was heard of another charge is not this one's; and an operator may have decided who bears it.
  if (heard && !before && (heard.lostMinor !== 0n || !(await isAbout(sql, heard, about, said)))) {
    return said === undefined || hearIn(tools, sql, { ...about, currency: heard.currency }, said);
  }
  const news = said ?? (heard && heardNews(heard));
  if (!news) return true;
  if (heard && (!said || !before)) await updateClaimed(sql, heard.id, tools.clock.now());
  const decided = heard && !before ? claimed(heard, news) : afterNews(before, news);
  if (decided.kind === 'contradicted') {
    tools.log.error(
      { ...about, stage: news.stage },
      'a dispute had ended in another way: what is newer must say since when',
    );
  }
  if (decided.kind === 'noted' && before) await updateDisputes(sql, { ...before, ...decided.facts });
  if (decided.kind === 'step') await applyStep(tools, sql, locked, before, decided);
  return true;
}

/** Whether what was heard is of this charge: also if nobody has the one that was named, and the acquirer's statement corrects it. */
async function isAbout(sql: Sql, heard: Unclaimed, { chargeKey }: About, said: News | undefined): Promise<boolean> {
  if (heard.chargeKey === chargeKey) return true;
  return said?.isMoved === true && (await findCharge(sql, heard.chargeKey)) === undefined;
}

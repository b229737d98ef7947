// What news about a dispute changes. Pure (docs/decisions/0034).

import type { Decided, Dispute, Facts, News, Unclaimed } from './model.ts';

/** How long to wait before an operator is asked, or verify names it: as long as a payment may be open. */
export const patience = Temporal.Duration.from({ hours: 72 });

/** Banks decide within this time after the last step; an acquirer may take the money only once they have decided. */
export const decidedWithin = Temporal.Duration.from({ hours: 90 * 24 });

/** How long operators may wait for an acquirer to correct its statement before verify names it again. */
export const correctedWithin = Temporal.Duration.from({ hours: 30 * 24 });

/** The effect of news about a dispute; `before` undefined: nobody has heard of it yet. */
export function afterNews(before: Facts | undefined, news: News): Decided {
  const isNothing = news.isMoved && news.amountMinor === 0n;
  if (!before) return isNothing ? { kind: 'none' } : { kind: 'step', step: news.stage, facts: begun(news) };
  // If nothing was given back after all, the dispute is not won.
  if (isNothing && news.stage === 'won' && before.state !== 'won') return { kind: 'none' };
  const ended = news.stage === 'opened' ? before : afterEnd(before, news);
  if (!ended) return { kind: 'contradicted' };
  const facts = noted(withAmounts(ended, news), news);
  if (facts.state !== before.state) return { kind: 'step', step: facts.state, facts };
  const isSame = facts.amountMinor === before.amountMinor && facts.returnedMinor === before.returnedMinor;
  if (!isSame) return { kind: 'step', step: 'changed', facts };
  return isKnown(before, facts) ? { kind: 'none' } : { kind: 'noted', facts };
}

/** One that ended before anybody heard of it has ended. */
function begun({ stage, amountMinor, reason, respondUntil, at }: News): Facts {
  const returnedMinor = stage === 'won' ? amountMinor : 0n;
  const until = stage === 'opened' ? respondUntil : null;
  return { state: stage, amountMinor, returnedMinor, reason, respondUntil: until, saidAt: at };
}

/** The first end counts, and then a later one. Undefined: it had ended in the other way, and this is not newer. */
function afterEnd(before: Facts, { stage, at }: News): Facts | undefined {
  if (before.state === stage) return before;
  if (before.state !== 'opened' && !isLater(at, before.saidAt)) return undefined;
  const returnedMinor = stage === 'won' ? before.amountMinor : 0n;
  return { ...before, state: stage, returnedMinor, respondUntil: null, saidAt: at ?? before.saidAt };
}

function isLater(at: Temporal.Instant | null, saidAt: Temporal.Instant | null): boolean {
  if (at === null) return false;
  return saidAt === null || Temporal.Instant.compare(at, saidAt) > 0;
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const notBelowZero = (minor: bigint) => (minor < 0n ? 0n : minor);

/** A message says what is disputed; what moved, the statement says. */
function withAmounts(facts: Facts, { stage, amountMinor, isMoved }: News): Facts {
  if (!isMoved) return facts;
  if (stage === 'won') return { ...facts, returnedMinor: least(amountMinor, facts.amountMinor) };
  const isWhole = facts.state === 'won' && facts.returnedMinor === facts.amountMinor;
  const returnedMinor = isWhole ? amountMinor : least(facts.returnedMinor, amountMinor);
  return { ...facts, amountMinor, returnedMinor };
}

/** The reason, and the time for evidence while it is open: a line of the statement has neither. */
function noted(facts: Facts, { reason, respondUntil, isMoved }: News): Facts {
  if (isMoved) return facts;
  const until = facts.state === 'opened' ? respondUntil : facts.respondUntil;
  return { ...facts, reason: reason === '' ? facts.reason : reason, respondUntil: until };
}

function isKnown(before: Facts, after: Facts): boolean {
  const [until, untilNow] = [before.respondUntil?.epochNanoseconds, after.respondUntil?.epochNanoseconds];
  return before.reason === after.reason && until === untilNow;
}

/** A dispute that was heard of before its charge was paid, as it begins; with what was said since. */
export function claimed(waiting: Facts, news: News): Decided {
  const decided = afterNews(waiting, news);
  const facts = 'facts' in decided ? decided.facts : waiting;
  const until = facts.state === 'opened' ? facts.respondUntil : null;
  return { kind: 'step', step: facts.state, facts: { ...facts, respondUntil: until } };
}

/** Whether an operator is to say who bears it: we bear what was decided, and nobody else does. */
export function isToPark(
  unclaimed: Pick<Unclaimed, 'amountMinor' | 'returnedMinor' | 'lostMinor' | 'parkAt' | 'parkedAt'>,
  now: Temporal.Instant,
): boolean {
  if (unclaimed.parkedAt !== null || isOurs(unclaimed)) return false;
  return Temporal.Instant.compare(unclaimed.parkAt, now) <= 0;
}

/**
 * Whether we bear all that is disputed. What the acquirer gave back beyond what it took (a negative loss) is ours too,
 * and not disputed.
 */
export function isOurs(unclaimed: Pick<Unclaimed, 'amountMinor' | 'returnedMinor' | 'lostMinor'>): boolean {
  return borneOf(unclaimed) === notBelowZero(unclaimed.lostMinor);
}

/** What accounts bear of it. */
export function borneOf({ amountMinor, returnedMinor }: Pick<Facts, 'amountMinor' | 'returnedMinor'>): bigint {
  return amountMinor - returnedMinor;
}

/** Of what we bear, what the payer's money covers: all that there is for it, unless we bear less. */
export function coveredOf(lostMinor: bigint, coveredMinor: bigint): bigint {
  return least(coveredMinor, notBelowZero(lostMinor));
}

/**
 * What disputes take from money of their payer that is not sent: one after the other, as far as it goes. All of each is
 * decided by that.
 */
export function covered<One extends Facts & Pick<Unclaimed, 'lostMinor' | 'coveredMinor'>>(
  disputes: readonly One[],
  minor: bigint,
): One[] {
  let left = minor;
  return disputes.map((dispute) => {
    const lostMinor = borneOf(dispute);
    const added = least(left, lostMinor - dispute.coveredMinor);
    left -= added;
    return { ...dispute, lostMinor, coveredMinor: dispute.coveredMinor + added };
  });
}

/** What the payer gets beyond what was paid: by refunds that are not held, and by disputes. */
export function overpaid(paidMinor: bigint, goingMinor: bigint, disputedMinor: bigint): boolean {
  return disputedMinor > 0n && goingMinor + disputedMinor > paidMinor;
}

/** How a dispute is settled if the acquirer's lines stand as they are. */
export interface AsKept {
  /** What is disputed then; undefined: as before. */
  readonly facts: Facts | undefined;
  /** What we bear in addition to the accounts. */
  readonly lostMinor: bigint;
  /** By how much the amounts differed. */
  readonly offMinor: bigint;
}

/** Accounts get back what the acquirer has not kept, and never bear more because an operator says so: the rest is our loss. */
export function asKept(dispute: Facts & Pick<Dispute, 'lostMinor'>, keptMinor: bigint): AsKept {
  const { state, amountMinor, returnedMinor, reason, respondUntil, saidAt, lostMinor } = dispute;
  const before = borneOf(dispute);
  const borne = least(notBelowZero(keptMinor), before);
  const offMinor = keptMinor - before - lostMinor;
  const amounts =
    state === 'won' ? { amountMinor, returnedMinor: amountMinor - borne } : { amountMinor: borne, returnedMinor };
  const facts = borne === before ? undefined : { state, reason, respondUntil, saidAt, ...amounts };
  return { facts, lostMinor: keptMinor - borne, offMinor };
}

/** The same for a dispute that nobody claimed and that is our loss: what is disputed becomes what the acquirer has kept. */
export function asLost<One extends Facts>(unclaimed: One, keptMinor: bigint): One {
  const borne = notBelowZero(keptMinor);
  if (unclaimed.state !== 'won') return { ...unclaimed, amountMinor: borne };
  const amountMinor = unclaimed.amountMinor < borne ? borne : unclaimed.amountMinor;
  return { ...unclaimed, amountMinor, returnedMinor: amountMinor - borne };
}

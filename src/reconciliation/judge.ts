// What the bank says about a key against everything that is booked for it. Pure.

import { isOwnKind } from './kinds.ts';
import type { Booked, Difference, Facts, Item, KnownItems } from './model.ts';

/**
 * `apply`: the room of the payment or refund settles it, as if the bank had just reported it. `follow`: nobody here asked
 * for it, so the books follow the statement, and it waits for an operator. `book`: the acquirer takes it by itself, and the
 * books follow the statement the first time. `revert`: the bank has what our rooms have, so
 * what reconciliation booked besides is taken back. `promised`: the bank still has time to correct it. `outdated`: its row
 * is read again, because what is booked was read later.
 */
export type Verdict =
  | { readonly kind: 'outdated' }
  | { readonly kind: 'agrees' | 'apply' | 'follow' | 'book' | 'revert' | 'promised' }
  | { readonly kind: 'name'; readonly difference: Exclude<Difference, 'repeated' | 'total'> };

/** One that something follows from. */
export type Conclusion = Exclude<Verdict, { readonly kind: 'outdated' }>;

/** How long the bank has to keep a promise. */
const patience = Temporal.Duration.from({ hours: 72 });

export function totalOf({ ownMinor, correctedMinor }: Booked): bigint {
  return (ownMinor ?? 0n) + (correctedMinor ?? 0n);
}

export function judge(facts: Facts, booked: Booked, known: KnownItems, now: Temporal.Instant): Verdict {
  const total = totalOf(booked);
  const bank = facts.bankMinor ?? 0n;
  if (!isOwnKind(facts.kind) && !isChargeSettled(facts, known) && (booked.ownMinor === null || total === bank)) {
    return { kind: 'name', difference: 'other_charge' };
  }
  if (isForRoom(facts, booked)) return { kind: 'apply' };
  if (total === bank) return judgeCharge(facts, known, judgeRows(facts, booked, known), now);
  if (isStillPromised(facts, total, known, now)) return { kind: 'promised' };
  // While it goes back to the payer, that has to end first.
  if (booked.ownMinor !== null && booked.ownMinor === bank && !isReturning(known)) return { kind: 'revert' };
  if (facts.bankMinor === null) return { kind: 'name', difference: 'not_at_bank' };
  if (isOwnKind(facts.kind)) {
    const isNew = booked.correctedMinor === null && facts.row === null;
    if (!isNew) return { kind: 'name', difference: 'other_amount' };
    return isExplained(facts) ? { kind: 'book' } : { kind: 'name', difference: 'not_booked' };
  }
  if (isNobodys(facts, booked) && !isReturning(known) && !wasReturned(known)) return { kind: 'follow' };
  return { kind: 'name', difference: 'other_amount' };
}

/** Of a dispute, what moved is booked first: whose charge it was of, an operator finds out. */
function judgeCharge(facts: Facts, known: KnownItems, rows: Verdict, now: Temporal.Instant): Verdict {
  if (rows.kind !== 'agrees' || isChargeSettled(facts, known)) return rows;
  if (isStillPromised(facts, facts.bankMinor ?? 0n, known, now)) return { kind: 'promised' };
  return { kind: 'name', difference: 'other_charge' };
}

function isChargeSettled(facts: Facts, known: KnownItems): boolean {
  return facts.isSameCharge || isAcknowledged('other_charge', facts, known);
}

/** No more of a payout comes back than was paid out. */
function isExplained({ kind, bankMinor, askedMinor }: Facts): boolean {
  return kind !== 'payout_returned' || (askedMinor !== null && (bankMinor ?? 0n) <= askedMinor);
}

/** A room takes a result with the amount that it asked for, once. */
function isForRoom({ row, askedMinor, bankMinor, isApplied }: Facts, { ownMinor }: Booked): boolean {
  return !isApplied && ownMinor === null && (row === 'open' || row === 'ended') && askedMinor === bankMinor;
}

/** The amounts agree; do the rows? */
function judgeRows(facts: Facts, { ownMinor, correctedMinor }: Booked, known: KnownItems): Verdict {
  const isWhole = facts.row === 'moved' && facts.isWhole;
  const isThere =
    ownMinor !== null
      ? isWhole
      : correctedMinor === null || (isOwnKind(facts.kind) ? isWhole : known.open.length + known.closed.length > 0);
  if (isThere || isAcknowledged('row_missing', facts, known)) return { kind: 'agrees' };
  return isSettledMeanwhile(facts, ownMinor) ? { kind: 'outdated' } : { kind: 'name', difference: 'row_missing' };
}

function isSettledMeanwhile({ row, isReadAgain }: Facts, ownMinor: bigint | null): boolean {
  return ownMinor !== null && (row === 'open' || row === 'ended') && !isReadAgain;
}

/** A closed difference is not named again while the amounts, and the charges, are those that it was closed with. */
function isAcknowledged(difference: Difference, facts: Facts, { closed }: KnownItems): boolean {
  return closed.some(
    (item) =>
      item.difference === difference &&
      item.outcome === 'confirmed' &&
      item.bankMinor === facts.bankMinor &&
      isOfSameCharges(item, facts),
  );
}

function isStillPromised(facts: Facts, total: bigint, { open }: KnownItems, now: Temporal.Instant): boolean {
  const promised = open.find(({ state }) => state === 'promised');
  if (promised === undefined || isPromiseOver(promised, now)) return false;
  return isSame(promised, facts.bankMinor, total) && isOfSameCharges(promised, facts);
}

/** Whether a difference is about these charges; always if it is about something else. */
export function isOfSameCharges(
  { difference, ...item }: Pick<Item, 'difference' | 'chargeKey' | 'ourChargeKey'>,
  { chargeKey, ourChargeKey }: Pick<Facts, 'chargeKey' | 'ourChargeKey'>,
): boolean {
  return difference !== 'other_charge' || (item.chargeKey === chargeKey && item.ourChargeKey === ourChargeKey);
}

/** Whether the difference is the one that it was. */
export function isSame(
  item: Pick<Item, 'bankMinor' | 'ourMinor'>,
  bankMinor: bigint | null,
  ourMinor: bigint,
): boolean {
  return (item.bankMinor ?? 0n) === (bankMinor ?? 0n) && (item.ourMinor ?? 0n) === ourMinor;
}

export function isPromiseOver({ promisedAt }: Pick<Item, 'promisedAt'>, now: Temporal.Instant): boolean {
  return promisedAt !== null && Temporal.Instant.compare(promisedAt.add(patience), now) <= 0;
}

/** No room of ours has it in the books, or will have: one that is open asks the bank itself. */
function isNobodys({ row }: Facts, { ownMinor }: Booked): boolean {
  return ownMinor === null && row !== 'open';
}

function isReturning({ open }: KnownItems): boolean {
  return open.some(({ state }) => state === 'returning');
}

function wasReturned({ closed }: KnownItems): boolean {
  return closed.some(({ outcome }) => outcome === 'returned' || outcome === 'disputed');
}

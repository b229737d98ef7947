// What a verdict about a key changes: differences that are named, kept, closed, and what is booked for them. Pure.

import type { Currency } from '../kernel/index.ts';
import { type Conclusion, isOfSameCharges, isPromiseOver, isSame, totalOf } from './judge.ts';
import { isOwnKind, isSuspense, signOf } from './kinds.ts';
import type { Booked, Change, Difference, Facts, Item, KnownItems, Moves, Outcome, Run } from './model.ts';
import { bookedAtOnce, corrected, followed, promiseBroken, whyOf } from './rules.ts';

export const currency: Currency = 'PLN';

export interface Judged {
  readonly facts: Facts;
  readonly booked: Booked;
  readonly known: KnownItems;
  readonly verdict: Conclusion;
}

export interface Context {
  readonly run: Run;
  readonly now: Temporal.Instant;
  newId(): string;
}

export interface Steps {
  readonly changes: readonly Change[];
  /** Open items that are as they were. */
  readonly seen: readonly string[];
  readonly isFound: boolean;
  /** What is booked without a difference. */
  readonly booking?: Moves | undefined;
}

/** What a verdict changes. */
export function changesOf(context: Context, judged: Judged): Steps {
  const { facts, booked, known, verdict } = judged;
  const { kind } = facts;
  const bank = facts.bankMinor ?? 0n;
  switch (verdict.kind) {
    case 'apply':
      return { changes: [], seen: [], isFound: false };
    case 'agrees':
      return settled(context, judged);
    case 'promised':
      return { changes: [], seen: known.open.map(({ id }) => id), isFound: false };
    case 'revert':
      return reverted(context, judged);
    case 'book':
      return {
        changes: [
          ...known.open.map((item) => closed(context, item, 'booked', { ...facts, ourMinor: bank })),
          ...(isSuspense(kind) ? [found(context, facts, 'suspended', bank)] : []),
          ...(facts.isSameCharge ? [] : [found(context, facts, 'other_charge', bank)]),
        ],
        seen: [],
        isFound: isSuspense(kind) || !facts.isSameCharge,
        booking: isOwnKind(kind) ? bookedAtOnce(kind, bank) : undefined,
      };
    case 'follow': {
      const moves = isOwnKind(kind) ? undefined : followed(kind, bank - totalOf(booked));
      return named(context, judged, 'not_booked', bank, moves && { step: 'followed', moves });
    }
    case 'name':
      return named(context, judged, verdict.difference, totalOf(booked));
  }
}

/** Bank and books agree: what was open is over, except what nobody here asked for. */
function settled(context: Context, { facts, booked, known }: Judged): Steps {
  const isOver = (item: Item) =>
    item.state !== 'returning' &&
    !isBeyondLookup(item, facts) &&
    !isHeld(item) &&
    (item.difference !== 'not_booked' || booked.ownMinor !== null || facts.bankMinor === null);
  const over = known.open.filter(isOver);
  const isBroken = (item: Item) => isHeld(item) && item.state === 'promised' && isPromiseOver(item, context.now);
  const broken = known.open.filter(isBroken);
  return {
    changes: [
      ...over.map((item) => closed(context, item, outcomeOf(item, booked), { ...facts, ourMinor: totalOf(booked) })),
      ...broken.map((item): Change => {
        const again = { state: 'parked', why: promiseBroken(item), seenRunId: context.run.id } as const;
        return { item: { ...item, ...again }, isNew: false, step: 'changed' };
      }),
    ],
    seen: known.open.filter((item) => !isOver(item) && !isBroken(item)).map(({ id }) => id),
    isFound: broken.length > 0 || over.some((item) => outcomeOf(item, booked) === 'settled_by_payment'),
  };
}

/** What nobody knows is in suspense, however much of it there is: only a decision ends that. */
function isHeld({ difference }: Item): boolean {
  return difference === 'suspended';
}

/** A lookup by key says only the amount: which charge was given back, and whose rows are missing, a line shows. */
function isBeyondLookup({ difference }: Item, { bankMinor, bankAt }: Facts): boolean {
  return (difference === 'other_charge' || difference === 'row_missing') && bankMinor !== null && bankAt === null;
}

function outcomeOf({ difference }: Item, { ownMinor }: Booked): Outcome {
  if (difference === 'not_at_bank') return 'named_later';
  return difference === 'not_booked' && ownMinor !== null ? 'settled_by_payment' : 'corrected_by_bank';
}

/** The bank has what our rooms have: what reconciliation booked besides is taken back, and said. */
function reverted(context: Context, { facts, booked, known }: Judged): Steps {
  const bank = facts.bankMinor ?? 0n;
  const moves = corrected(facts.kind, bank - totalOf(booked), booked);
  const [first, ...others] = known.open;
  const outcome: Outcome = first?.difference === 'not_booked' ? 'settled_by_payment' : 'named_later';
  const seen = { ...facts, ourMinor: bank };
  const item = first ?? itemOf(context, facts, 'other_amount', totalOf(booked));
  return {
    changes: [
      { ...closed(context, item, outcome, seen), isNew: first === undefined, step: 'reverted', moves },
      ...others.map((other) => closed(context, other, outcome, seen)),
    ],
    seen: [],
    // Also if it is a capture that nobody knew: the rows that have appeared since may be made up.
    isFound: true,
  };
}

interface Seen {
  readonly bankMinor: bigint | null;
  readonly bankAt: Temporal.Instant | null;
  readonly ourMinor: bigint;
}

function closed({ run, now }: Context, item: Item, outcome: Outcome, { bankMinor, bankAt, ourMinor }: Seen): Change {
  const seen = { seenRunId: run.id, bankMinor: bankMinor ?? item.bankMinor, bankAt: bankAt ?? item.bankAt, ourMinor };
  return { item: { ...item, ...seen, state: 'closed', closedAt: now, outcome }, isNew: false, step: 'closed' };
}

/** A difference that is new, still there, or there with other amounts. */
function named(
  context: Context,
  { facts, known }: Judged,
  difference: Difference,
  ourMinor: bigint,
  booking?: Pick<Change, 'step' | 'moves'> | undefined,
): Steps {
  const { run, now } = context;
  const same = known.open.find((item) => item.difference === difference);
  const others = known.open.filter(
    (item) => item !== same && item.state !== 'returning' && !isBeyondLookup(item, facts) && !isHeld(item),
  );
  const overtaken = others.map((item) => closed(context, item, 'changed', { ...facts, ourMinor }));
  const going = known.open.filter(
    (item) => item !== same && item.state === 'returning' && !isSame(item, facts.bankMinor ?? item.bankMinor, ourMinor),
  );
  const kept = going.map((item): Change => {
    const amounts = { bankMinor: facts.bankMinor ?? item.bankMinor, ourMinor, seenRunId: run.id };
    return { item: { ...item, ...amounts }, isNew: false, step: 'changed' };
  });
  if (!same) {
    const change = { ...found(context, facts, difference, ourMinor), ...booking };
    return { changes: [...overtaken, ...kept, change], seen: held(known), isFound: true };
  }
  const isChanged = !isSame(same, facts.bankMinor, ourMinor) || !isOfSameCharges(same, facts) || booking !== undefined;
  const isBroken = same.state === 'promised' && isPromiseOver(same, now);
  if (!isChanged && !isBroken) {
    return { changes: [...overtaken, ...kept], seen: [same.id, ...held(known)], isFound: false };
  }
  const { bankMinor, bankAt } = facts;
  const charges = chargesOf(facts, difference);
  const seen = { seenRunId: run.id, ...charges, bankMinor, bankAt: bankAt ?? same.bankAt, ourMinor };
  const next: Item = { ...same, ...seen, state: same.state === 'returning' ? 'returning' : 'parked' };
  const item = {
    ...next,
    why: isBroken ? promiseBroken(same) : whyOf(next),
    promisedAt: isBroken ? same.promisedAt : null,
  };
  return {
    changes: [...overtaken, ...kept, { item, isNew: false, step: 'changed', ...booking }],
    seen: held(known),
    isFound: true,
  };
}

function held({ open }: KnownItems): string[] {
  return open.filter(isHeld).map(({ id }) => id);
}

function found(context: Context, facts: Facts, difference: Difference, ourMinor: bigint): Change {
  return { item: itemOf(context, facts, difference, ourMinor), isNew: true, step: 'found' };
}

function itemOf({ run, now, newId }: Context, facts: Facts, difference: Difference, ourMinor: bigint): Item {
  const { kind, key, bankMinor, bankAt } = facts;
  const what = difference === 'suspended' ? (facts.what ?? '') : null;
  const about = { kind, key, difference, ...chargesOf(facts, difference), what };
  return newItem(run, { id: newId(), ...about, bankMinor, bankAt, ourMinor, foundAt: now });
}

function chargesOf({ chargeKey, ourChargeKey }: Facts, difference: Difference) {
  return difference === 'other_charge' ? { chargeKey, ourChargeKey } : { chargeKey: null, ourChargeKey: null };
}

type NewItem = Pick<Item, 'id' | 'kind' | 'key' | 'difference' | 'bankMinor' | 'bankAt' | 'ourMinor' | 'foundAt'> &
  Partial<Pick<Item, 'chargeKey' | 'ourChargeKey' | 'what' | 'bankFeeMinor' | 'ourFeeMinor' | 'why'>>;

export function newItem(run: Run, found: NewItem): Item {
  return {
    chargeKey: null,
    ourChargeKey: null,
    what: null,
    bankFeeMinor: 0n,
    ourFeeMinor: 0n,
    why: whyOf(found),
    ...found,
    runId: run.id,
    seenRunId: run.id,
    acquirer: run.acquirer,
    currency,
    state: 'parked',
    promisedAt: null,
    closedAt: null,
    outcome: null,
  };
}

/** What is booked for the key afterwards. */
export function bookedAfter({ facts, booked, changes, booking }: Judged & Steps): bigint {
  const owed = changes.reduce((sum, { moves }) => sum + (moves?.receivableMinor ?? 0n), booking?.receivableMinor ?? 0n);
  return totalOf(booked) + signOf(facts.kind) * owed;
}

/** Only an open difference explains anything. */
export function explainedBy(one: Judged & Steps): bigint {
  const isOpen = one.seen.length > 0 || one.changes.some(({ item }) => item.state !== 'closed');
  return isOpen ? (one.facts.bankMinor ?? 0n) - bookedAfter(one) : 0n;
}

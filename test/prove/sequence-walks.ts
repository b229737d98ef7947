// Which sequences there are: what a bank, an operator and a late callback can do, and what a sequence begins with.

import type { Decision } from '../../src/banking/index.ts';
import { Seeded } from '../support/seeded.ts';
import type { ProveOptions } from './figure.ts';

export const length = 4;
export const amounts = [2_000n, 500n, 700n] as const;
/** At least so many of each kind, however small the scale. */
const leastOfEach = 60;

export type Event =
  | { readonly who: 'bank'; readonly minor: bigint | undefined }
  /** It moves once more, with that amount; undefined: with the same. */
  | { readonly who: 'bank again'; readonly minor: bigint | undefined }
  | { readonly who: 'operator'; readonly decision: Decision }
  | { readonly who: 'callback'; readonly minor: bigint };

const events: readonly Event[] = [
  ...[...amounts, undefined].map((minor) => ({ who: 'bank', minor }) as const),
  ...amounts.map((capturedMinor) => ({ who: 'operator', decision: { capturedMinor } }) as const),
  { who: 'operator', decision: 'not-captured' },
  ...amounts.map((minor) => ({ who: 'callback', minor }) as const),
];

const operatorSays = (minor: bigint) => ({ who: 'operator', decision: { capturedMinor: minor } }) as const;

const eventsOfAgain: readonly Event[] = [
  ...[2_000n, 500n, undefined].map((minor) => ({ who: 'bank', minor }) as const),
  ...[undefined, 700n].map((minor) => ({ who: 'bank again', minor }) as const),
  // One of its lines; all of them.
  ...[2_000n, 700n, 4_000n].map(operatorSays),
  { who: 'operator', decision: 'not-captured' },
];

const toldByBoth = [
  'open payment',
  'paid payment',
  'unknown capture',
  'open refund',
  'paid refund',
  'unknown refund',
] as const;
/** What only the acquirer knows: no callback says anything about it. */
const theirs = ['payout', 'fee'] as const;

/** What a sequence begins with. */
export type Start = (typeof toldByBoth | typeof theirs)[number];

export interface Walk {
  readonly start: Start;
  readonly events: readonly Event[];
  /** Every run of everything comes after one of what moved since the last. */
  readonly isDaily: boolean;
}

export const walks: readonly Walk[] = [
  ...toldByBoth.map((start) => ({ start, events, isDaily: false })),
  ...theirs.map((start) => ({ start, events: events.filter(({ who }) => who !== 'callback'), isDaily: false })),
  ...(['paid payment', 'paid refund', ...theirs] as const).map((start) => ({
    start,
    events: eventsOfAgain,
    isDaily: true,
  })),
];

export function isTheirs(start: Start): start is 'payout' | 'fee' {
  return start === 'payout' || start === 'fee';
}

/** All sequences by number, or as many of them as the scale says, drawn by the seed. */
export function choose({ start, events: own }: Walk, { scale, seed }: ProveOptions): readonly Event[][] {
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

export function nameOf({ start, isDaily }: Walk): string {
  return isDaily ? `${start}, moved again` : start;
}

export function describe(steps: readonly Event[]): string {
  return steps
    .map((event) => {
      if (event.who === 'bank') return `bank ${event.minor ?? 'nothing'}`;
      if (event.who === 'bank again') return `again ${event.minor ?? 'the same'}`;
      if (event.who === 'callback') return `callback ${event.minor}`;
      return event.decision === 'not-captured' ? event.decision : `captured ${event.decision.capturedMinor}`;
    })
    .join(', ');
}

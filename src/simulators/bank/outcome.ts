// The bank's decisions, by the test values of docs/api.md#test-values and nothing else. Pure: the same input always has
// the same outcome.

import type { BlikAlias, BlikModel, CardData, ChargeRequest, DeclineReason, Instrument } from '../../acquirer/index.ts';
import type { Money } from '../../kernel/index.ts';

/**
 * How a charge starts. `confirms`: the payer goes to the bank's page. `timesOut`: nobody confirms, and the bank gives
 * up.
 */
export type Outcome =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'confirms' }
  | { readonly kind: 'timesOut' }
  /** Already decided, but reported later. */
  | { readonly kind: 'later'; readonly milliseconds: number; readonly reason: DeclineReason | null };

/** How the bank behaves while it responds: encoded in the value of a recurring instrument. */
export interface Manner {
  readonly lostAnswer: boolean;
  readonly slow: boolean;
  readonly unreachable: boolean;
}

const approved: Outcome = { kind: 'approved' };
const confirms: Outcome = { kind: 'confirms' };
const timesOut: Outcome = { kind: 'timesOut' };
const plain: Manner = { lostAnswer: false, slow: false, unreachable: false };

function declined(reason: DeclineReason): Outcome {
  return { kind: 'declined', reason };
}

/** The outcome of a charge whose key is new to the bank. */
export function outcomeOf(
  { instrument, amount, initiator }: Pick<ChargeRequest, 'instrument' | 'amount' | 'initiator'>,
  now: Temporal.Instant,
): Outcome {
  switch (instrument.kind) {
    case 'blik':
      return instrument.code ? outcomeOfBlik(instrument.code.reveal()) : outcomeOfAlias(instrument.aliases);
    case 'card':
      // A card saved by a payment keeps working for recurring charges.
      if (instrument.recurring) return approved;
      return isUsable(instrument.card, now) ? outcomeOfCard(amount, initiator) : declined('instrument invalid');
    case 'fields':
    case 'saved':
      return declined('instrument rejected');
    case 'wallet':
      return isExpired(instrument.card.expiry.reveal(), now)
        ? declined('instrument invalid')
        : outcomeOfWallet(instrument.card.number.reveal());
    case 'recurring':
      return delayed(outcomeOfRecurring(instrument.value.reveal(), instrument.attempt), instrument.blik);
    // The payer goes on at a page of the bank.
    default:
      return confirms;
  }
}

export function mannerOf(instrument: Instrument): Manner {
  if (instrument.kind !== 'recurring') return plain;
  const value = instrument.value.reveal();
  return {
    lostAnswer: value.includes('lost-answer'),
    slow: value.includes('slow'),
    unreachable: value.includes('unreachable'),
  };
}

const blikDelayMilliseconds = 5_000;

const blikOutcomes: Readonly<Record<string, Outcome>> = {
  '777': approved,
  '770': { kind: 'later', milliseconds: blikDelayMilliseconds, reason: null },
  '111': declined('wrong code'),
  '222': declined('insufficient funds'),
  '333': declined('payer rejected'),
  '500': timesOut,
};

function outcomeOfBlik(code: string): Outcome {
  const known = /^\d{6}$/.test(code) ? blikOutcomes[code.slice(0, 3)] : undefined;
  return known ?? declined('wrong code');
}

/** Without a code the alias decides, as the value of a recurring instrument does. */
function outcomeOfAlias([alias]: readonly BlikAlias[]): Outcome {
  return alias ? outcomeOfRecurring(alias.value.reveal(), 1) : declined('instrument invalid');
}

/** By the last digit of the amount in minor units. */
const cardOutcomes: Readonly<Record<string, Outcome>> = {
  '1': approved,
  '3': approved,
  '5': declined('authentication failed'),
  '6': declined('instrument rejected'),
};

/** Without a payer there is no 3-D Secure page. */
function outcomeOfCard(amount: Money, initiator: ChargeRequest['initiator']): Outcome {
  return cardOutcomes[(amount.minor % 10n).toString()] ?? (initiator === 'payer' ? confirms : approved);
}

const walletDelayMilliseconds = 3_000;

/** By the last four digits of the device number. */
const walletOutcomes: Readonly<Record<string, Outcome>> = {
  '0002': declined('instrument rejected'),
  '9995': declined('insufficient funds'),
  '0341': { kind: 'later', milliseconds: walletDelayMilliseconds, reason: null },
};

function outcomeOfWallet(number: string): Outcome {
  return walletOutcomes[number.slice(-4)] ?? approved;
}

function isUsable(card: CardData, now: Temporal.Instant): boolean {
  return isCardNumber(card.number.reveal()) && !isExpired(card.expiry.reveal(), now);
}

/** 12 to 19 digits with a valid check digit (Luhn). */
export function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number[number.length - 1 - place]);
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += place % 2 === 1 ? doubled : digit;
  }
  return sum % 10 === 0;
}

/** A card is valid until the end of its month. Anything but `MM/YY` counts as expired. */
export function isExpired(expiry: string, now: Temporal.Instant): boolean {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry) ?? [];
  if (month === undefined || year === undefined) return true;
  const end = Temporal.PlainDate.from(`20${year}-${month}-01`).add({ months: 1 }).toZonedDateTime('UTC').toInstant();
  return Temporal.Instant.compare(now, end) >= 0;
}

/** How a value encodes a failure reason, in the order of `declineReasons`. */
const spelledReasons: readonly (readonly [string, DeclineReason])[] = [
  ['insufficient-funds', 'insufficient funds'],
  ['instrument-invalid', 'instrument invalid'],
  ['instrument-rejected', 'instrument rejected'],
  ['payer-rejected', 'payer rejected'],
  ['internal-error', 'internal error'],
];

const bankDelayMilliseconds = 300_000;
const payerDelayMilliseconds = 60_000;

/** A and O are charged when the bank chooses to, unless `noDelay` is set; with M the payer confirms first. */
function delayed(outcome: Outcome, blik: BlikModel | null): Outcome {
  if (!blik || (blik.model !== 'M' && blik.noDelay)) return outcome;
  const milliseconds = blik.model === 'M' ? payerDelayMilliseconds : bankDelayMilliseconds;
  return { kind: 'later', milliseconds, reason: outcome.kind === 'declined' ? outcome.reason : null };
}

function outcomeOfRecurring(value: string, attempt: number): Outcome {
  const reason = spelledReasons.find(([spelling]) => value.includes(spelling))?.[1];
  if (reason === undefined) return approved;
  const failures = /^fail-(\d{1,9})-/.exec(value)?.[1];
  return failures !== undefined && attempt > Number(failures) ? approved : declined(reason);
}

// How the fake behaves besides the rules of the provider. Changed over `/_fake/settings`, kept over a restart.

import { type Fees, usualFees } from './amounts.ts';
import { type BlikOutcome, blikOutcomes } from './blik.ts';

export interface Settings {
  /** Methods that the account may use. */
  readonly card: boolean;
  readonly blik: boolean;
  readonly p24: boolean;
  /** Whether card numbers may be sent by servers. */
  readonly rawCards: boolean;
  /** The currency that the account settles in. */
  readonly currency: 'pln' | 'eur';
  /** What payers of BLIK do when their email does not say. */
  readonly blikOutcome: BlikOutcome;
  /** After how many seconds they do it; null: when a person or `/_fake/payers` does. */
  readonly blikSeconds: number | null;
  /** Payers may approve after 60 seconds, too. */
  readonly blikLate: boolean;
  /** The status of the response to a wrong BLIK code; not established which one the provider sends. */
  readonly blikWrongCodeStatus: 400 | 402;
  /** Charges without the payer begin as `processing` and succeed after so many seconds; null: at once. */
  readonly blikRecurringSeconds: number | null;
  /** What becomes of refunds, unless the card says: paid at once, after a while, or paid and returned after a while. */
  readonly refundOutcome: 'succeeded' | 'pending' | 'fails later' | 'fails';
  readonly refundSeconds: number;
  /** Refunds need an available balance: those to cards wait for it, others are refused. */
  readonly refundsNeedBalance: boolean;
  readonly disputeFeeMinor: number;
  readonly disputeFeeReturned: boolean;
  readonly fees: Fees;
  /** When the money of a charge becomes available. */
  readonly availableSeconds: number;
  /** Pays out what is available every midnight (UTC). */
  readonly dailyPayouts: boolean;
  /** How long search does not know what was changed. */
  readonly searchLagSeconds: number;
  readonly keysForgottenSeconds: number;
  /** The provider's limits of requests per second. */
  readonly rateLimits: boolean;
  /** A payer who never returns from the page of 3-D Secure or the bank. */
  readonly abandonedSeconds: number;
}

export const usualSettings: Settings = {
  card: true,
  blik: true,
  p24: true,
  rawCards: false,
  currency: 'pln',
  blikOutcome: 'approve',
  blikSeconds: 5,
  blikLate: false,
  blikWrongCodeStatus: 402,
  blikRecurringSeconds: null,
  refundOutcome: 'succeeded',
  refundSeconds: 3_600,
  refundsNeedBalance: false,
  disputeFeeMinor: 7_000,
  disputeFeeReturned: false,
  fees: usualFees,
  availableSeconds: 3 * 86_400,
  dailyPayouts: false,
  searchLagSeconds: 60,
  keysForgottenSeconds: 86_400,
  rateLimits: false,
  abandonedSeconds: 900,
};

const choices: Readonly<Record<string, readonly unknown[]>> = {
  currency: ['pln', 'eur'],
  blikOutcome: blikOutcomes,
  blikWrongCodeStatus: [400, 402],
  refundOutcome: ['succeeded', 'pending', 'fails later', 'fails'],
};
const mayBeNull = ['blikSeconds', 'blikRecurringSeconds'];

/** The settings with some of them changed; throws a RangeError that names the first bad one. */
export function changeSettings(settings: Settings, change: object): Settings {
  for (const [name, value] of Object.entries(change)) {
    const now = Object.hasOwn(usualSettings, name) ? usualSettings[name as keyof Settings] : undefined;
    if (now === undefined) throw new RangeError(`There is no setting "${name}".`);
    if (!isFit(name, value, now)) throw new RangeError(`The setting ${name} cannot be ${JSON.stringify(value)}.`);
  }
  return { ...settings, ...change };
}

function isFit(name: string, value: unknown, usual: unknown): boolean {
  if (choices[name]) return choices[name].includes(value);
  if (mayBeNull.includes(name)) return value === null || isCount(value);
  if (typeof usual === 'number') return isCount(value);
  return typeof value === typeof usual && value !== null;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

// What may be paid, and what it costs. Pure. The fees are an example: a real account has those of its contract.

export type Method = 'card' | 'blik' | 'p24';

/** The least that is charged in a currency, in its minor units. */
const smallest: Readonly<Record<string, number>> = { pln: 200, eur: 50 };
const largest = 99_999_999;

export interface FeeRule {
  /** In hundredths of a percent. */
  readonly basisPoints: number;
  readonly fixedMinor: number;
}

export type Fees = Readonly<Record<Method, FeeRule>>;

export const usualFees: Fees = {
  card: { basisPoints: 150, fixedMinor: 100 },
  blik: { basisPoints: 160, fixedMinor: 100 },
  p24: { basisPoints: 220, fixedMinor: 130 },
};

export function amountFault(amount: number, currency: string): 'amount_too_small' | 'amount_too_large' | undefined {
  if (amount < (smallest[currency] ?? 50)) return 'amount_too_small';
  return amount > largest ? 'amount_too_large' : undefined;
}

/** Rounded to the nearest minor unit; never more than the amount. */
export function feeOf(amount: number, rule: FeeRule): number {
  return Math.min(amount, Math.round((amount * rule.basisPoints) / 10_000) + rule.fixedMinor);
}

const currenciesOf: Readonly<Record<Method, readonly string[] | undefined>> = {
  card: undefined,
  blik: ['pln'],
  p24: ['pln', 'eur'],
};

export function takesCurrency(method: Method, currency: string): boolean {
  return currenciesOf[method]?.includes(currency) ?? true;
}

/** The account settles one currency; what is paid in another is converted at a made-up rate. */
export function settled(amount: number, from: string, to: string): { amount: number; rate: number | null } {
  if (from === to) return { amount, rate: null };
  const rate = from === 'eur' ? 4.25 : 0.2353;
  return { amount: Math.round(amount * rate), rate };
}

// Money: whole minor units and a currency. Created only here.

export const currencies = ['PLN'] as const;
export type Currency = (typeof currencies)[number];

export interface Money {
  readonly minor: bigint;
  readonly currency: Currency;
}

/**
 * Amounts from 10^11 up are refused (docs/decisions/0003), so every decimal has at most 13 digits, which a double
 * represents exactly.
 */
export const decimalCeiling = 100_000_000_000;

/**
 * Minor units of a decimal with at most two places; undefined if it has more places, a sign or too many digits. Never
 * rounds: a number is accepted only if it is exactly the double of its hundredths. 10.1 is 1010; 10.005 is refused.
 */
export function minorFromDecimal(value: number): bigint | undefined {
  if (!(value >= 0 && value < decimalCeiling)) return undefined;
  const minor = Math.round(value * 100);
  return minor / 100 === value ? BigInt(minor) : undefined;
}

/** The JSON number of an amount: 1010 is 10.1. Exact below the ceiling. */
export function decimalFromMinor(minor: bigint): number {
  return Number(minor) / 100;
}

/** Always two decimal places: 1010 is "10.10". */
export function decimalText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function money(minor: bigint, currency: Currency): Money {
  return { minor, currency };
}

/** Reads a stored currency; an unknown one is a bug, not input. */
export function currencyFrom(text: string): Currency {
  const found = currencies.find((currency) => currency === text);
  if (!found) throw new Error(`Unknown currency in storage: ${text}`);
  return found;
}

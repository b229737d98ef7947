// Money is whole minor units with their currency. It is made only here.

export const currencies = ['PLN'] as const;
export type Currency = (typeof currencies)[number];

export interface Money {
  readonly minor: bigint;
  readonly currency: Currency;
}

/** Amounts from 10^11 up are refused (docs/decisions.md 3), so every decimal here has at most 13 digits and a double holds it exactly. */
export const decimalCeiling = 100_000_000_000;

/**
 * Minor units of a decimal with at most two places, or undefined when it has more places, a sign or too many digits. Never
 * rounds: a number counts only if it is the very double that its hundredths make. 10.1 is 1010, 10.005 is nothing.
 */
export function minorFromDecimal(value: number): bigint | undefined {
  if (!(value >= 0 && value < decimalCeiling)) return undefined;
  const minor = Math.round(value * 100);
  return minor / 100 === value ? BigInt(minor) : undefined;
}

/** The JSON number for an amount: 1010 is 10.1. Exact for everything below the ceiling. */
export function decimalFromMinor(minor: bigint): number {
  return Number(minor) / 100;
}

/** Two places always: 1010 is "10.10". */
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

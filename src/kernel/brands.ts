// The brands of cards, by the first digits of their numbers, as the networks assign them.

export interface Brand {
  /** In the setting CARD_BRANDS. */
  readonly id: string;
  readonly name: string;
  readonly start: RegExp;
  /** How the number is spaced on the card. */
  readonly groups: readonly number[];
  readonly codeDigits: 3 | 4;
}

const fours = [4, 4, 4, 4, 3];

/** In this order: Maestro shares its first digits with others, and shows only when theirs are excluded. */
export const brands: readonly Brand[] = [
  { id: 'visa', name: 'Visa', start: /^4/, groups: fours, codeDigits: 3 },
  {
    id: 'mastercard',
    name: 'Mastercard',
    start: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/,
    groups: fours,
    codeDigits: 3,
  },
  { id: 'amex', name: 'American Express', start: /^3[47]/, groups: [4, 6, 5], codeDigits: 4 },
  { id: 'discover', name: 'Discover', start: /^(6011|64[4-9]|65)/, groups: fours, codeDigits: 3 },
  { id: 'jcb', name: 'JCB', start: /^35(2[89]|[3-8])/, groups: fours, codeDigits: 3 },
  { id: 'maestro', name: 'Maestro', start: /^(5[06-9]|6\d{3})/, groups: fours, codeDigits: 3 },
];

/** Undefined if the number is of none of them: then the bank decides. */
export function brandOf(number: string): Brand | undefined {
  return brands.find(({ start }) => start.test(number));
}

// How a mail names what was paid with. Pure.

import { mailWords } from './words.ts';

/** What may be shown of a card. */
interface ShownCard {
  readonly brand: string;
  readonly tail: string;
}

/**
 * The line about the payment method: `Card, Visa •••• 1111`. None if the method is not known. `brand` is `Card` for cards
 * whose brand is not known.
 */
export function methodFacts(
  language: string,
  channelId: number | null,
  card: ShownCard | null,
): [name: string, value: string][] {
  const { method, methods } = mailWords[language] ?? mailWords.en;
  const name = methods[channelId as keyof typeof methods];
  if (name === undefined) return [];
  if (!card) return [[method, name]];
  const brand = card.brand === 'Card' ? [] : [card.brand];
  // Never broken at the end of a line.
  return [[method, `${name}, ${[...brand, '••••', card.tail].join('\u00a0')}`]];
}

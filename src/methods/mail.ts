// How a mail names what was paid with. Pure.

import { isLanguage } from '../../contract/languages.ts';
import { mailWords } from '../notifications/index.ts';
import { methodOf } from './list.ts';

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
  const words = methodOf(channelId)?.words[isLanguage(language) ? language : 'en'];
  if (words === undefined) return [];
  const { method: label } = mailWords[language] ?? mailWords.en;
  // Mails break no word: a soft hyphen would show in some of them.
  const name = words.mail ?? words.name.replaceAll('\u00ad', '');
  if (!card) return [[label, name]];
  const brand = card.brand === 'Card' ? [] : [card.brand];
  // Never broken at the end of a line.
  return [[label, `${name}, ${[...brand, '••••', card.tail].join('\u00a0')}`]];
}

// Cards: the key that they are encrypted with, the only module that decrypts them, and the vault of saved cards.
// Endpoint C1.
// Owns: card_key, card_token.
// Guarantees: no number or code is stored or logged in plain text; a token works only for its own merchant, and only
// after a payment with its card succeeded.
export { cardNumbersNotTaken, cardsFailures } from './failures.ts';
export type { CardKeys } from './keys.ts';
export { openCards } from './open.ts';
export type { CardFormFault, PlainCard, ShownCard } from './rules.ts';
export { shownOf } from './rules.ts';
export type { KeptCard, SavedCard, TokenCard } from './tokens.ts';
export {
  activateTokens,
  cardReference,
  describeTokens,
  isOwnToken,
  keeperOf,
  openCard,
  openSavedCards,
  saveCard,
  tokenReference,
  tokenReferences,
} from './tokens.ts';

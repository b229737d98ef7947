// Cards: the key they are encrypted for, the one module that decrypts, the vault of saved ones.
// Owns: card_key, card_token. Endpoint C1.
// Promises: no number and no code is stored or logged in clear; a token works for its own merchant only, and only once a
// payment with its card succeeded.
export type { CardKeys } from './keys.ts';
export { openCards } from './open.ts';
export type { CardForm, CardFormFault, PlainCard } from './rules.ts';
export type { SavedCard } from './tokens.ts';
export {
  activateTokens,
  cardReference,
  describeTokens,
  isOwnToken,
  mayCharge,
  openCard,
  openSavedCards,
  saveCard,
} from './tokens.ts';

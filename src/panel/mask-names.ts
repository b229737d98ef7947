// Which fields are secret by their name: by the words in it, however it is spelled. Pure.

/** A name as its words, in lower case: blikCode, BLIK_CODE and blik-code are the same; accents do not count. */
function wordsOf(name: string): string[] {
  // Most names are one word, and there may be thousands of them.
  if (/^[a-z]+\d*$/.test(name)) return [name.replace(/\d+$/, '')];
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

/** Secret wherever they are in a name, with or without anything between the words. */
const secretParts =
  /password|passwd|passphrase|passcode|secret(?!ar)|token|cvv|cvc|cvn|cryptogram|authorization|credential|(api|private|signing)key|card(number|num|no|nr|data|pan|pin)|primaryaccount|(security|verification|confirmation|recovery|auth|access|blik|sms|login|reset|onetime)codes?|(card|blik|sms|user|payer|login|onetime)(pin|otp)|paymenturl|haslo|numerkarty|kodblik|blikkod/;

/** Secret as a word of their own: inside other words they mean nothing, as in shipping and company. */
const secretWords = new Set(['pin', 'pins', 'otp', 'otps', 'totp', 'pan', 'pans', 'csc', 'pwd', 'jwt', 'bearer']);

/** Codes that everybody may know. Any other code is secret. */
const plainCodes = new Set(
  `language lang locale country currency postal post zip region state city error status reason result http bank channel
   group category product item order promo promotion discount coupon voucher tax vat mcc ean bar qr swift sort bic color
   charge refund decline event type`.split(/\s+/),
);

/** What may be told about a card. Anything else about one is secret. */
const plainOfCard = new Set(
  'brand brands tail last type network scheme country issuer url image enabled count'.split(' '),
);

/** Names that are secret as a whole, because of what our own API has under them. */
const secretNames = new Set(['current', 'response', 'value', 'uri', 'pass', 'code', 'codes', 'card', 'cards', 'karta']);

/** With these, an object is looked into: its fields have names of their own. */
const openObjects = new Set(['cardpaymentdata', 'blikpaymentdata']);

/** Longer names are of nobody's API; the secret word may be anywhere in what is left. */
const nameLengthAtMost = 200;

/** Whether the value of a field with this name must not be shown. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name.slice(0, nameLengthAtMost));
  return secretNames.has(words.join('')) || saysSecret(words);
}

/** The same in running text, where "code", "value" and "card" alone are words like any other. */
export function isSecretLabel(name: string): boolean {
  return saysSecret(wordsOf(name.slice(-nameLengthAtMost)));
}

/** Whether an object of this name is looked into although the name is secret. */
export function isOpenObject(name: string): boolean {
  return openObjects.has(wordsOf(name.slice(0, nameLengthAtMost)).join(''));
}

function saysSecret(words: readonly string[]): boolean {
  if (secretParts.test(words.join('')) || words.some((word) => secretWords.has(word))) return true;
  if (words.length < 2) return false;
  const before = words.at(-2) ?? '';
  if (['code', 'codes', 'kod'].includes(words.at(-1) ?? '') && !plainCodes.has(before)) return true;
  const aboutCard = words.includes('card') || words.includes('cards');
  return aboutCard && !words.some((word) => plainOfCard.has(word));
}

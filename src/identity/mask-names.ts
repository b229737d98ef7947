// Which fields are secret by their name: by the words in it, however it is spelled. Pure.

/** A name as its words, in lower case: blikCode, BLIK_CODE and blik-code are the same; accents do not count. */
function wordsOf(name: string): string[] {
  // Most names are one word, and there may be thousands of them.
  if (/^[a-z]+\d*$/.test(name)) return [name.replace(/\d+$/, '')];
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

/** Secret wherever they are in a name, with or without anything between the words. */
const secretParts =
  /password|passwort|passwd|passphrase|passcode|secret(?!ar)|token|cvv|cvc|cvn|cryptogram|authorization|credential|(api|priv|private|signing|encryption|hmac)key|card(number|num|no|nr|data|pan|pin)|primaryaccount|(security|verification|confirmation|recovery|auth|authentication|access|blik|sms|login|reset|onetime|pin|tan|card)codes?|(card|blik|sms|user|payer|login|onetime|my)(pin|otp)|(user|my|login)pwd|pswd|twofactor|paymenturl|haslo|numerkarty|nrkarty|kartanumer|kartanr|kodblik|blikkod|blik(paymentdata)?(number|numer|nr|ticket|t$)|kody?(pin|tan|autoryz|weryfik|zabezpiecz|dostep|potwierdz|jednoraz|zapas|logow)|verificationvalue|track(data|equivalent)|sess(ion)?id|groszsession|cookies?$/;

/** Secret as a word of their own: inside other words they mean nothing, as in shipping and company. */
const secretWords = new Set(
  `pin pins pinblock otp otps totp tan tans mtan pan pans csc cvd cid cav ccnumber ccnum ccno creditcard creditcards
   debitcard debitcards codeblik codesms kodsms pwd pw jwt bearer ccv cvx sid iban ibans nrb`.split(/\s+/),
);

/** Names whose digit counts, unlike that after other words: the tracks of a magnetic stripe, cv2, 2fa. */
const withDigit = /track[\W_]?[123](?!\d)|(?<![\p{L}\d])(?:cv[\W_]?2|2[\W_]?fa)(?![\p{L}\d])/iu;

const codeWords = new Set(['code', 'codes', 'kod', 'kody']);

/** With one of these before or after it, a code is secret: codeSms, kod_blik. */
const secretKinds = new Set(
  'blik sms auth authorization security verification confirmation recovery access login reset otp'.split(' '),
);

/** Codes that everybody may know. Any other word before a code at the end of a name makes it secret. */
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
const secretNames = new Set(
  'current response value uri pass code codes kod kody mfa card cards karta blik session sessions sess'.split(' '),
);

/** With these, an object is looked into: its fields have names of their own. */
const openObjects = new Set(['cardpaymentdata', 'blikpaymentdata', 'blik', 'session']);

/** Secret in one of these objects, where they can only be what pays; t6 is a code of six digits. */
const secretInside = new Set('number numer nr t ticket'.split(' '));

/** Longer names are of nobody's API; the secret word may be anywhere in what is left. */
const nameLengthAtMost = 200;

/** Whether the value of a field with this name must not be shown. */
export function isSecretName(name: string): boolean {
  const read = name.slice(0, nameLengthAtMost);
  const words = wordsOf(read);
  return secretNames.has(words.join('')) || withDigit.test(read) || saysSecret(words);
}

/** The same in running text, where "code", "value" and "card" alone are words like any other. */
export function isSecretLabel(name: string): boolean {
  const read = name.slice(-nameLengthAtMost);
  return withDigit.test(read) || saysSecret(wordsOf(read));
}

/** Whether an object of this name is looked into although the name is secret. */
export function isOpenObject(name: string): boolean {
  return openObjects.has(wordsOf(name.slice(0, nameLengthAtMost)).join(''));
}

/** Whether a field with this name is secret in an object that is looked into. */
export function isSecretInside(name: string): boolean {
  return secretInside.has(wordsOf(name.slice(0, nameLengthAtMost)).join(''));
}

function saysSecret(words: readonly string[]): boolean {
  if (secretParts.test(words.join('')) || words.some((word) => secretWords.has(word))) return true;
  if (words.length < 2) return false;
  if (words.at(-1) === 'session' || words.join('') === 'sessionkey') return true;
  if (words.some((_, place) => isSecretCode(words, place))) return true;
  if (words.includes('cc') && words.some((word) => ['number', 'num', 'no', 'nr'].includes(word))) return true;
  const aboutCard = words.includes('card') || words.includes('cards');
  return aboutCard && !words.some((word) => plainOfCard.has(word));
}

/** Whether the word at this place is a code that is secret: by a word anywhere in the name, or as its last word. */
function isSecretCode(words: readonly string[], place: number): boolean {
  if (!codeWords.has(words[place] ?? '') || plainCodes.has(words[place - 1] ?? '')) return false;
  return place === words.length - 1 || words.some((word) => secretKinds.has(word));
}

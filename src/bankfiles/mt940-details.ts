// Field 86 of MT940: what a movement is about. Banks write numbered parts, each after a separator and two digits
// (`020<00PRZELEW<20tytul<32nazwa`, with <, ~, ?, ^ or |), code words between slashes, or plain text. Strangers wrote
// the title and the name: what could come from them is not taken for anything that the bank says.

import type { StatementLine } from './model.ts';

export type Details = Pick<StatementLine, 'endToEndId' | 'text' | 'partyName' | 'partyAccount' | 'returnReason'>;

const inParts = /^\d{0,4}([<~?^|])\d\d/;
const inWords = /^\d{0,4}\/[A-Z]{3,4}\//;

interface Parts {
  readonly texts: ReadonlyMap<number, string>;
  /**
   * Banks write each part once, in the order of their numbers. If they are out of order, some may come from the title or
   * the name, which a stranger wrote.
   */
  readonly areOrdered: boolean;
}

function partsOf(text: string, separator: string): Parts {
  const texts = new Map<number, string>();
  let last = -1;
  let areOrdered = true;
  for (const one of text.split(separator).slice(1)) {
    const [, number, value = ''] = /^(\d\d)([\s\S]*)$/.exec(one) ?? [];
    // The separator itself may occur in a text.
    if (number === undefined) texts.set(last, `${texts.get(last)}${separator}${one}`);
    else {
      areOrdered &&= Number(number) > last;
      last = Number(number);
      texts.set(last, (texts.get(last) ?? '') + value);
    }
  }
  return { texts, areOrdered };
}

const titleParts = [20, 21, 22, 23, 24, 25, 26];
/** The first of these that has any text is the other party's name. */
const nameParts = [
  [32, 33],
  [27, 28, 29],
];
const ibanPart = 38;
const accountPart = 31;

function fromParts(text: string, separator: string): Details {
  const { texts, areOrdered } = partsOf(text, separator);
  const joined = (numbers: readonly number[]) =>
    numbers
      .map((number) => texts.get(number))
      .join('')
      .trim();
  return {
    endToEndId: null,
    text: joined(titleParts),
    partyName: (areOrdered && nameParts.map(joined).find((one) => one !== '')) || null,
    partyAccount: areOrdered ? onlyAccount(accountOf(texts.get(ibanPart)), accountOf(texts.get(accountPart))) : null,
    returnReason: null,
  };
}

const accountOf = (text: string | undefined) => text?.replaceAll(/[\s/]/g, '') || null;

/** Some banks write it twice, once without the country. If the two differ, one of them may come from the name. */
function onlyAccount(iban: string | null, account: string | null): string | null {
  if (iban === null || account === null) return iban ?? account;
  return iban.endsWith(account) || account.endsWith(iban) ? iban : null;
}

/** Everything after one of these words is the title. */
const titleWord = /\/(?:REMI|TXT)\//;

/** Words whose values the bank writes. Whatever stands behind another word may come from whoever wrote its value. */
const bankWords = new Set(['TRTP', 'TRCD', 'IBAN', 'BIC', 'RTRN', 'RETN']);

interface Word {
  readonly word: string;
  readonly value: string;
}

/** Those that have a value. */
function wordsOf(text: string): Word[] {
  const pieces = text.split(/\/([A-Z]{3,4})\//);
  return pieces.flatMap((word, index) => {
    const value = pieces[index + 1]?.trim();
    return index % 2 === 1 && value ? [{ word, value }] : [];
  });
}

function fromWords(text: string, isReturn: boolean): Details {
  const title = titleWord.exec(text);
  const words = wordsOf(title ? text.slice(0, title.index) : text);
  const strangers = words.findIndex(({ word }) => !bankWords.has(word));
  const ofBank = strangers < 0 ? words : words.slice(0, strangers);
  const fromBank = (...names: readonly string[]) => ofBank.find(({ word }) => names.includes(word))?.value;
  // If there are two, one of them may come from the other.
  const only = (...names: readonly string[]) => {
    const [first, second] = words.filter(({ word }) => names.includes(word));
    return first && !second ? first.value : null;
  };
  const endToEndId = only('EREF');
  return {
    endToEndId: endToEndId === 'NOTPROVIDED' ? null : endToEndId,
    text: (title ? text.slice(title.index + title[0].length) : text).trim(),
    partyName: only('NAME', 'BENM', 'ORDP'),
    partyAccount: accountOf(fromBank('IBAN')),
    returnReason: (isReturn && fromBank('RTRN', 'RETN')) || null,
  };
}

/** `isReturn`: field 61 says so. A payer cannot write that, but may write a title that looks like any of the layouts. */
export function detailsFrom(text: string, isReturn: boolean): Details {
  // Banks break the lines of a field anywhere, so line breaks mean nothing in numbered parts and code words.
  const whole = text.replaceAll('\n', '').trim();
  const separator = inParts.exec(whole)?.[1];
  if (separator !== undefined) return fromParts(whole, separator);
  if (inWords.test(whole)) return fromWords(whole, isReturn);
  const lines = text.split('\n').map((line) => line.trim());
  return { endToEndId: null, text: lines.join(' ').trim(), partyName: null, partyAccount: null, returnReason: null };
}

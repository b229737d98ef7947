// Field 86 of MT940: what a movement is about. Banks write numbered parts, each after a separator and two digits
// (`020<00PRZELEW<20tytul<32nazwa`, with <, ~, ?, ^ or |), code words between slashes, or plain text. The payer wrote
// the title: whatever it looks like, nothing is derived from it.

import type { StatementLine } from './model.ts';

export type Details = Pick<StatementLine, 'endToEndId' | 'text' | 'partyName' | 'partyAccount' | 'returnReason'>;

const inParts = /^\d{0,4}([<~?^|])\d\d/;
const inWords = /^\d{0,4}\/[A-Z]{3,4}\//;

interface Parts {
  readonly texts: ReadonlyMap<number, string>;
  /**
   * Banks write the parts in the order of their numbers. If they are out of order, some may come from the title, which
   * the payer wrote.
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
      areOrdered &&= Number(number) >= last;
      last = Number(number);
      texts.set(last, (texts.get(last) ?? '') + value);
    }
  }
  return { texts, areOrdered };
}

/**
 * The numbers of the parts with the title, and with the other party's name and account: the first list of these that
 * has any text.
 */
const titleParts = [20, 21, 22, 23, 24, 25, 26];
const nameParts = [
  [32, 33],
  [27, 28, 29],
];
const accountParts = [[38], [31]];

function fromParts(text: string, separator: string): Details {
  const { texts, areOrdered } = partsOf(text, separator);
  const joined = (numbers: readonly number[]) =>
    numbers
      .map((number) => texts.get(number))
      .join('')
      .trim();
  const first = (choices: readonly (readonly number[])[]) =>
    (areOrdered && choices.map(joined).find((one) => one !== '')) || null;
  return {
    endToEndId: null,
    text: joined(titleParts),
    partyName: first(nameParts),
    partyAccount: accountOf(first(accountParts)),
    returnReason: null,
  };
}

const accountOf = (text: string | null) => text?.replaceAll(/[\s/]/g, '') || null;

/** Everything after one of these words is the title. */
const titleWord = /\/(?:REMI|TXT)\//;

function fromWords(text: string): Details {
  const title = titleWord.exec(text);
  const facts = title ? text.slice(0, title.index) : text;
  const after = (...words: readonly string[]) =>
    words.map((word) => new RegExp(`/${word}/(.*?)(?=/[A-Z]{3,4}/|$)`).exec(facts)?.[1]?.trim()).find(Boolean) ?? null;
  const endToEndId = after('EREF');
  return {
    endToEndId: endToEndId === 'NOTPROVIDED' ? null : endToEndId,
    text: (title ? text.slice(title.index + title[0].length) : text).trim(),
    partyName: after('NAME', 'BENM', 'ORDP'),
    partyAccount: accountOf(after('IBAN')),
    returnReason: after('RTRN', 'RETN'),
  };
}

export function detailsFrom(text: string): Details {
  // Banks break the lines of a field anywhere, so line breaks mean nothing in numbered parts and code words.
  const whole = text.replaceAll('\n', '').trim();
  const separator = inParts.exec(whole)?.[1];
  if (separator !== undefined) return fromParts(whole, separator);
  if (inWords.test(whole)) return fromWords(whole);
  const lines = text.split('\n').map((line) => line.trim());
  return { endToEndId: null, text: lines.join(' ').trim(), partyName: null, partyAccount: null, returnReason: null };
}

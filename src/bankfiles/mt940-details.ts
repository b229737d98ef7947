// Field 86 of MT940: what a movement is about. Banks write it in parts, each behind a separator of their own and two
// digits (`020<00PRZELEW<20tytul<32nazwa`, with <, ~, ?, ^ or |), with words between slashes, or as they like. The title is what the
// payer wrote: whatever it looks like, it says nothing but itself.

import type { StatementLine } from './model.ts';

export type Details = Pick<StatementLine, 'endToEndId' | 'text' | 'partyName' | 'partyAccount' | 'returnReason'>;

const inParts = /^\d{0,4}([<~?^|])\d\d/;
const inWords = /^\d{0,4}\/[A-Z]{3,4}\//;

interface Parts {
  readonly texts: ReadonlyMap<number, string>;
  /** Banks write them in the order of their numbers; otherwise some of them may be in a payer's title. */
  readonly areOrdered: boolean;
}

function partsOf(text: string, separator: string): Parts {
  const texts = new Map<number, string>();
  let last = -1;
  let areOrdered = true;
  for (const one of text.split(separator).slice(1)) {
    const [, number, value = ''] = /^(\d\d)([\s\S]*)$/.exec(one) ?? [];
    // The separator itself may stand in a text.
    if (number === undefined) texts.set(last, `${texts.get(last)}${separator}${one}`);
    else {
      areOrdered &&= Number(number) >= last;
      last = Number(number);
      texts.set(last, (texts.get(last) ?? '') + value);
    }
  }
  return { texts, areOrdered };
}

/** Where banks write the title, the other side's name (the second of these if not the first) and its account. */
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

/** What stands behind these words is the title, to the end. */
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
  // Lines of a field break anywhere: what the bank wrote in parts or words had no line breaks.
  const whole = text.replaceAll('\n', '').trim();
  const separator = inParts.exec(whole)?.[1];
  if (separator !== undefined) return fromParts(whole, separator);
  if (inWords.test(whole)) return fromWords(whole);
  const lines = text.split('\n').map((line) => line.trim());
  return { endToEndId: null, text: lines.join(' ').trim(), partyName: null, partyAccount: null, returnReason: null };
}

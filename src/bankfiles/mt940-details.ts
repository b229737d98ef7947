// Field 86 of MT940: what a movement is about. Banks write it in parts, each behind a separator of their own and two
// digits (`020<00PRZELEW<20tytul<32nazwa`, with <, ~, ?, ^ or |), with words between slashes, or as they like.

import type { StatementLine } from './model.ts';

export type Details = Pick<StatementLine, 'endToEndId' | 'text' | 'partyName' | 'partyAccount' | 'returnReason'>;

const inParts = /^\s*(?:\d{3})?\s*([<~?^|])\d\d/;

/** The texts of the parts by their numbers; a part that occurs twice goes on. */
function partsOf(text: string, separator: string): Map<number, string> {
  const parts = new Map<number, string>();
  const [, ...rest] = text.split(separator);
  let last = -1;
  for (const one of rest) {
    const [, number, value = ''] = /^(\d\d)([\s\S]*)$/.exec(one) ?? [];
    // The separator itself may stand in a text.
    if (number === undefined) parts.set(last, `${parts.get(last) ?? ''}${separator}${one}`);
    else {
      last = Number(number);
      parts.set(last, (parts.get(last) ?? '') + value);
    }
  }
  return parts;
}

/** Where most banks write the title, the other side's name and its account. */
const titleParts = [20, 21, 22, 23, 24, 25, 26, 60, 61, 62, 63];
const nameParts = [32, 33];
const accountParts = [38, 31];

function joined(parts: Map<number, string>, numbers: readonly number[]): string {
  return numbers.map((number) => parts.get(number)).join('');
}

const accountOf = (text: string) => text.replaceAll(/[\s/]/g, '') || null;

function fromParts(text: string, separator: string): Details {
  // Lines of a field break anywhere: what the bank wrote had no line breaks.
  const parts = partsOf(text.replaceAll('\n', ''), separator);
  const title = joined(parts, titleParts).trim();
  const [account = ''] = accountParts.map((number) => parts.get(number) ?? '').filter((one) => one.trim() !== '');
  return {
    text: title,
    endToEndId: endToEndIn(title),
    partyName: joined(parts, nameParts).trim() || null,
    partyAccount: accountOf(account),
    returnReason: returnReasonIn(title),
  };
}

/** As in SEPA: EREF+ or /EREF/. */
function endToEndIn(text: string): string | null {
  const found = /(?:EREF\+|\/EREF\/)([A-Za-z0-9?:().,'+\- ]{1,35}?)(?=\/|[A-Z]{4}\+|\n|$)/.exec(text)?.[1]?.trim();
  return found === undefined || found === '' || found === 'NOTPROVIDED' ? null : found;
}

function returnReasonIn(text: string): string | null {
  return (
    /\/(?:RTRN|RETN)\/([A-Z]{2}\d\d)|\b(?:RTRN|RETN)\s+([A-Z]{2}\d\d)\b/.exec(text)?.slice(1).find(Boolean) ?? null
  );
}

function withSlashes(text: string): Details {
  const after = (word: string) => new RegExp(`/${word}/([^/]*)`).exec(text)?.[1]?.trim() || null;
  return {
    text: (after('REMI') ?? after('TXT') ?? text).trim(),
    endToEndId: endToEndIn(text),
    partyName: after('NAME') ?? after('BENM') ?? after('ORDP'),
    partyAccount: accountOf(after('IBAN') ?? ''),
    returnReason: returnReasonIn(text),
  };
}

export function detailsFrom(text: string): Details {
  const separator = inParts.exec(text)?.[1];
  if (separator !== undefined) return fromParts(text, separator);
  const plain = text.replaceAll('\n', '');
  if (/^\s*(?:\d{3})?\/[A-Z]{3,4}\//.test(plain)) return withSlashes(plain);
  return {
    text: text.replaceAll(/\s*\n\s*/g, ' ').trim(),
    endToEndId: endToEndIn(plain),
    partyName: null,
    partyAccount: null,
    returnReason: returnReasonIn(plain),
  };
}

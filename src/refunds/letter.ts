// The mail to a payer about a refund, in the language of the transaction.

import { decimalText } from '../kernel/index.ts';
import type { NewMail } from '../notifications/index.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import { type LetterWords, letterWords } from './letter-words.ts';
import type { Refund } from './model.ts';

/** The mail about a refund that the bank has paid out. Pure: the same refund gives the same text. */
export function refundLetter(
  id: string,
  refund: Refund,
  refundable: RefundableTransaction,
  now: Temporal.Instant,
): NewMail {
  const { transaction, merchantName } = refundable;
  const language = Object.hasOwn(letterWords, transaction.lang) ? transaction.lang : 'en';
  const words = letterWords[language] ?? letterWords.en;
  const amount = amountText(refund, language);
  const facts: readonly (readonly [string, string])[] = [
    [words.amount, amount],
    [words.merchant, merchantName],
    [words.description, transaction.description],
    [words.title, transaction.title],
    [words.refund, refund.id],
  ];
  return {
    id,
    recipient: transaction.payer.email,
    subject: oneLine(words.subject(amount, merchantName)),
    text: textOf(words, amount, merchantName, facts),
    html: htmlOf(language, words, amount, merchantName, facts),
    language,
    createdAt: now,
  };
}

/** Exact: the formatter gets the digits as text. */
function amountText({ amount }: Refund, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: amount.currency });
  return format.format(decimalText(amount.minor) as Intl.StringNumericLiteral);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function textOf(
  words: LetterWords,
  amount: string,
  merchant: string,
  facts: readonly (readonly [string, string])[],
): string {
  const lines = facts.map(([name, value]) => `${name}: ${oneLine(value)}`);
  return [words.greeting, words.told(amount, merchant), lines.join('\n'), words.when, words.automatic].join('\n\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Mail programs ignore style sheets, so styles are inline. */
function htmlOf(
  language: string,
  words: LetterWords,
  amount: string,
  merchant: string,
  facts: readonly (readonly [string, string])[],
): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row" style="text-align:left;padding:4px 16px 4px 0;font-weight:normal;color:#4a5565">${escapeHtml(name)}</th>` +
      `<td style="padding:4px 0;font-weight:bold">${escapeHtml(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(words.subject(amount, merchant))}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#17212f;font:16px/1.5 sans-serif">
<p>${escapeHtml(words.greeting)}</p>
<p>${escapeHtml(words.told(amount, merchant))}</p>
<table role="table" style="border-collapse:collapse">
${rows.join('\n')}
</table>
<p>${escapeHtml(words.when)}</p>
<p style="color:#4a5565">${escapeHtml(words.automatic)}</p>
</body>
</html>
`;
}

// Elixir-0: what Polish banks read beside ISO 20022. One line per payment with 16 fields; no header, no sums, and no place
// for an id, so our reference is only in the title.

import { nrbOf, sortCodeOf } from './iban.ts';
import type { Layout } from './layout.ts';
import type { PaymentBatch } from './model.ts';

const transferOrder = '110';
const usualTransfer = '51';
const lineLength = 35;
const linesAtMost = 4;
const everyLine = new RegExp(`.{1,${lineLength}}`, 'g');

const cut = (text: string) => text.match(everyLine) ?? [];

/** Up to four lines of 35 characters, broken between words if that is enough. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > lineLength) {
    const end = rest.lastIndexOf(' ', lineLength);
    if (end < 0) return cut(text);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  lines.push(rest);
  return lines.length <= linesAtMost ? lines : cut(text);
}

const inLines = (text: string) => linesOf(text).join('|');

/** Facts that were judged, in the bank's characters. */
export function elixir0({ executeOn, payerName, payerIban }: PaymentBatch): Layout {
  const [day, payer] = [executeOn.replaceAll('-', ''), inLines(payerName)];
  const [payerBank, payerAccount] = [sortCodeOf(payerIban), nrbOf(payerIban)];
  return {
    head: '',
    payment({ amountMinor, payeeName, payeeIban, title }) {
      const from = `${transferOrder},${day},${amountMinor},${payerBank},0,"${payerAccount}"`;
      const to = `"${nrbOf(payeeIban)}","${payer}","${inLines(payeeName)}",0,${sortCodeOf(payeeIban)}`;
      return `${from},${to},"${inLines(title)}","","","${usualTransfer}",""\r\n`;
    },
    tail: '',
  };
}

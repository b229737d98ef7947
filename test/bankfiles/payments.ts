// Payment files for tests and benches: the facts that they are made of, and readers of what was written.

import type { Payment, PaymentBatch } from '../../src/bankfiles/payments/model.ts';
import type { BankProfile } from '../../src/bankfiles/payments/profile.ts';
import { writePaymentFile } from '../../src/bankfiles/payments/write.ts';
import { titleOf } from '../../src/bankfiles/reference.ts';
import { decimalText } from '../../src/kernel/index.ts';

export const payerIban = 'PL61109010140000071219812874';
export const payeeIban = 'PL27114020040000300201355387';
export const germanIban = 'DE89370400440532013000';

/** Ascending, as ids are that are made one after another. */
export function referenceOf(number: number): string {
  return `01K9Z4M7Q1T4W7A0B2${String(number).padStart(8, '0')}`;
}

export function aPayment(changes: Partial<Payment> = {}, number = 1): Payment {
  const reference = changes.reference ?? referenceOf(number);
  const title = titleOf(reference, 'Payout of 19 November');
  return { reference, amountMinor: 120_430n, payeeName: 'Anna Nowak', payeeIban, title, ...changes };
}

export function aBatch(profile: BankProfile, changes: Partial<PaymentBatch> = {}): PaymentBatch {
  return {
    messageId: 'GROSZ-2026-11-19-0001',
    createdAt: Temporal.Instant.from('2026-11-19T08:15:30Z'),
    executeOn: '2026-11-19',
    currency: profile.currency,
    payments: 1,
    sumMinor: 120_430n,
    payerName: 'Grosz sp. z o.o.',
    payerIban,
    ...changes,
  };
}

/** The batch of exactly these payments. */
export function batchOf(profile: BankProfile, payments: readonly Payment[], changes: Partial<PaymentBatch> = {}) {
  const sumMinor = payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return aBatch(profile, { payments: payments.length, sumMinor, ...changes });
}

export async function* streamOf(payments: Iterable<Payment>): AsyncGenerator<Payment> {
  yield* payments;
}

export async function bytesOf(
  profile: BankProfile,
  payments: readonly Payment[],
  batch = batchOf(profile, payments),
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writePaymentFile(profile, batch, streamOf(payments))));
}

/** A payment as the bank reads it: lines of a text are joined. */
export interface ReadPayment {
  readonly reference: string | null;
  readonly amount: string;
  readonly payeeName: string;
  readonly payeeIban: string;
  readonly payerName: string;
  readonly payerIban: string;
  readonly title: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/** The text of the first element of this name; an empty one if there is none. */
export function elementOf(xml: string, name: string): string {
  const [, content = ''] = new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 's').exec(xml) ?? [];
  return content.replaceAll(/&(\w+);/g, (_, entity: string) => entities[entity] ?? '?');
}

export function readPain(xml: string): ReadPayment[] {
  const blocks = xml.match(/<CdtTrfTxInf>.*?<\/CdtTrfTxInf>/gs) ?? [];
  const payer = /<Dbtr>.*<\/DbtrAcct>/s.exec(xml)?.[0] ?? '';
  return blocks.map((block) => ({
    reference: elementOf(block, 'EndToEndId'),
    amount: elementOf(block, 'InstdAmt'),
    payeeName: elementOf(block, 'Nm'),
    payeeIban: elementOf(block, 'IBAN'),
    payerName: elementOf(payer, 'Nm'),
    payerIban: elementOf(payer, 'IBAN'),
    title: elementOf(block, 'Ustrd'),
  }));
}

/** The 16 fields of each line, without quotes. */
export function elixirFields(text: string): string[][] {
  const lines = text.split('\r\n');
  if (lines.pop() !== '') throw new Error('The last line has no end.');
  return lines.map((line) => {
    const fields = line.match(/"[^"]*"|[^",]+/g) ?? [];
    if (fields.length !== 16 || fields[0] !== '110' || fields.join(',') !== line)
      throw new Error(`Not 16 fields: ${line}`);
    return fields.map((field) => field.replaceAll('"', ''));
  });
}

export function readElixir(text: string): ReadPayment[] {
  return elixirFields(text).map((fields) => ({
    reference: null,
    amount: decimalText(BigInt(fields[2] ?? '')),
    payeeName: (fields[8] ?? '').replaceAll('|', ' '),
    payeeIban: `PL${fields[6]}`,
    payerName: (fields[7] ?? '').replaceAll('|', ' '),
    payerIban: `PL${fields[5]}`,
    title: (fields[11] ?? '').replaceAll('|', ' '),
  }));
}

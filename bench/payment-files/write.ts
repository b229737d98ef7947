// Writes one payment file and reports what it took.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { composeIBAN } from 'ibantools';
import {
  type BankProfile,
  builtInProfiles,
  type Payment,
  titleOf,
  writePaymentFile,
} from '../../src/bankfiles/index.ts';
import { aBatch, payeeIban, referenceOf } from '../../test/bankfiles/payments.ts';
import type { PaymentFileAsked, PaymentFileSeen } from '../payment-files.ts';
import { given, serveParent } from '../support/child.ts';

const accounts = 1_000;
const names = ['Zakład Usług „Żółw” s.c.', 'Anna Nowak', "Müller & O'Neill", 'Spółdzielnia Rękodzieła w Gdyni'];

/** A few accounts again and again: to make their check digits is not what is measured. */
const ibans = Array.from({ length: accounts }, (_, number) => {
  const bban = payeeIban.slice(4, 12) + String(number).padStart(16, '0');
  return composeIBAN({ countryCode: 'PL', bban }) ?? '';
});

async function* paymentsOf(count: number): AsyncGenerator<Payment> {
  for (let number = 1; number <= count; number += 1) {
    const reference = referenceOf(number);
    yield {
      reference,
      amountMinor: BigInt(number),
      payeeName: `${names[number % names.length]} ${number}`,
      payeeIban: ibans[number % accounts] ?? '',
      title: titleOf(reference, 'Wypłata za okres do 19 listopada 2026'),
    };
  }
}

const kilobytesOf = (name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

async function write({ profile: name, payments }: PaymentFileAsked): Promise<PaymentFileSeen> {
  const profile: BankProfile | undefined = Object.values(builtInProfiles).find((one) => one.name === name);
  if (!profile) throw new Error(`There is no profile called ${name}.`);
  const sumMinor = (BigInt(payments) * BigInt(payments + 1)) / 2n;
  const batch = aBatch(profile, { payments, sumMinor });
  const digest = createHash('sha256');
  const before = kilobytesOf('VmRSS');
  const busyBefore = process.cpuUsage();
  const begun = performance.now();
  let bytes = 0;
  for await (const piece of writePaymentFile(profile, batch, paymentsOf(payments))) {
    bytes += piece.length;
    digest.update(piece);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(busyBefore);
  return {
    bytes,
    seconds,
    busySeconds: (user + system) / 1e6,
    megabytes: (kilobytesOf('VmHWM') - before) / 1_024,
    digest: digest.digest('hex'),
  };
}

serveParent(
  await write(given<PaymentFileAsked>()),
  () => ({}),
  async () => {},
);

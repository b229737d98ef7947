// Which files a run has, and in which order: the longest first, by the durations that a run has recorded.

import { globSync, readFileSync, writeFileSync } from 'node:fs';

/** Those beside the code are the shortest, so they come last. */
export const everything = ['test/**/*.test.ts', '{src,contract,sdk}/**/*.test.ts'];

/**
 * `npm test -- quick`: everything beside the code, the rules of the project, and of each room the file that goes through
 * the database once.
 */
export const quick = [
  'test/tidy.test.ts',
  'test/docs.test.ts',
  'test/accounts/oauth.test.ts',
  'test/acquirer/offers.test.ts',
  'test/bankfiles/command.test.ts',
  'test/banking/astray.test.ts',
  'test/batches/commands.test.ts',
  'test/deploy/settings.test.ts',
  'test/disputes/disputes.test.ts',
  'test/identity/sign-in.test.ts',
  'test/ledger/ledger.test.ts',
  'test/marketplace/pay.test.ts',
  'test/notifications/delivery.test.ts',
  'test/pages/pay-page.test.ts',
  'test/panel/transaction.test.ts',
  'test/payouts/balance.test.ts',
  'test/platform/tables.test.ts',
  'test/reconciliation/deciding.test.ts',
  'test/recurring/charge.test.ts',
  'test/refunds/create-refund.test.ts',
  'test/sandbox/mail-times.test.ts',
  'test/settlements/unread.test.ts',
  'test/statements/lines.test.ts',
  'test/stripe/account.test.ts',
  'test/transactions/pay-transaction.test.ts',
  'test/verification/damages.test.ts',
  'test/wallet/pay-wallet.test.ts',
  '{src,contract,sdk}/**/*.test.ts',
];

/** Written by `npm test -- record`. */
const durationsFile = new URL('../durations.json', import.meta.url);

export type Durations = Readonly<Record<string, number>>;

/** Seconds by file, as recorded; a file that is not in it is new. */
export function recordedDurations(): Durations {
  return JSON.parse(readFileSync(durationsFile, 'utf8'));
}

export function recordDurations(seconds: Durations): void {
  const sorted = Object.entries(seconds).sort(([, one], [, other]) => other - one);
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

export function filesOf(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern).sort();
    if (found.length === 0) throw new Error(`There is no test file ${pattern}.`);
    return found;
  });
}

/** A new file may take long: in the middle it neither ends the run alone nor delays those that do. */
const secondsOfNewFile = 5;

export function secondsOf(file: string, durations: Durations): number {
  return durations[file] ?? (file.startsWith('test/') ? secondsOfNewFile : 0);
}

export function longestFirst(files: readonly string[], durations: Durations): string[] {
  return files.toSorted((one, other) => secondsOf(other, durations) - secondsOf(one, durations));
}

// Mutants of transactions: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const transactionsMutants: readonly Mutant[] = [
  {
    file: 'src/transactions/create.ts',
    line: "return payerIdFrom(hash('sha256', `${merchant.id}\\n${email.toLowerCase()}`, 'hex'));",
    instead: "return payerIdFrom(hash('sha256', `${email.toLowerCase()}`, 'hex'));",
    bug: 'two merchants see the same id of a payer',
    tests: { 'test/transactions/create-transaction.test.ts': ['payerId follows the email address'] },
  },
  {
    file: 'src/transactions/create.ts',
    line: "if (constraint !== 'transaction_title_unique' || titlesLeft === 0) throw error;",
    instead: "if (constraint !== 'transaction_title_unique') throw error;",
    bug: 'a new title is drawn for ever',
    tests: { 'test/transactions/create-transaction.test.ts': ['500: no title is left'] },
  },
  {
    file: 'src/transactions/create.ts',
    line: 'return findTransaction(tools.db.sql, merchant.id, id).then((first) => first ?? create());',
    instead:
      "return findTransaction(tools.db.sql, merchant.id, id).then((first) => first ?? Promise.reject(new Error('gone')));",
    bug: 'a repeated request whose first run wrote nothing creates nothing',
    tests: { 'test/race/idempotency.test.ts': ['E1 creating'] },
  },
  {
    file: 'src/transactions/pay.ts',
    line: "if (transaction.status === 'canceled') refuse(transactionCanceled);",
    instead: '',
    bug: 'a canceled transaction is paid',
    tests: { 'test/transactions/pay-transaction.test.ts': ['409: paid already, canceled'] },
  },
  {
    file: 'src/transactions/pay.ts',
    line: 'const counted = { ...made, attemptsStarted: 1 };',
    instead: 'const counted = { ...made, attemptsStarted: 0 };',
    bug: 'the attempt of the request that created the transaction is not counted',
    tests: { 'test/transactions/attempts.test.ts': ['declined in E1, then correct'] },
  },
  {
    file: 'src/transactions/settle.ts',
    line: "unwanted: ({ facts }) => presentOf(facts).status !== 'pending',",
    instead: 'unwanted: () => false,',
    bug: 'a charge that begins to wait after the cancel is not ended at the bank at once',
    tests: {
      'test/race/pay.test.ts': [
        'cancel while the payment is sent, which then waits for its payer: ended at the bank immediately',
      ],
    },
  },
  {
    file: 'src/transactions/settle.ts',
    line: 'if (changed) facts.transactions.set(changed.id, changed);',
    instead: '',
    bug: 'two captures of one batch both count as the payment',
    tests: {
      'test/race/pay.test.ts': ['BLIK, all captured before the first response', 'BLIK, as they come, at two nodes'],
    },
  },
  {
    file: 'src/transactions/settle.ts',
    line: "if (!isDecline(step) || transaction.status !== 'pending') return undefined;",
    instead: 'if (!isDecline(step)) return undefined;',
    bug: 'a late decline changes a transaction that is paid',
    tests: { 'test/race/pay.test.ts': [] },
    unnoticed: 'only pending transactions are written (transactionChanges)',
  },
  {
    file: 'src/transactions/settle.ts',
    line: "return notifiesDeclines && origin !== 'marketplace' && (status === 'pending' || status === 'canceled');",
    instead: "return notifiesDeclines && (status === 'pending' || status === 'canceled');",
    bug: 'a decline of the marketplace is notified',
    tests: { 'test/notifications/declines.test.ts': ['marketplace'] },
  },
  {
    file: 'src/transactions/settle.ts',
    line: 'paymentJournal(captureOf(charge), charge.merchantId, paymentFee(charge.amountMinor, facts.fee)),',
    instead: 'paymentJournal(captureOf(charge), charge.merchantId, 0n),',
    bug: 'a payment is booked without its fee',
    tests: { 'test/transactions/pay-transaction.test.ts': ['200: 777 pays'] },
  },
  {
    file: 'src/transactions/settle.ts',
    line: "const mailed = paid.filter(({ facts }) => facts.mailsPaid && facts.transaction.payer.email !== '');",
    instead: "const mailed = paid.filter(({ facts }) => facts.transaction.payer.email !== '');",
    bug: 'payers get mails that the merchant has switched off',
    tests: { 'test/transactions/mail.test.ts': ['switched off'] },
  },
  {
    file: 'src/transactions/cancel.ts',
    line: 'refuseUnlessPending(transaction);',
    instead: '',
    bug: 'a paid transaction is canceled',
    tests: { 'test/race/pay.test.ts': ['paid, then cancel: refused'] },
  },
  {
    file: 'src/transactions/cancel.ts',
    line: 'await updatePaymentsDue(sql, ids, now);',
    instead: '',
    bug: 'an open attempt of a canceled transaction is not ended at the bank',
    tests: { 'test/race/pay.test.ts': ['waiting at the bank, cancel: the payer can no longer confirm'] },
  },
  {
    file: 'src/transactions/cancel.ts',
    line: "return paymentStatus === 'declined' && !declineNotified && origin !== 'marketplace';",
    instead: "return paymentStatus === 'declined' && origin !== 'marketplace';",
    bug: 'a decline that was told is told again with the cancel',
    tests: {
      'test/notifications/declines.test.ts': [
        'declined, then canceled or expired',
        'an older attempt is declined after a newer one began',
      ],
    },
  },
  {
    file: 'src/transactions/cancel.ts',
    line: 'export const payableFor = Temporal.Duration.from({ months: 1 });',
    instead: 'export const payableFor = Temporal.Duration.from({ days: 28 });',
    bug: 'a transaction expires before its month is over',
    tests: { 'test/transactions/expiry.test.ts': ['with counts not added yet', 'with counts added up'] },
  },
  {
    file: 'src/transactions/payer.ts',
    line: 'const isTheirs = given.length === kept.length && timingSafeEqual(given, kept);',
    instead: 'const isTheirs = true;',
    bug: 'the pay page of a transaction needs only its id',
    tests: {
      'test/pages/pay-page.test.ts': ['404: unknown id, wrong key, malformed address alike', 'the QR code of the page'],
    },
  },
  {
    file: 'src/transactions/payer.ts',
    line: 'if (number !== nextAttempt(view)) return undefined;',
    instead: '',
    bug: 'a form of an earlier state pays',
    tests: {
      'test/wallet/pay-page.test.ts': ['a form of an earlier state is outdated, and its token pays in a fresh one'],
    },
  },
  {
    file: 'src/transactions/payer.ts',
    line: "if (!enabledMethod(merchant.channels, { id: channelId })) refuse('not_valid', 'channelId');",
    instead: '',
    bug: 'a payer pays by a channel that the merchant lacks',
    tests: { 'test/pages/pay-page.test.ts': [] },
    unnoticed:
      'the page reads only forms of the merchant’s methods, and the data of a method is asked for its channel again',
  },
  {
    file: 'src/transactions/store/attempts.ts',
    line: "where locked.status = 'pending' and locked.origin <> 'recurring' and locked.attempts_started < wanted.most",
    instead: "where locked.origin <> 'recurring' and locked.attempts_started < wanted.most",
    bug: 'an attempt starts although the transaction was canceled meanwhile',
    tests: { 'test/transactions/attempts.test.ts': ['what no attempt starts of'] },
  },
  {
    file: 'src/transactions/store/attempts.ts',
    line: 'from locked join wanted on locked.id = wanted.transaction_id and locked.merchant_id = wanted.merchant_id',
    instead: 'from locked join wanted on locked.id = wanted.transaction_id',
    bug: "a merchant starts an attempt of another merchant's transaction",
    tests: { 'test/transactions/attempts.test.ts': ['what no attempt starts of'] },
  },
  {
    file: 'src/transactions/store/attempts.ts',
    line: "where transaction.id = any(${ids}::text[]) and transaction.origin <> 'recurring'",
    instead: 'where transaction.id = any(${ids}::text[])',
    bug: 'the charge of a recurring payment has a pay page',
    tests: { 'test/recurring/charge.test.ts': ['the first charge, and the next a month later'] },
  },
  {
    file: 'src/transactions/store/attempts.ts',
    line: "or account.status = 'active'",
    instead: 'or true',
    bug: 'the pay page of a blocked merchant takes payments',
    tests: { 'test/pages/pay-page.test.ts': ['404: a pending payment of a blocked merchant'] },
  },
];

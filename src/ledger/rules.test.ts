// Journals as data: what each moves, one line per case, with amounts that occur once.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AccountId, knownId } from '../kernel/index.ts';
import {
  borneBy,
  type Capture,
  disputeJournal,
  disputeLossJournal,
  type Journal,
  openingJournal,
  paymentFee,
  paymentJournal,
  payoutCreatedJournal,
  payoutMovedJournal,
  payoutReturnedJournal,
  reconciledJournal,
  refundCameBackJournal,
  refundExecutedJournal,
  refundJournal,
  refundPaidLateJournal,
  refundReturnedJournal,
  returnCameBackJournal,
  splitPaymentJournal,
  splitRefundCameBackJournal,
  splitRefundJournal,
  splitRefundReturnedJournal,
  surplusJournals,
  surplusOwedAgainJournal,
  surplusWithdrawnJournal,
  unmatchedReturnedJournal,
} from './rules.ts';

const [a, b, partner] = ['A', 'B', 'P'].map((text) => knownId<AccountId>(text)) as [AccountId, AccountId, AccountId];
const capture: Capture = { source: 'S', acquirer: 'bank', currency: 'PLN', amountMinor: 12_345n };
const refund = { source: 'S', currency: 'PLN', amountMinor: 3_000n, feeMinor: 100n } as const;
const shares = [
  { merchantId: a, amountMinor: 10_000n, feeMinor: 150n, commissionMinor: 500n },
  { merchantId: b, amountMinor: 2_345n, feeMinor: 30n, commissionMinor: 7n },
];
const nothing = {
  lossMinor: 0n,
  unallocatedMinor: 0n,
  bankMinor: 0n,
  feeMinor: 0n,
  disputeMinor: 0n,
  suspenseMinor: 0n,
};
const unmoved = {
  source: 'S',
  currency: 'PLN',
  transitMinor: 0n,
  availableMinor: 0n,
  owedMinor: 0n,
  feeMinor: 0n,
  bankMinor: 0n,
} as const;
const free = shares.map((share) => ({ ...share, feeMinor: 0n, commissionMinor: 0n }));

function shown({ source, kind, currency, entries }: Journal): string {
  assert.deepEqual([source, currency], ['S', 'PLN']);
  return `${kind}: ${entries.map(({ account, amountMinor }) => `${account} ${amountMinor}`).join(', ')}`;
}

suite('journals', () => {
  // Guarantee: each moves exactly this money between exactly these accounts, and sums to zero.
  for (const [journal, expected] of [
    [
      paymentJournal(capture, a, 37n),
      'payment: acquirer:bank:receivable 12345, merchant:A:available -12308, income:processing_fee -37',
    ],
    [paymentJournal(capture, a, 0n), 'payment: acquirer:bank:receivable 12345, merchant:A:available -12345'],
    [
      splitPaymentJournal(capture, partner, shares),
      'payment: acquirer:bank:receivable 12345, merchant:A:available -9350, merchant:B:available -2308, income:processing_fee -180, merchant:P:available -507',
    ],
    [
      splitPaymentJournal(capture, partner, free),
      'payment: acquirer:bank:receivable 12345, merchant:A:available -10000, merchant:B:available -2345',
    ],
    [surplusJournals(capture)[0], 'surplus: acquirer:bank:receivable 12345, payer:unallocated -12345'],
    [surplusJournals(capture)[1], 'surplus refund: payer:unallocated 12345, refund:payable -12345'],
    [refundJournal(refund, a), 'refund: merchant:A:available 3100, refund:payable -3000, income:refund_fee -100'],
    [
      refundReturnedJournal(refund, a),
      'refund returned: refund:payable 3000, income:refund_fee 100, merchant:A:available -3100',
    ],
    [
      splitRefundJournal(refund, partner, shares),
      'refund: merchant:A:available 9650, merchant:B:available 2368, merchant:P:available 507, refund:payable -12345, income:refund_fee -180',
    ],
    [
      splitRefundReturnedJournal(refund, partner, shares),
      'refund returned: merchant:A:available -9650, merchant:B:available -2368, merchant:P:available -507, refund:payable 12345, income:refund_fee 180',
    ],
    [refundPaidLateJournal(capture), 'refund paid late: payer:unallocated 12345, acquirer:bank:receivable -12345'],
    [refundExecutedJournal(capture), 'refund executed: refund:payable 12345, acquirer:bank:receivable -12345'],
    [
      reconciledJournal(capture, { ...nothing, kind: 'unmatched capture', unallocatedMinor: 12_345n }),
      'unmatched capture: acquirer:bank:receivable 12345, payer:unallocated -12345',
    ],
    [
      reconciledJournal({ ...capture, amountMinor: -5n }, { ...nothing, kind: 'correction', lossMinor: 5n }),
      'correction: acquirer:bank:receivable -5, expense:loss 5',
    ],
    [
      reconciledJournal(
        { ...capture, amountMinor: -12_365n },
        { ...nothing, kind: 'payout', bankMinor: 12_345n, feeMinor: 20n },
      ),
      'payout: acquirer:bank:receivable -12365, bank:client 12345, expense:acquirer_fee 20',
    ],
    [
      reconciledJournal({ ...capture, amountMinor: -20n }, { ...nothing, kind: 'payout', feeMinor: 20n }),
      'payout: acquirer:bank:receivable -20, expense:acquirer_fee 20',
    ],
    [
      reconciledJournal({ ...capture, amountMinor: -30n }, { ...nothing, kind: 'line suspended', suspenseMinor: -30n }),
      'line suspended: acquirer:bank:receivable -30, acquirer:bank:suspense 30',
    ],
    [
      reconciledJournal(
        { ...capture, amountMinor: 0n },
        { ...nothing, kind: 'suspense explained', suspenseMinor: 30n, feeMinor: 30n },
      ),
      'suspense explained: expense:acquirer_fee 30, acquirer:bank:suspense -30',
    ],
    [
      reconciledJournal({ ...capture, amountMinor: -40n }, { ...nothing, kind: 'dispute taken', disputeMinor: -40n }),
      'dispute taken: acquirer:bank:receivable -40, dispute:payable 40',
    ],
    [unmatchedReturnedJournal(capture), 'unmatched returned: payer:unallocated 12345, acquirer:bank:receivable -12345'],
    [
      refundCameBackJournal({ ...refund, acquirer: 'bank' }, a),
      'refund came back: acquirer:bank:receivable 3000, income:refund_fee 100, merchant:A:available -3100',
    ],
    [
      splitRefundCameBackJournal({ ...refund, acquirer: 'bank' }, partner, shares),
      'refund came back: merchant:A:available -9650, merchant:B:available -2368, merchant:P:available -507, acquirer:bank:receivable 12345, income:refund_fee 180',
    ],
    [
      returnCameBackJournal(capture, 'surplus came back'),
      'surplus came back: acquirer:bank:receivable 12345, payer:unallocated -12345',
    ],
    [
      disputeJournal('S', 'PLN', [
        { accountId: a, availableMinor: 6_000n, owedMinor: 4_000n },
        { accountId: b, availableMinor: -300n, owedMinor: -20n },
      ]),
      'dispute: merchant:A:available 6000, merchant:A:owed 4000, merchant:B:available -300, merchant:B:owed -20, dispute:payable -9680',
    ],
    [disputeLossJournal('S', 'PLN', 7n), 'dispute written off: expense:loss 7, dispute:payable -7'],
    [
      disputeLossJournal('S', 'PLN', 7n, 5n),
      'dispute written off: expense:loss 2, payer:unallocated 5, dispute:payable -7',
    ],
    [disputeLossJournal('S', 'PLN', 0n, 5n), 'dispute written off: expense:loss -5, payer:unallocated 5'],
    [surplusWithdrawnJournal(capture), 'surplus withdrawn: refund:payable 12345, payer:unallocated -12345'],
    [surplusOwedAgainJournal(capture), 'surplus owed again: payer:unallocated 12345, refund:payable -12345'],
    [
      disputeJournal('S', 'PLN', [{ accountId: a, availableMinor: -1n, owedMinor: 0n }]),
      'dispute returned: merchant:A:available -1, dispute:payable 1',
    ],
    [
      payoutCreatedJournal({ ...capture, amountMinor: 10_000n, feeMinor: 100n }, a),
      'payout created: merchant:A:available 10100, merchant:A:payout_transit -10000, income:payout_fee -100',
    ],
    [
      payoutReturnedJournal({ ...capture, amountMinor: 10_000n, feeMinor: 100n }, a),
      'payout returned: merchant:A:payout_transit 10000, income:payout_fee 100, merchant:A:available -10100',
    ],
    [
      payoutMovedJournal({ ...unmoved, kind: 'payout paid', transitMinor: 10_000n, bankMinor: -10_000n }, a),
      'payout paid: merchant:A:payout_transit 10000, bank:client -10000',
    ],
    [
      payoutMovedJournal(
        { ...unmoved, kind: 'payout paid after all', availableMinor: 6_000n, owedMinor: 4_000n, bankMinor: -10_000n },
        a,
      ),
      'payout paid after all: merchant:A:available 6000, merchant:A:owed 4000, bank:client -10000',
    ],
    [
      payoutMovedJournal(
        { ...unmoved, kind: 'payout sent back', availableMinor: -10_000n, feeMinor: 500n, bankMinor: 9_500n },
        a,
      ),
      'payout sent back: merchant:A:available -10000, expense:bank_fee 500, bank:client 9500',
    ],
    [
      disputeJournal('S', 'PLN', [{ accountId: a, availableMinor: -1n, owedMinor: 1n }]),
      'dispute: merchant:A:available -1, merchant:A:owed 1',
    ],
  ] as const) {
    test(expected, () => {
      assert.ok(journal);
      assert.equal(shown(journal), expected);
      assert.equal(
        journal.entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
        0n,
      );
    });
  }

  test('an opening balance is of its merchant', () => {
    assert.deepEqual(openingJournal(a, 500n, 'PLN'), {
      source: 'A',
      kind: 'opening',
      currency: 'PLN',
      entries: [
        { account: 'bank:client', amountMinor: 500n },
        { account: 'merchant:A:available', amountMinor: -500n },
      ],
    });
  });

  // Guarantee: a journal that does not sum to zero is never made, in either direction.
  test('a cent too much or too little', () => {
    for (const cent of [1n, -1n]) {
      const off = { ...capture, amountMinor: capture.amountMinor + cent };
      assert.throws(() => splitPaymentJournal(off, partner, shares), {
        message: `Journal S payment is off by ${cent}.`,
      });
    }
  });
});

suite('the fee of a payment', () => {
  // Guarantee: half a cent is rounded up, and a fee never takes more than the payment.
  for (const [amount, basisPoints, fixed, expected] of [
    [10_000n, 150, 0n, 150n],
    [10_000n, 150, 30n, 180n],
    [33n, 150, 0n, 0n],
    [34n, 150, 0n, 1n],
    [100n, 50, 0n, 1n],
    [99n, 50, 0n, 0n],
    [299n, 50, 0n, 1n],
    [300n, 50, 0n, 2n],
    [10n, 0, 10n, 10n],
    [10n, 0, 11n, 10n],
    [10n, 5_000, 6n, 10n],
    [10n, 10_000, 0n, 10n],
    [0n, 150, 30n, 0n],
  ] as const) {
    test(`${basisPoints} basis points and ${fixed} of ${amount}: ${expected}`, () =>
      assert.equal(paymentFee(amount, { basisPoints, fixedMinor: fixed }), expected));
  }
});

suite('borneBy', () => {
  // Guarantee: a balance never goes below zero, and what it does not cover is owed, to the grosz; what is given back first
  // pays what is owed.
  for (const [minor, availableMinor, owedMinor, expected] of [
    [100n, 100n, 0n, '100 0'],
    [100n, 99n, 0n, '99 1'],
    [1n, 0n, 0n, '0 1'],
    [1n, 1n, 0n, '1 0'],
    [100n, 0n, 50n, '0 100'],
    [100n, 500n, 50n, '100 0'],
    [-100n, 0n, 100n, '0 -100'],
    [-100n, 5n, 40n, '-60 -40'],
    [-100n, 5n, 0n, '-100 0'],
    [-100n, 0n, 250n, '0 -100'],
  ] as const) {
    test(`${minor} with ${availableMinor} available and ${owedMinor} owed: ${expected}`, () => {
      const borne = borneBy({ accountId: a, minor }, { availableMinor, owedMinor });
      assert.equal(`${borne.availableMinor} ${borne.owedMinor}`, expected);
      assert.equal(borne.availableMinor + borne.owedMinor, minor);
    });
  }
});

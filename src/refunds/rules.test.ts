import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TransactionStatus } from '../transactions/index.ts';
import type { RefundStatus, Result } from './model.ts';
import { afterResult, contextOf, decideRefund, isDisputed, statusesOf } from './rules.ts';

const full = { kind: 'full' } as const;
const part = (amountMinor: bigint) => ({ kind: 'partial', amountMinor }) as const;

suite('decideRefund', () => {
  const basis = {
    status: 'paid' as TransactionStatus,
    channelId: 64 as number | null,
    paidMinor: 1_000n,
    goneMinor: 0n,
    disputedMinor: 0n,
    feeMinor: 10n,
    availableMinor: 5_000n,
  };
  // Guarantee: the status is checked first, then the channel, the 100 % limit and the balance; each to the grosz.
  for (const [name, change, requested, expected] of [
    ['all of it', {}, full, 1_000n],
    ['the rest', { goneMinor: 400n }, full, 600n],
    ['a part', {}, part(1n), 1n],
    ['a part that is all', {}, part(1_000n), 1_000n],
    ['a part that is the rest', { goneMinor: 999n }, part(1n), 1n],
    ['one grosz too many', {}, part(1_001n), 'refund_exceeds_paid'],
    ['one grosz too many of the rest', { goneMinor: 999n }, part(2n), 'refund_exceeds_paid'],
    ['nothing left, full', { goneMinor: 1_000n }, full, 'already_refunded'],
    ['nothing left, part', { goneMinor: 1_000n }, part(1n), 'refund_exceeds_paid'],
    ['all of it, a part is disputed', { disputedMinor: 1n }, full, 'payment_disputed'],
    ['what is not disputed', { disputedMinor: 600n }, part(400n), 400n],
    ['a grosz that is disputed', { disputedMinor: 600n }, part(401n), 'payment_disputed'],
    ['all of it is disputed', { disputedMinor: 1_000n }, part(1n), 'payment_disputed'],
    ['what is neither refunded nor disputed', { goneMinor: 300n, disputedMinor: 600n }, part(100n), 100n],
    [
      'more than is left of a disputed one',
      { goneMinor: 300n, disputedMinor: 600n },
      part(701n),
      'refund_exceeds_paid',
    ],
    ['just covered', { availableMinor: 1_010n }, full, 1_000n],
    ['the fee is not covered', { availableMinor: 1_009n }, full, 'insufficient_funds'],
    ['nothing on the balance', { availableMinor: 0n }, part(1n), 'insufficient_funds'],
    ['no fee', { feeMinor: 0n, availableMinor: 1_000n }, full, 1_000n],
    ['pending', { status: 'pending', availableMinor: 0n }, full, 'cannot_create_refund'],
    ['canceled', { status: 'canceled' }, full, 'transaction_canceled'],
    ['refunded', { status: 'refund', goneMinor: 1_000n }, part(1n), 'already_refunded'],
    ['channel 106', { channelId: 106, availableMinor: 0n }, full, 'cannot_create_refund'],
    ['an unknown channel', { channelId: 999 }, full, 'cannot_create_refund'],
    ['no channel', { channelId: null }, full, 'cannot_create_refund'],
    ['card', { channelId: 53 }, full, 1_000n],
    ['wallet', { channelId: 75 }, full, 1_000n],
    ['transfer', { channelId: 21 }, full, 1_000n],
  ] as const) {
    test(`${name}: ${expected}`, () => {
      const decision = decideRefund({ ...basis, ...change }, requested);
      assert.equal(decision.kind, typeof expected === 'bigint' ? 'granted' : 'refused');
      assert.equal(decision.kind === 'granted' ? decision.amountMinor : decision.why.code, expected);
    });
  }
});

suite('afterResult', () => {
  const hold: Result = { kind: 'hold' };
  const release: Result = { kind: 'release' };
  const cancel: Result = { kind: 'cancel', by: 'merchant' };
  const approved: Result = { kind: 'approved' };
  const declined: Result = { kind: 'declined' };
  const waiting: Result = { kind: 'waiting' };
  const again: Result = { kind: 'again' };
  // Guarantee: every transition of docs/decisions/0010, and no other; a final status never changes. `!` means sent.
  for (const [from, result, expected] of [
    ['New', hold, 'held Hold'],
    ['New', release, 'none'],
    ['New', cancel, 'returned Cancel'],
    ['New', approved, 'done Pending,Processed,Done'],
    ['New', declined, 'none'],
    ['Hold', hold, 'none'],
    ['Hold', release, 'released New'],
    ['Hold', cancel, 'returned Cancel'],
    ['Hold', approved, 'done Pending,Processed,Done'],
    ['Pending!', hold, 'refused'],
    ['Pending!', release, 'refused'],
    ['Pending!', cancel, 'refused'],
    ['Pending!', approved, 'done Processed,Done'],
    ['Pending!', declined, 'returned Cancel'],
    ['Pending!', waiting, 'wait Processed'],
    ['Pending!', again, 'look'],
    ['Processed!', approved, 'done Done'],
    ['Processed!', declined, 'returned Cancel'],
    ['Processed!', waiting, 'wait'],
    ['Processed!', cancel, 'refused'],
    ['Done!', approved, 'none'],
    ['Done!', declined, 'none'],
    ['Done!', waiting, 'none'],
    ['Done!', hold, 'refused'],
    ['Done!', release, 'refused'],
    ['Done!', cancel, 'refused'],
    ['Cancel', cancel, 'none'],
    ['Cancel', hold, 'refused'],
    ['Cancel', release, 'refused'],
    ['Cancel!', declined, 'none'],
    ['Cancel!', again, 'none'],
    ['Cancel!', approved, 'paidLate'],
  ] as const) {
    test(`${from}, ${result.kind}: ${expected}`, () => assert.equal(said(from, result, 53), expected));
  }
  for (const [from, result, expected] of [
    ['BLIK_pending', hold, 'held Hold'],
    ['BLIK_pending', release, 'none'],
    ['BLIK_pending', cancel, 'refused'],
    ['BLIK_pending', approved, 'done BLIK_processed'],
    ['Hold', release, 'released BLIK_pending'],
    ['Hold', cancel, 'returned Cancel'],
    ['BLIK_pending!', approved, 'done BLIK_processed'],
    ['BLIK_pending!', declined, 'returned BLIK_incorrect'],
    ['BLIK_pending!', waiting, 'wait'],
    ['BLIK_pending!', hold, 'refused'],
    ['BLIK_pending!', cancel, 'refused'],
    ['BLIK_processed!', declined, 'none'],
    ['BLIK_incorrect!', declined, 'none'],
    ['BLIK_incorrect!', approved, 'paidLate'],
    ['BLIK_incorrect!', cancel, 'refused'],
    // Of a surplus only: what its payer got by a dispute, a merchant has back.
    ['BLIK_pending!', { kind: 'withdraw' }, 'refused'],
  ] as const) {
    test(`BLIK: ${from}, ${result.kind}: ${expected}`, () => assert.equal(said(from, result, 64), expected));
  }

  // Guarantee: an operator reads why a refund is parked, and the merchant who returned it.
  test('who returned it, and why it is parked', () => {
    for (const channelId of [53, 64]) {
      const sent = {
        status: channelId === 64 ? 'BLIK_pending' : 'Pending',
        channelId,
        sent: true,
        paidLate: false,
        cameBack: false,
      } as const;
      const step = afterResult(sent, declined);
      assert.equal(step.kind === 'returned' && step.by, 'bank');
    }
    const waits = { status: 'New', channelId: 53, sent: false, paidLate: false, cameBack: false } as const;
    const canceled = afterResult(waits, cancel);
    assert.equal(canceled.kind === 'returned' && canceled.by, 'merchant');
    const late = afterResult(
      { status: 'Cancel', channelId: 53, sent: true, paidLate: false, cameBack: false },
      approved,
    );
    assert.equal(late.kind === 'paidLate' && late.why, 'paid_after_decline');
    const done = { status: 'Done', channelId: 53, sent: true, paidLate: false, cameBack: false } as const;
    const back = afterResult(done, { kind: 'cameBack' });
    assert.equal(back.kind === 'cameBack' && back.why, 'came_back');
  });

  test('what the bank paid late is booked once', () => {
    const refund = { status: 'Cancel' as const, channelId: 53, sent: true, paidLate: true, cameBack: false };
    assert.equal(afterResult(refund, approved).kind, 'none');
  });

  // Guarantee: money that came back is the merchant's again once, whatever was known of the refund before.
  test('what came back ends like a declined one, once', () => {
    const cameBack = { kind: 'cameBack' } as const;
    const back = (status: RefundStatus, facts: { sent?: boolean; paidLate?: boolean; cameBack?: boolean } = {}) => {
      const channelId = status.startsWith('BLIK') ? 64 : 53;
      const known = { sent: true, paidLate: false, cameBack: false, ...facts };
      const step = afterResult({ status, channelId, ...known }, cameBack);
      return step.kind === 'cameBack' ? [step.first, step.through.join()] : step.kind;
    };
    assert.deepEqual(back('Done'), [null, 'Cancel']);
    assert.deepEqual(back('BLIK_processed'), [null, 'BLIK_incorrect']);
    assert.deepEqual(back('Pending'), ['done', 'Processed,Done,Cancel']);
    assert.deepEqual(back('Processed'), ['done', 'Done,Cancel']);
    assert.deepEqual(back('BLIK_pending'), ['done', 'BLIK_processed,BLIK_incorrect']);
    assert.deepEqual(back('New', { sent: false }), ['done', 'Pending,Processed,Done,Cancel']);
    assert.deepEqual(back('Cancel'), ['paidLate', '']);
    assert.deepEqual(back('Cancel', { paidLate: true }), [null, '']);
    assert.equal(back('Cancel', { cameBack: true }), 'none');
    const again = { status: 'Cancel', channelId: 53, sent: true, paidLate: false, cameBack: true } as const;
    assert.equal(afterResult(again, approved).kind, 'none');
  });

  function said(from: string, result: Result, channelId: number): string {
    const status = from.replace('!', '') as RefundStatus;
    const step = afterResult({ status, channelId, sent: from.endsWith('!'), paidLate: false, cameBack: false }, result);
    const through = 'through' in step ? step.through.join() : '';
    return `${step.kind} ${through}`.trim();
  }
});

// Guarantee: a dispute takes nothing from what can be refunded beside it; without one this is not what refuses.
test('what a dispute leaves', () => {
  assert.equal(isDisputed(400n, 1_000n, 600n), false);
  assert.equal(isDisputed(401n, 1_000n, 600n), true);
  assert.equal(isDisputed(1_001n, 1_000n, 0n), false);
});

test('the context of a refund is that of its method', () => {
  assert.deepEqual([53, 64, 21, 999].map(contextOf), ['card', 'transactional', 'transactional', 'transactional']);
  assert.deepEqual([53, 64, 21, 999].map(statusesOf), ['usual', 'blik', 'usual', 'usual']);
});

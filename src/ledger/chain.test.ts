import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { suite, test } from 'node:test';
import { chainStart, hexOf, marksOf, sealHash } from './chain.ts';
import type { SealableJournal } from './store.ts';

const journal: SealableJournal = {
  id: '01M7NRD9HJ9YKRH1FSMXS8PS2P',
  source: '01M7NRD9E48WF381JPEHJAKH8C',
  kind: 'payment',
  currency: 'PLN',
  postedAt: Temporal.Instant.from('2026-11-17T22:00:32.563Z'),
  entries: [
    [1, 'acquirer:simulator:receivable', '1234'],
    [2, 'merchant:01M7NRD8PQ6G38V4SCXYPH5QPK:available', '-1197'],
    [3, 'income:processing_fee', '-37'],
  ],
};

suite('the hash chain', () => {
  // Guarantee: chains of earlier versions stay verifiable, so these bytes never change.
  test('marks and seals of a known journal', () => {
    const marks = marksOf(journal);
    assert.equal(hexOf(Uint8Array.of(1, 255)), '01ff');
    assert.equal(marks, 'c9dfe61554a34bea0c67c6460b6a540f8693011f32624de739525400ff5d6a8b');
    const first = sealHash(chainStart, 1n, journal.id, marks);
    assert.equal(first, 'ede2481cb98fbe159709fe79879e1e26328b66132524866bc9584640a1a316c8');
    const second = sealHash(first, 2n, journal.id, marks);
    assert.equal(second, '8f669a79fb7b8f5591103ab34089454b965b0e8e530eb23210bb67b13d5e01dc');
  });

  // Guarantee: a journal with thousands of entries is sealed like any other.
  test('a journal whose marks are longer than the shared buffer', () => {
    for (const bytes of [65_000, 65_504, 65_536, 70_000]) {
      const marks = 'ab'.repeat(bytes);
      const place = Buffer.from(`7 ${journal.id}\n`);
      const whole = Buffer.concat([Buffer.from(chainStart, 'hex'), place, Buffer.from(marks, 'hex')]);
      assert.equal(sealHash(chainStart, 7n, journal.id, marks), hash('sha256', whole, 'hex'));
    }
  });
});

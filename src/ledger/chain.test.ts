import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chainStart, changedRows, marksOf, sealHash } from './chain.ts';
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
    assert.equal(marks.toHex(), 'c9dfe61554a34bea0c67c6460b6a540f8693011f32624de739525400ff5d6a8b');
    const first = sealHash(chainStart, 1n, journal.id, marks);
    assert.equal(first.toHex(), 'ede2481cb98fbe159709fe79879e1e26328b66132524866bc9584640a1a316c8');
    const second = sealHash(first, 2n, journal.id, marks);
    assert.equal(second.toHex(), '8f669a79fb7b8f5591103ab34089454b965b0e8e530eb23210bb67b13d5e01dc');
  });

  test('a changed row, a removed entry and an added one are named', () => {
    const marks = marksOf(journal);
    const [first, ...others] = journal.entries;
    assert.ok(first);
    assert.deepEqual(changedRows(journal, marks), []);
    assert.deepEqual(changedRows({ ...journal, kind: 'opening' }, marks), ['row']);
    assert.deepEqual(changedRows({ ...journal, entries: [first, ...others.toReversed()] }, marks), [2, 3]);
    assert.deepEqual(changedRows({ ...journal, entries: journal.entries.slice(0, 2) }, marks), [3]);
    assert.deepEqual(changedRows({ ...journal, entries: [...journal.entries, [4, 'bank:own', '1']] }, marks), [4]);
  });
});

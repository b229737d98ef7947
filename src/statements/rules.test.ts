// What a line is taken for, and how a statement continues the one before.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { continuationOf, endingOf, ibanOf, lineId, nothingKnown, takenFor, titleOf, waitingOf } from './rules.ts';

const payout = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';
const other = '01K9Z4M7Q1T4W7A0B2C5E8F9GJ';
const plain = { amountMinor: -100n, endToEndId: null, text: '', kind: null, payments: 1 } as const;

suite('what a line is taken for', () => {
  const cases = [
    ['nothing known', plain, 'unallocated', null],
    ['nothing moved', { ...plain, amountMinor: 0n, endToEndId: payout }, 'nothing', null],
    ['our end-to-end id', { ...plain, endToEndId: payout }, 'payout', payout],
    ['our reference in the end-to-end id', { ...plain, endToEndId: `GROSZ ${payout}` }, 'payout', payout],
    ['our reference in the title', { ...plain, text: `GROSZ ${payout} for you` }, 'payout', payout],
    ['both, the same', { ...plain, endToEndId: payout, text: `GROSZ ${payout}` }, 'payout', payout],
    ['two of ours', { ...plain, endToEndId: payout, text: `GROSZ ${other}` }, 'unallocated', null],
    ['ours, and it came', { ...plain, amountMinor: 1n, endToEndId: payout }, 'payout_returned', payout],
    ['of several payments', { ...plain, endToEndId: payout, payments: 2 }, 'unallocated', null],
    ['an id that is not ours', { ...plain, endToEndId: 'E-1', text: payout }, 'unallocated', null],
    ['a charge of the bank', { ...plain, kind: 'CHRG' }, 'fee', null],
    ['a charge of the bank in MT940', { ...plain, kind: 'NCHG' }, 'fee', null],
    ['a charge that came back', { ...plain, amountMinor: 1n, kind: 'CHRG' }, 'unallocated', null],
    ['a charge that names a payout', { ...plain, kind: 'CHRG', text: `GROSZ ${payout}` }, 'payout', payout],
    ['a transfer', { ...plain, kind: 'NTRF' }, 'unallocated', null],
  ] as const;
  for (const [what, line, state, target] of cases) {
    test(what, () => assert.deepEqual(takenFor(line), { state, target }));
  }

  test('what an operator has to say about it', () => {
    const at = Temporal.Instant.from('2026-11-18T10:00:00Z');
    assert.deepEqual(waitingOf('unallocated', 5n, at), { leftMinor: 5n, parkedAt: at });
    for (const state of ['fee', 'payout', 'payout_returned', 'repeated', 'nothing'] as const)
      assert.deepEqual(waitingOf(state, 5n, at), { leftMinor: 0n, parkedAt: null });
  });
});

suite('how a statement continues', () => {
  const nothing = nothingKnown;
  const known = (lines: number, minor: bigint, balances = false) => ({ lines, minor, balances });
  const two = { openingMinor: 100n, closingMinor: 130n, lines: 2, sumMinor: 30n };
  const next = (broughtMinor = 0n, repeated = false) => ({ kind: 'next', broughtMinor, repeated });
  const cases = [
    ['the first', null, two, nothing, false, next(100n)],
    ['the next', 100n, two, nothing, false, next()],
    ['a gap', 90n, two, nothing, false, { kind: 'gap' }],
    ['a gap below', 110n, two, nothing, false, { kind: 'gap' }],
    ['an accepted gap', 90n, two, nothing, true, next(10n)],
    ['no accepted gap where lines are known', 90n, two, known(1, 5n), true, { kind: 'gap' }],
    ['all known', 130n, two, known(2, 30n, true), false, { kind: 'repeated' }],
    ['all known, in the books for long', 500n, two, known(2, 30n, true), false, { kind: 'repeated' }],
    ['all known, not by the balances', 500n, two, known(2, 30n), false, { kind: 'gap' }],
    ['all known, not by the balances, the gap accepted', 500n, two, known(2, 30n), true, { kind: 'gap' }],
    ['one known, with the balances of earlier ones', 500n, two, known(1, 10n, true), false, { kind: 'gap' }],
    ['its only line known', 500n, { ...two, lines: 1 }, known(1, 30n, true), false, { kind: 'repeated' }],
    [
      'one known, and it comes to nothing',
      100n,
      { ...two, closingMinor: 100n, sumMinor: 0n },
      known(1, 0n),
      false,
      next(0n, true),
    ],
    ['all known, although it continues', 100n, two, known(2, 30n, true), false, next()],
    [
      'all known, and it comes to nothing',
      100n,
      { ...two, closingMinor: 100n, sumMinor: 0n },
      known(2, 0n),
      false,
      { kind: 'repeated' },
    ],
    ['one known, by the balances too', 110n, two, known(1, 10n), false, next(0n, true)],
    ['one known, not by the balances', 111n, two, known(1, 10n), false, { kind: 'gap' }],
    ['one known, although it continues', 100n, two, known(1, 10n), false, next()],
    ['one known that came to nothing', 100n, two, known(1, 0n), false, next(0n, true)],
    ['without lines', 100n, { ...two, closingMinor: 100n, lines: 0, sumMinor: 0n }, nothing, false, next()],
    [
      'without lines, elsewhere',
      90n,
      { ...two, closingMinor: 100n, lines: 0, sumMinor: 0n },
      nothing,
      false,
      { kind: 'gap' },
    ],
  ] as const;
  for (const [what, closed, statement, known, acceptsGap, expected] of cases) {
    test(what, () => assert.deepEqual(continuationOf(closed, statement, known, acceptsGap), expected));
  }
});

suite('names', () => {
  test('accounts as banks write them', () => {
    assert.equal(ibanOf('61 1090 1014 0000 0712 1981 2874'), 'PL61109010140000071219812874');
    assert.equal(ibanOf('/PL61109010140000071219812874'), 'PL61109010140000071219812874');
    assert.equal(ibanOf('de89370400440532013000'), 'DE89370400440532013000');
    assert.equal(endingOf('PL61109010140000071219812874'), '2874');
    assert.equal(endingOf(null), null);
  });

  // Guarantee: no whole account number is kept of a title, and nothing else is taken out of it.
  test('accounts in titles', () => {
    for (const number of [
      'PL61109010140000071219812874',
      'PL61 1090 1014 0000 0712 1981 2874',
      '61109010140000071219812874',
      '61 1090 1014 0000 0712 1981 2874',
    ])
      assert.equal(titleOf(`/IBAN/${number}/NAME/JAN 7`), '/IBAN/…2874/NAME/JAN 7');
    assert.equal(titleOf('a DE89370400440532013000, DE89370400440532013000'), 'a …3000, …3000');
    assert.equal(titleOf('NO9386011117947'), '…7947');
    for (const text of [
      '',
      `GROSZ ${payout}`,
      'PL62109010140000071219812874',
      '62109010140000071219812874',
      'PL6110901014000007121981287',
      'x61109010140000071219812874',
      '611090101400000712198128740',
      'invoice 2026/11/0000000000000000000000012',
    ])
      assert.equal(titleOf(text), text);
  });

  test('ids of lines are in the order of the statement', () => {
    assert.equal(lineId(payout, 7), `${payout}-0000007`);
    assert.ok(lineId(payout, 9) < lineId(payout, 10));
  });
});

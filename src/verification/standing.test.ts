// Which runs say of what was found wrong that it is gone.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Finding } from '../../contract/codes/findings.ts';
import { afterRun, namedIn } from './standing.ts';
import type { KnownRun } from './store.ts';

const at = (minutes: number) => Temporal.Instant.from('2026-03-10T09:00:00Z').add({ minutes });

function aRun(id: string, minutes: number, since: number | null, more: Partial<KnownRun> = {}): KnownRun {
  return {
    id,
    startedBy: 'service',
    startedAt: at(minutes),
    sinceAt: since === null ? null : at(since),
    nodeId: null,
    leaseUntil: at(minutes),
    endedAt: at(minutes + 1),
    codes: [],
    problemsHash: `of ${id}`,
    journals: 1n,
    entries: 1n,
    reread: [],
    position: null,
    standing: null,
    rightUntil: null,
    mac: null,
    ...more,
  };
}

const wrong = aRun('wrong', 60, 0, { codes: ['charge_differs'] });
const known = { standing: [wrong], lost: ['lost'], rightUntil: at(0) };

suite('what stands after a run', () => {
  // Guarantee: a run that began before something was found wrong has not read it again, whatever it looked at.
  test('clears what it has read again only', () => {
    assert.deepEqual(afterRun(known, aRun('later', 120, 0)), { standing: ['wrong', 'lost'], rightUntil: at(0) });
    const reread = ['wrong'];
    assert.deepEqual(afterRun(known, aRun('later', 120, 0, { reread })).standing, ['lost']);
    assert.deepEqual(afterRun(known, aRun('later', 120, 1, { reread })).standing, ['wrong', 'lost']);
  });

  // Guarantee: one of everything clears what stood when it began; two clocks do not tell which run began first.
  test('clears nothing that was found after it had begun', () => {
    assert.deepEqual(afterRun(known, aRun('long', 120, null)).standing, ['wrong', 'lost']);
    assert.deepEqual(afterRun(known, aRun('long', 120, null, { reread: ['wrong'] })).standing, ['lost']);
    const reread = ['wrong', 'lost'];
    assert.deepEqual(afterRun(known, aRun('later', 120, null, { reread })), { standing: [], rightUntil: at(120) });
    assert.deepEqual(afterRun(known, aRun('its clock is behind', 30, null, { reread })).standing, []);
  });

  // Guarantee: a run that ends later does not take back how far the books were right.
  test('goes on from where the books were right', () => {
    const right = { standing: [], lost: [], rightUntil: at(60) };
    assert.deepEqual(afterRun(right, aRun('next', 120, 60)).rightUntil, at(120));
    assert.deepEqual(afterRun(right, aRun('gap', 120, 61)).rightUntil, at(60));
    assert.deepEqual(afterRun(right, aRun('before', 50, 40)).rightUntil, at(60));
    assert.deepEqual(afterRun({ ...right, rightUntil: null }, aRun('next', 120, 60)).rightUntil, null);
  });

  const found = (...codes: Finding['code'][]) => ({ codes });
  const after = (before: KnownRun, run: KnownRun) =>
    afterRun({ standing: [before], lost: [], rightUntil: at(0) }, run).standing;

  // Guarantee: a run that could not read everything says of nothing that it is gone.
  test('a run that did not look at everything', () => {
    for (const code of ['part_not_verified', 'verification_failed'] as const) {
      const later = aRun('later', 120, null, { ...found(code), reread: ['wrong', 'lost'] });
      assert.deepEqual(after(wrong, later), ['wrong', 'later']);
      assert.deepEqual(afterRun(known, later).standing, ['wrong', 'lost', 'later']);
    }
  });

  // Guarantee: what cannot be read for a month is one run that stands, not 720, and nothing is forgotten by that.
  test('a run that found the same', () => {
    const same = { ...found('part_not_verified'), problemsHash: 'the same' };
    const first = aRun('first', 60, 0, same);
    assert.deepEqual(after(first, aRun('later', 120, 0, same)), ['later']);
    assert.deepEqual(after(first, aRun('more', 120, null, same)), ['more']);
    assert.deepEqual(after(first, aRun('less', 120, 1, same)), ['first', 'less']);
    assert.deepEqual(after(first, aRun('earlier', 59, 0, same)), ['first', 'earlier']);
    assert.deepEqual(after(aRun('everything', 60, null, same), aRun('later', 120, 0, same)), ['everything', 'later']);
    assert.deepEqual(after(first, aRun('other', 120, 0, found('part_not_verified'))), ['first', 'other']);
  });

  // Guarantee: of a run that failed every later one says that it is gone; of anything else beside it none does.
  test('a run that failed', () => {
    const failed = aRun('failed', 120, null, found('verification_failed'));
    assert.deepEqual(after(failed, aRun('later', 60, 0)), []);
    const both = aRun('both', 60, 0, found('verification_failed', 'charge_differs'));
    assert.deepEqual(after(both, aRun('later', 120, 0)), ['both']);
  });

  // Guarantee: only who knows what was noted elsewhere says that the chains have it.
  test('what was noted elsewhere', () => {
    for (const code of ['chain_ends_before_note', 'chain_differs_from_note', 'note_not_ours'] as const) {
      const noted = aRun('noted', 60, null, found(code));
      const reread = ['noted'];
      assert.deepEqual(after(noted, aRun('later', 120, null, { reread })), ['noted']);
      assert.deepEqual(after(noted, aRun('later', 120, null, { reread, startedBy: 'command_line' })), []);
    }
  });

  // Guarantee: what a run of everything found only another one ends.
  test('a run of everything', () => {
    const everything = aRun('everything', 60, null, found('charge_differs'));
    const reread = ['everything'];
    assert.deepEqual(after(everything, aRun('later', 120, 0, { reread })), ['everything']);
    assert.deepEqual(after(everything, aRun('later', 120, null, { reread })), []);
    assert.deepEqual(after(everything, aRun('beside', 120, null)), ['everything']);
  });
});

// Guarantee: what is read again is every id that a finding names, alone or within the name of an account.
test('what findings name', () => {
  const id = '01M7EK05Q9B26FF7RAKAYZ3ASS';
  const problems: Finding[] = [
    { code: 'account_missing', parameters: { account: `merchant:${id}:available` } },
    { code: 'entry_changed', parameters: { journalId: '01M7EK0YX3R86VQTR9FD5MTS3Z', line: 2 } },
    { code: 'charge_differs', parameters: { id } },
  ];
  assert.deepEqual(namedIn([...problems, ...problems]), [`merchant:${id}:available`, id, '01M7EK0YX3R86VQTR9FD5MTS3Z']);
});

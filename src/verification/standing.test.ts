// Which runs say of what was found wrong that it is gone.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { afterRun } from './standing.ts';
import type { VerifyRun } from './store.ts';

const at = (minutes: number) => Temporal.Instant.from('2026-03-10T09:00:00Z').add({ minutes });

function aRun(id: string, minutes: number, since: number | null, more: Partial<VerifyRun> = {}): VerifyRun {
  return {
    id,
    startedBy: 'service',
    startedAt: at(minutes),
    sinceAt: since === null ? null : at(since),
    nodeId: null,
    leaseUntil: at(minutes),
    endedAt: at(minutes + 1),
    problems: [],
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

const wrong = aRun('wrong', 60, 0, { problems: [{ code: 'charge_differs', parameters: { id: 'one' } }] });
const known = { standing: [wrong], lost: ['lost'], rightUntil: at(0) };

suite('what stands after a run', () => {
  // Guarantee: a run that began before something was found wrong has not read it again, whatever it looked at.
  test('clears what it has read again only', () => {
    assert.deepEqual(afterRun(known, aRun('later', 120, 0)), { standing: ['wrong', 'lost'], rightUntil: at(0) });
    const reread = ['wrong'];
    assert.deepEqual(afterRun(known, aRun('later', 120, 0, { reread })).standing, ['lost']);
    assert.deepEqual(afterRun(known, aRun('later', 120, 1, { reread })).standing, ['wrong', 'lost']);
  });

  test('clears nothing that was found after it had begun', () => {
    assert.deepEqual(afterRun(known, aRun('long', 30, null)).standing, ['wrong']);
    assert.deepEqual(afterRun(known, aRun('later', 120, null)), { standing: [], rightUntil: at(120) });
  });

  // Guarantee: a run that ends later does not take back how far the books were right.
  test('goes on from where the books were right', () => {
    const right = { standing: [], lost: [], rightUntil: at(60) };
    assert.deepEqual(afterRun(right, aRun('next', 120, 60)).rightUntil, at(120));
    assert.deepEqual(afterRun(right, aRun('gap', 120, 61)).rightUntil, at(60));
    assert.deepEqual(afterRun(right, aRun('before', 50, 40)).rightUntil, at(60));
    assert.deepEqual(afterRun({ ...right, rightUntil: null }, aRun('next', 120, 60)).rightUntil, null);
  });
});

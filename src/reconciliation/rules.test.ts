import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outgoing } from '../banking/index.ts';
import { afterReturn } from './rules.ts';

const outgoing = { state: 'sent', cameBackAt: null, checks: 0, otherAmounts: 0 } as Outgoing;

// Guarantee: what the bank refused, or an operator withdrew, stays so, because another return may have taken its place; the
// statement says what moved.
test('money that came back of a return', () => {
  const after = (state: Outgoing['state']) => afterReturn({ ...outgoing, state }, { kind: 'cameBack' });
  assert.deepEqual(after('sent'), { kind: 'cameBack', first: 'done', why: 'came_back' });
  assert.deepEqual(after('done'), { kind: 'cameBack', first: null, why: 'came_back' });
  for (const state of ['refused', 'canceled'] as const) assert.deepEqual(after(state), { kind: 'none' });
});

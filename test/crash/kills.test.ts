// The real service, killed with -9 under load, and its PostgreSQL too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killAndCompare } from '../prove/kills.ts';

// Guarantee: after any kill, acknowledged writes are there, the others are resolved, and nothing is paid twice or lost.
test('service, PostgreSQL and both killed under load', async () => {
  const { missing, problems, odd, open, kills } = await killAndCompare({ kills: 3, writes: 900, seed: 'share' });
  assert.deepEqual({ missing, problems, odd, open, kills }, { missing: [], problems: [], odd: [], open: 0, kills: 3 });
});

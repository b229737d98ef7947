// Real workers of the recurring engine, killed in mid-charge. Mostly waits: leases and slow responses pass in real time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killWorkers } from '../prove/recurring.ts';

// Guarantee: no charge is made twice and none is missed by real workers, repeatedly killed with -9 in mid-charge,
// according to the bank's own record.
test('workers killed with -9', { timeout: 300_000 }, async () => {
  const seen = await killWorkers({ recurrings: 60, kills: 2, seed: 'share' });
  assert.deepEqual(
    { problems: seen.problems, twice: seen.twice, missed: seen.missed },
    { problems: [], twice: [], missed: [] },
  );
  assert.equal(seen.kills, 2);
});

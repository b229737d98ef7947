// What a verification tells, and when it keeps how far the books were right.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql, Verifying } from '../database/index.ts';
import { type VerifyOptions, verifyBooks } from './run.ts';

const ofLedger: Finding = { code: 'account_missing', parameters: { account: 'nobody' } };
const ofRoom: Finding = { code: 'verification_failed', parameters: {} };
const now = Temporal.Instant.from('2026-03-10T09:00:00Z');

async function verified(inLedger: Finding[], inRoom: Finding[], options: VerifyOptions = {}) {
  const kept: string[] = [];
  const given: Verifying[] = [];
  const log = { debug: () => undefined } as unknown as Parameters<typeof verifyBooks>[0]['log'];
  const read = {
    found: inLedger,
    books: { position: 7n, sums: new Map() },
    sources: ['source'],
    journals: 7n,
    entries: 14n,
    keep: async () => void kept.push('kept'),
  };
  const { problems } = await verifyBooks(
    { log, clock: { now: () => now }, db: { sql: undefined as unknown as Sql } },
    { seal: async () => undefined, read: async () => read },
    [
      { name: 'silent' },
      {
        name: 'room',
        verify: async (verifying) => {
          given.push(verifying);
          return inRoom;
        },
      },
    ],
    options,
  );
  return { problems, kept, given };
}

suite('verifying the books', () => {
  // Guarantee: what any room finds is told, beside what the ledger finds.
  test('tells what the ledger and the rooms find', async () => {
    assert.deepEqual((await verified([ofLedger], [ofRoom])).problems, [ofLedger, ofRoom]);
    assert.deepEqual((await verified([], [ofRoom])).problems, [ofRoom]);
  });

  // Guarantee: the next run reads again what was wrong.
  test('keeps how far they were right only if nothing is wrong', async () => {
    assert.deepEqual((await verified([], [])).kept, ['kept']);
    assert.deepEqual((await verified([ofLedger], [])).kept, []);
    assert.deepEqual((await verified([], [ofRoom])).kept, []);
  });

  // Guarantee: a run of what changed has no sums of everything to compare with, and begins a little earlier.
  test('a run of what changed', async () => {
    const [{ given: whole }, { given: changed }] = [await verified([], []), await verified([], [], { since: now })];
    assert.deepEqual([whole[0]?.since, whole[0]?.books?.position], [undefined, 7n]);
    assert.deepEqual([changed[0]?.since?.sources, changed[0]?.books], [['source'], undefined]);
    assert.deepEqual(changed[0]?.since?.at, now.subtract({ minutes: 15 }));
  });
});

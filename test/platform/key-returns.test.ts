// Claims on idempotency keys that the server commits only after we gave them up.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { Database, readInstant } from '../../src/database/index.ts';
import { KeyReturns } from '../../src/http/idempotency/returns.ts';
import { pause } from '../../src/runtime/index.ts';
import { aMerchant, aService, atEnd } from '../support/service.ts';

suite('a claim that is written late', () => {
  // Guarantee: a key is free soon after its claim is committed, although its run released it before.
  test('is found once it is committed', async () => {
    const service = await aService();
    const { id: accountId } = await aMerchant(service);
    const { databaseUrl, wall } = service.world;
    const now = wall.now();
    const leaseUntil = now.add({ seconds: 60 });
    const claim = {
      id: 'a',
      accountId,
      key: 'k',
      seed: new Uint8Array(16),
      startedAt: now,
      leaseUntil,
      resumed: false,
      node: null,
    };
    const writer = new pg.Client({ connectionString: databaseUrl });
    await writer.connect();
    await writer.query('begin');
    await writer.query(
      `insert into idempotency_key (account_id, key, request_hash, method, path, seed, claim, started_at, lease_until)
       values ($1, 'k', '', 'POST', '/x', '\\x00', 'a', $2, $3)`,
      [accountId, now.toString(), leaseUntil.toString()],
    );
    // One connection: a query sent after the release is answered after the first lookup of the claim.
    const db = new Database({ url: databaseUrl, applicationName: 'test', connectionsAtMost: 1 });
    const returns = new KeyReturns(db, wall);
    atEnd(async () => {
      await returns.close();
      await db.close();
    });
    returns.add(claim);
    await db.sql.run`select 1`;
    await writer.query('commit');
    await writer.end();
    const leaseOf = () => db.sql.one((row) => readInstant(row, 'lease_until'))`select lease_until from idempotency_key`;
    const deadline = performance.now() + 30_000;
    while ((await leaseOf()).equals(leaseUntil) && performance.now() < deadline) await pause(20);
    assert.ok((await leaseOf()).equals(now));
  });
});

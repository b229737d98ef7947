// The process is killed at every edge of a refund, and another one continues: between the request, the debit, the bank,
// the settlement and the payer's mail. The edges are counted, not listed: the process dies at the first, the second and
// so on, until it survives.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readInteger, readText } from '../../src/database/index.ts';
import { knownId, type RefundId, type TransactionId } from '../../src/kernel/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { Gate, gated, gatedDatabase } from '../support/gate.ts';
import { aPaidTransaction, checkInvariants, passTime, settleAll, show } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { moveRefunds } from '../support/rooms.ts';
import { aMerchant, aNode, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';
import { carryThrough, type Given } from './refund-way.ts';

const file = fileURLToPath(new URL('./refund-process.ts', import.meta.url));
const edgesAtMost = 60;

const mail = { send: async () => ({ kind: 'sent' as const }), close: async () => undefined };

let service: Service;
let merchant: TestMerchant;

before(async () => {
  service = await aService({ mail });
  merchant = await aMerchant(service, { refundFeeMinor: 100n });
  await fund(service, merchant, 100_000n);
});

const balance = () => findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id));
const count = async (what: 'refund' | 'mail' | 'CHARGEBACK', id: string): Promise<number> => {
  const { sql } = service.world.db;
  const read = (row: Record<string, unknown>) => readInteger(row, 'count');
  if (what === 'refund')
    return sql.one(read)`select count(*)::integer as count from refund where transaction_id = ${id}`;
  if (what === 'mail')
    return sql.one(
      read,
    )`select count(*)::integer as count from mail where status = 'sent' and recipient = ${`${id}@example.com`}`;
  return sql.one(read)`
    select count(*)::integer as count from event where subject_id = ${id} and body like '%tr_status=CHARGEBACK%'`;
};
const givenBack = (refundId: string) =>
  service.world.bank.record().refunds.filter(({ key }) => key === refundId).length;

let carriers = 0;

function givenFor(transactionId: string, refundId: string): Given {
  const { databaseUrl, bankFile, vaultKey, clock } = service.world;
  carriers += 1;
  return {
    databaseUrl,
    name: `carrier ${carriers}`,
    bankFile,
    vaultKey: Buffer.from(vaultKey).toString('base64'),
    now: clock.now().toString(),
    merchantId: merchant.id,
    transactionId,
    refundId,
  };
}

/** Carries a refund through; returns the edge at which that died, or undefined if it survived. */
type Carry = (given: Given, dieAt: number) => Promise<string | undefined>;

/** In a process that is killed. */
const inProcess: Carry = async (given, dieAt) => {
  const child = spawn(process.execPath, [file, JSON.stringify({ ...given, dieAt })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [notified, wrong] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    notified += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    wrong += text;
  });
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return notified;
  assert.equal(code, 0, wrong);
  return undefined;
};

/**
 * In this process, which takes a tenth of the time: it stands still at the edge forever, and the server ends its
 * connections, as it does with those of a killed process.
 */
const here: Carry = async (given, dieAt) => {
  const died = Promise.withResolvers<string>();
  let edges = 0;
  const edge = async (name: string) => {
    edges += 1;
    if (edges < dieAt) return;
    died.resolve(name);
    await new Promise(() => undefined);
  };
  const at = await Promise.race([died.promise, carryThrough(given, edge).then(() => undefined)]);
  await service.world.db.sql.run`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${given.name}`;
  return at;
};

suite('killed at every edge', () => {
  for (const [retries, carry] of [
    [false, inProcess],
    [true, here],
  ] as const) {
    // Guarantee: money is in exactly one place, whenever the process dies: with the merchant or with the payer.
    test(retries ? 'and the merchant asks again' : 'and nobody asks again', async () => {
      const died: string[] = [];
      for (let dieAt = 1; ; dieAt += 1) {
        assert.ok(dieAt <= edgesAtMost, 'too many edges');
        const email = (id: string) => `${id}@example.com`;
        const id = await aPaidTransaction(service, merchant, { amount: 20, payer: { email: 'later@example.com' } });
        await service.world.db.sql.run`update transaction set payer_email = ${email(id)} where id = ${id}`;
        const before = await balance();
        const refundId = service.world.ids.ulid();
        const edge = await carry(givenFor(id, refundId), dieAt);
        if (retries) {
          const again = () =>
            service.rooms.refunds.create(
              merchant,
              knownId<TransactionId>(id),
              { kind: 'full' },
              knownId<RefundId>(refundId),
            );
          assert.equal((await again()).refund.id, refundId);
          assert.equal((await again()).refund.id, refundId);
        }
        await passTime(service.world, { minutes: 10 }, 4);
        const made = await count('refund', id);
        if (retries || edge === undefined) assert.equal(made, 1);
        assert.equal(before - (await balance()), made === 1 ? 2_100n : 0n, edge ?? 'lived');
        assert.equal(givenBack(refundId), made, edge ?? 'lived');
        assert.equal((await show(service, merchant, id)).body.status, made === 1 ? 'refund' : 'paid');
        assert.deepEqual([await count('CHARGEBACK', id), await count('mail', id)], [made, made], edge ?? 'lived');
        if (edge === undefined) break;
        died.push(edge);
      }
      // It died at request, claim, bank, settlement and mail.
      assert.ok(died.includes('before the bank') && died.includes('after the bank') && died.includes('after a mail'));
      assert.ok(died.filter((edge) => edge === 'before a commit').length >= 3, died.join());
      await checkInvariants(service.world);
    });
  }
});

suite('a process that only slept', () => {
  // Guarantee: a node that wakes up after another has taken over does no harm.
  for (const [name, at] of [
    [
      'before the bank',
      (world, before) => ({ ...world, acquirers: acquirersOf(world, gated(world.bank, { before }, 'refund')) }),
    ],
    [
      'after the bank',
      (world, after) => ({ ...world, acquirers: acquirersOf(world, gated(world.bank, { after }, 'refund')) }),
    ],
    [
      'before the settlement',
      (world, before) => ({ ...world, db: gatedDatabase(world.db, { before }, 'refund settlement') }),
    ],
    [
      'after the settlement',
      (world, after) => ({ ...world, db: gatedDatabase(world.db, { after }, 'refund settlement') }),
    ],
  ] as readonly (readonly [string, (world: TestWorld, gate: Gate) => TestWorld])[]) {
    for (const refuses of [false, true]) {
      test(`${name}, a bank that ${refuses ? 'refuses' : 'pays'}`, async () => {
        const id = await aPaidTransaction(service, merchant, { amount: 20 });
        const before = await balance();
        const refundId = await aRefund(service, merchant, id);
        if (refuses) service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
        service.world.clock.advance({ seconds: 5 });
        const gate = new Gate();
        const ghost = moveRefunds(at(await aNode(service.world), gate));
        await gate.reachedBy(ghost);
        await passTime(service.world, { minutes: 10 }, 4);
        gate.open();
        await ghost;
        await settleAll(service.world);
        const [status] = await service.world.db.sql.many((row) => readText(row, 'status'))`
          select status from refund where id = ${refundId}`;
        assert.equal(status, refuses ? 'BLIK_incorrect' : 'BLIK_processed');
        assert.equal(givenBack(refundId), refuses ? 0 : 1);
        assert.equal(before - (await balance()), refuses ? 0n : 2_100n);
        service.world.bank.setFaults({});
        await checkInvariants(service.world);
      });
    }
  }
});

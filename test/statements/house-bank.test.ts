// The house bank over HTTP, and the loop that it closes: payer, acquirer, our bank, the books.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { request } from 'undici';
import { builtInProfiles } from '../../src/bankfiles/index.ts';
import { aPayment, batchOf, bytesOf } from '../bankfiles/payments.ts';
import { inWords } from '../support/findings.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';
import { balanceOf, importInto, openOurs } from './support.ts';

let service: Service;

before(async () => {
  service = await aService();
});

async function ask(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { body, accept }: { body?: string | Uint8Array; accept?: string } = {},
) {
  const answer = await request(`${service.url}/sandbox/bank/${path}`, {
    method,
    ...(body !== undefined && { body }),
    headers: { ...(accept && { accept }), 'content-type': 'application/octet-stream' },
  });
  const bytes = new Uint8Array(await answer.body.arrayBuffer());
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    bytes,
    text: Buffer.from(bytes).toString(),
  };
}

async function transferFile(message: string, executeOn: string): Promise<Uint8Array> {
  const payments = [aPayment({ amountMinor: 300n })];
  const createdAt = service.world.clock.now();
  const profile = builtInProfiles['iso20022-pl'];
  return bytesOf(profile, payments, { ...batchOf(profile, payments), messageId: message, executeOn, createdAt });
}

suite('the house bank over HTTP', () => {
  // Guarantee: what is no payment file, no day or no fault is refused in words, and changes nothing.
  test('refuses what it cannot use', async () => {
    for (const body of ['', 'nonsense', '<Document/>', Buffer.from([0xff, 0xfe, 0]), '{}'])
      assert.equal((await ask('POST', 'files', { body })).status, 400, String(body));
    for (const query of ['', '?date=', '?date=yesterday', '?date=2026-02-30', '?date=2026-2-3', '?date[]=2026-02-03'])
      assert.equal((await ask('GET', `statements${query}`)).status, 400, query);
    assert.equal((await ask('GET', 'statements?date=2026-03-09', { accept: 'image/png' })).status, 406);
    assert.equal((await ask('GET', 'statements?date=2099-01-01')).status, 404);
    for (const body of [
      '',
      'x',
      '[]',
      '{"faults":{"none":1}}',
      '{"faults":{"refused":2}}',
      '{"faults":{"refused":null}}',
      '{"seed":null}',
      '{"more":1}',
    ])
      assert.equal((await ask('PUT', 'faults', { body })).status, 400, body);
    assert.equal((await ask('PUT', 'faults', { body: '{"seed":7,"faults":{"split":0.5}}' })).status, 200);
    assert.deepEqual(JSON.parse((await ask('GET', 'faults')).text), { seed: 7, faults: { split: 0.5 } });
    await ask('PUT', 'faults', { body: '{}' });
  });

  // Guarantee: money that a payer paid is on our account at the bank and in the books by the same amount, day after day.
  test('closes the loop', async () => {
    const { world, rooms } = service;
    await openOurs(world);
    const merchant = await aMerchant(service);
    const dayOf = () => world.clock.now().toZonedDateTimeISO('Europe/Warsaw').toPlainDate();
    const nextDay = async () => {
      const day = dayOf();
      world.clock.advance({ hours: 24 });
      world.wall.advance({ minutes: 2 });
      assert.equal((await rooms.reconciliation.reconcile({}))?.state, 'agreed');
      return day.toString();
    };
    // The account is there from its first day, with nothing on it.
    const first = await nextDay();
    await importInto(world, (await ask('GET', `statements?date=${first}`)).bytes);
    await aPaidTransaction(service, merchant, { amount: 20 });
    await importInto(world, (await ask('GET', `statements?date=${await nextDay()}`)).bytes);
    const { underwayMinor } = await rooms.statements.summaries();
    assert.equal(underwayMinor, 1_996n);
    const sent = await ask('POST', 'files', { body: await transferFile('GROSZ-1', dayOf().toString()) });
    assert.deepEqual([sent.status, sent.type], [200, 'application/xml; charset=utf-8']);
    assert.equal((await importInto(world, sent.bytes)).answers, 1);
    const day = await nextDay();
    const statement = await ask('GET', `statements?date=${day}`, { accept: 'text/plain' });
    assert.match(statement.type, /text\/plain/);
    await importInto(world, statement.bytes);
    await importInto(world, (await ask('GET', `statements?date=${day}`)).bytes);
    // The payout of the acquirer, less the transfer, which no payout of ours is, and the charge of the bank.
    assert.equal(await balanceOf(world, 'bank:client'), 1_996n - 300n - 50n);
    assert.equal(await balanceOf(world, 'bank:unallocated'), 300n);
    assert.equal(await balanceOf(world, 'expense:bank_fee'), 50n);
    assert.equal((await rooms.statements.summaries()).underwayMinor, 0n);
    assert.deepEqual(inWords(await findingsOf(world)), []);
  });
});

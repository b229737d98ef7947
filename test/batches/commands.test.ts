// grosz payouts: batches at the command line, and files in folders.

import assert from 'node:assert/strict';
import { readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { cancelMissed, handOver, makeFile } from '../../src/batches/index.ts';
import { placeFiles } from '../../src/batches/place-files.ts';
import { readText } from '../../src/database/index.ts';
import {
  anApproved,
  anOperator,
  aPayingAccount,
  ourIban,
  type Signatures,
  type TestOperator,
  waitingPayouts,
} from '../support/batches.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { damage } from '../support/damage.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aPassword } from '../support/panel.ts';
import { checkInvariants } from '../support/payments.ts';
import type { Environment } from '../support/process.ts';
import { aFolder, aNode, aService, atEnd, type Service } from '../support/service.ts';

let service: Service;
let environment: Environment;
let signatures: Signatures;
before(async () => {
  service = await aService();
  environment = await settingsIn(service.world);
  signatures = { first: await anOperator(service), second: await anOperator(service) };
  atEnd(() => checkInvariants(service.world));
});

const run = (args: readonly string[], answers: readonly string[] = []) =>
  runHere(['payouts', ...args], environment, answers);
const typed = (operator: TestOperator) => [aPassword, operator.code()];
const idOf = (text: string) => /^[0-9A-Z]{26}/m.exec(text)?.[0] ?? assert.fail(text);

suite('grosz payouts', () => {
  // Guarantee: two people sign at the command line as in the panel, and the log has their names.
  test('from the account to the file', async () => {
    const { first, second } = signatures;
    assert.match((await run(['batch', '--as', first.email], typed(first))).stderr, /no such account of ours/);
    const account = ['account', ourIban, '--holder', 'Grosz sp. z o.o.', '--profile', 'iso20022-pl'];
    assert.match((await run(account)).stdout, /^Payouts are paid from PL10/);
    await waitingPayouts(service, [1_234n]);
    assert.match((await run(['batches'])).stdout, /^Waiting for a batch: 1, 12\.34 PLN/);
    const drafted = await run(['batch', '--as', first.email], typed(first));
    assert.equal(drafted.code, 0, drafted.stderr);
    const id = idOf(drafted.stdout);
    const out = join(await aFolder(), 'payouts.xml');
    assert.match((await run(['file', id, '--out', out])).stderr, /another state/);
    const alone = await run(['approve', id, '--as', first.email], typed(first));
    assert.match(alone.stderr, /cannot give the second one/);
    assert.match((await run(['approve', id, '--as', second.email], [aPassword, 'x'])).stderr, /not accepted/);
    assert.match((await run(['approve', id, '--as', second.email], ['x', 'x'])).stderr, /password is wrong/);
    assert.match((await run(['approve', id, '--as', 'nobody@example.com'], ['x', 'x'])).stderr, /password is wrong/);
    assert.match((await run(['approve', id])).stderr, /Missing --as/);
    const approved = await run(['approve', id, '--as', second.email], typed(second));
    assert.match(approved.stdout, new RegExp(`approved.*${first.email}, ${second.email}`));
    const written = await run(['file', id, '--out', out]);
    assert.equal(written.code, 0, written.stderr);
    assert.match(written.stdout, /The bank shall pay on/);
    assert.match(await readFile(out, 'utf8'), /<CtrlSum>12\.34<\/CtrlSum>/);
    assert.equal((await stat(out)).mode & 0o777, 0o600);
    const copy = await run(['file', id, '--out', `${out}.copy`]);
    assert.match(copy.stdout, /is a copy/);
    assert.deepEqual(await readFile(`${out}.copy`), await readFile(out));
    assert.match((await run(['batches'])).stdout, /handed over[\s\S]*SHA-256 [0-9a-f]{64}/);
    const entries = await service.world.db.sql.many((row) => readText(row, 'line'))`
      select action || ' ' || email || ' ' || outcome as line from audit_entry
       where action in ('P162', 'P163', 'P165') and outcome = 'ok' order by position`;
    assert.deepEqual(entries, [
      `P162 ${first.email} ok`,
      `P163 ${second.email} ok`,
      'P165 command_line ok',
      'P165 command_line ok',
    ]);
  });

  // Guarantee: a command that is not one changes nothing.
  test('what is missing', async () => {
    for (const [args, said] of [
      [[], /Missing or unknown action/],
      [['approve', 'x', '--as', 'a@example.com'], /There is no batch "x"/],
      [['send'], /Missing --to/],
      [['send', '--to', '/nowhere/at/all'], /^No signed batch/],
      [['account', 'PL1', '--holder', 'x', '--profile', 'elixir0'], /no valid IBAN/],
      [['account', ourIban, '--profile', 'elixir0'], /Missing --holder/],
    ] as const) {
      const { stderr, stdout } = await run(args);
      assert.match(stderr || stdout, said);
    }
  });

  // Guarantee: a batch that somebody has is canceled by two people only.
  test('cancel', async () => {
    const { first } = signatures;
    await waitingPayouts(service, [100n]);
    const { id } = await anApproved(service, signatures);
    assert.match((await run(['cancel', id])).stdout, /canceled/);
    await waitingPayouts(service, [100n]);
    const other = await anApproved(service, signatures);
    await makeFile(service.world, other.id);
    await handOver(service.world, other.id, { way: 'panel', person: 'x@grosz.example' });
    assert.match((await run(['cancel', other.id])).stderr, /Missing --as/);
    assert.match((await run(['cancel', other.id, '--as', first.email], typed(first))).stdout, /Another operator/);
  });
});

suite('files in a folder', () => {
  before(() => aPayingAccount(service));

  const visible = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.'));

  // Guarantee: each file is in the folder once, however many put it there.
  test('two at once', async () => {
    const folder = await aFolder();
    for (const amount of [100n, 200n, 300n]) {
      await waitingPayouts(service, [amount]);
      await anApproved(service, signatures);
    }
    const node = await aNode(service.world);
    const order = { folder, person: 'command_line' };
    await Promise.all([placeFiles(service.world, order), placeFiles(node, order)]);
    const names = await readdir(folder);
    assert.equal(names.length, 3, names.join());
    assert.deepEqual(await placeFiles(service.world, order), []);
    const again = await run(['send', '--to', folder]);
    assert.match(again.stdout, /^No signed batch/);
  });

  // Guarantee: whenever a process dies, whoever goes on puts the file there once, or finds that it was there.
  test('dies at every edge', async () => {
    for (let dieAt = 1; dieAt < 60; dieAt += 1) {
      await waitingPayouts(service, [100n]);
      const { id } = await anApproved(service, signatures);
      const folder = await aFolder();
      const order = { folder, person: 'command_line' };
      const node = aMortalNode(service.world, dieAt);
      const edge = await node.live((world) => placeFiles(world, order));
      const before = await visible(folder);
      const placed = await placeFiles(service.world, order);
      const names = await visible(folder);
      assert.equal(names.length, 1, `${edge}: ${names.join()}`);
      assert.ok(before.length === 1 || placed.length === 1, String(edge));
      const counted = await service.world.db.sql.many((row) => readText(row, 'line'))`
        select count(*) || ' ' || count(placed_at) as line from payout_handover
          join payout_file on payout_file.id = file_id where batch_id = ${id}`;
      assert.deepEqual(counted, ['1 1'], String(edge));
      if (edge === undefined) return;
    }
    assert.fail('It never lives.');
  });

  /** Handed over to a folder by a process that died before it noted that the file is there. */
  async function aDead() {
    await waitingPayouts(service, [100n]);
    const { id } = await anApproved(service, signatures);
    const folder = await aFolder();
    const order = { folder, person: 'command_line' };
    await placeFiles(service.world, order);
    const [name = ''] = await visible(folder);
    const handoverId = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select max(payout_handover.id) as id from payout_handover join payout_file on payout_file.id = file_id where batch_id = ${id}`;
    await damage(service.world, `update payout_handover set placed_at = null where id = '${handoverId}'`);
    return { id, folder, name, place: () => placeFiles(service.world, order), part: `.${handoverId}.part` };
  }

  // Guarantee: between the name that nobody sees and the other one a process may die too, on either side.
  for (const [what, isShown] of [
    ['dies between two steps', true],
    ['dies before the file has its name', false],
  ] as const) {
    test(what, async () => {
      const { id, folder, name, place, part } = await aDead();
      if (!isShown) await rename(join(folder, name), join(folder, part));
      assert.deepEqual(await place(), [{ batchId: id, name }]);
      assert.deepEqual(await visible(folder), [name]);
      assert.deepEqual(await place(), []);
    });
  }

  // Guarantee: a file that has neither name is not called placed, and nobody writes it a second time: the bank may have it.
  test('has neither name', async () => {
    const { id, folder, name, place, part } = await aDead();
    await rename(join(folder, name), join(folder, 'elsewhere'));
    const isRefused = async () => {
      const placed = await place();
      assert.deepEqual(
        placed.map(({ batchId }) => batchId),
        [id],
      );
      assert.match(placed[0]?.refused ?? '', /not in the folder any more/);
    };
    await isRefused();
    await writeFile(join(folder, name), 'of somebody else');
    await isRefused();
    await unlink(join(folder, name));
    assert.deepEqual(await visible(folder), ['elsewhere']);
    await rename(join(folder, 'elsewhere'), join(folder, part));
    assert.deepEqual(await place(), [{ batchId: id, name }]);
    assert.deepEqual(await place(), []);
  });

  // Guarantee: what two people have called lost is not put there afterwards.
  test('is canceled before the file has its name', async () => {
    const { id, folder, name, place, part } = await aDead();
    await rename(join(folder, name), join(folder, part));
    for (const { signer } of [signatures.first, signatures.second])
      await cancelMissed(service.world, { batchId: id, by: signer }, async () => true);
    assert.deepEqual(await place(), []);
    assert.deepEqual(await visible(folder), []);
  });

  // Guarantee: what somebody has downloaded is not put into a folder, where a program would send it again.
  test('downloaded before it is put there', async () => {
    await waitingPayouts(service, [100n]);
    const { id } = await anApproved(service, signatures);
    await makeFile(service.world, id);
    const person = 'command_line';
    const place = await aFolder();
    await handOver(service.world, id, { way: 'panel', person });
    await assert.rejects(handOver(service.world, id, { way: 'folder', person, place }), {
      code: 'batch_in_other_state',
    });
    assert.deepEqual(await placeFiles(service.world, { folder: place, person }), []);
  });

  // Guarantee: a batch that the bank would not accept does not stop the others.
  test('one that is refused', async () => {
    const [one] = await waitingPayouts(service, [100n]);
    assert.ok(one);
    const bad = await anApproved(service, signatures);
    await waitingPayouts(service, [200n]);
    const good = await anApproved(service, signatures);
    await service.world.db.sql.run`alter table payout disable trigger payout_stays`;
    await service.world.db.sql.run`update payout set holder = 'Иван' where id = ${one.payout.id}`;
    const folder = await aFolder();
    const placed = await placeFiles(service.world, { folder, person: 'command_line' });
    const went = new Map(placed.map(({ batchId, refused }) => [batchId, refused === undefined]));
    assert.deepEqual([placed.length, went.get(bad.id), went.get(good.id)], [2, false, true]);
    await service.world.db.sql.run`update payout set holder = ${one.payout.holder} where id = ${one.payout.id}`;
    await service.world.db.sql.run`alter table payout enable trigger payout_stays`;
    assert.equal((await placeFiles(service.world, { folder, person: 'command_line' })).length, 1);
  });
});

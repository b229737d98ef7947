// What a run of verify found wrong stays wrong until a run that looks at it again finds it gone.

import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import type { Finding } from '../../contract/codes/findings.ts';
import { tick } from '../../src/engine/index.ts';
import { runHere } from '../support/command.ts';
import { damage } from '../support/damage.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aFolder, aMerchant, aService, roomsOf, type Service, type TestMerchant } from '../support/service.ts';

const wrong: Finding = { code: 'account_missing', parameters: { account: 'nobody' } };
const other: Finding = { code: 'account_missing', parameters: { account: 'somebody' } };
const unread: Finding = { code: 'part_not_verified', parameters: { part: 'refunds' } };
const failed: Finding = { code: 'verification_failed', parameters: {} };
const offNote: Finding = { code: 'chain_ends_before_note', parameters: { chain: 'ledger', position: '7' } };

suite('what was found wrong', () => {
  let service: Service;
  let merchant: TestMerchant;
  let hourly: Service['world'];
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    hourly = { ...service.world, config: { ...service.world.config, verifyEvery: 60 } };
  });
  beforeEach(async () => {
    await service.world.db.sql.run`delete from verify_run`;
  });

  /** Time since the books were right, in minutes, and how many things are wrong. */
  async function seen(): Promise<{ readonly problems: number; readonly minutes: number }> {
    const { text } = await service.ask('GET', '/metrics');
    const of = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    const seconds = of('grosz_verify_age_seconds');
    return { problems: of('grosz_verify_problems'), minutes: seconds < 0 ? seconds : seconds / 60 };
  }
  /** The run that a worker does once an hour. */
  async function verifyHourly(): Promise<void> {
    service.world.wall.advance({ minutes: 60 });
    service.world.clock.advance({ minutes: 60 });
    const { works } = await roomsOf(hourly);
    assert.equal(
      await tick(
        hourly,
        works.filter(({ name }) => name === 'verify_books'),
      ),
      1,
    );
  }
  /** A run of the command line; `since` minutes ago, or of everything. Takes a minute. */
  async function run(since: number | 'everything', ...problems: Finding[]): Promise<void> {
    const { wall } = service.world;
    wall.advance({ minutes: 1 });
    const sinceAt = since === 'everything' ? null : wall.now().subtract({ minutes: since });
    await service.rooms.verification.keep({ startedAt: wall.now(), sinceAt, problems, journals: 1n, entries: 2n });
  }

  // Guarantee: an old row that was changed is not forgotten by the runs of what changed since.
  test('in an old row: an hourly run does not make it right', async () => {
    await aPaidTransaction(service, merchant);
    await run('everything');
    service.world.wall.advance({ hours: 3 });
    service.world.clock.advance({ hours: 3 });
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });

    await damage(service.world, `update entry set amount_minor = -amount_minor`);
    const { problems } = await service.rooms.verification.verifyBooks({});
    assert.ok(problems.length > 0);
    await run('everything', ...problems);
    const { problems: found } = await seen();
    assert.equal(found, problems.length);
    await verifyHourly();
    const [last] = await service.world.db.sql.many((row) => [row.since_at !== null, row.problems])`
      select * from verify_run order by id desc limit 1`;
    assert.deepEqual(last, [true, []], 'it looked at nothing of this row');
    assert.deepEqual(await seen(), { problems: found, minutes: 61 });

    await damage(service.world, `update entry set amount_minor = -amount_minor`);
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: found, minutes: 121 }, 'no run of everything says so');
    await run('everything', ...(await service.rooms.verification.verifyBooks({})).problems);
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: the hourly run looks at what is new on real books, and again after a repair.
  test('in a new row: an hourly run names it, and the next one finds it gone', async () => {
    await run('everything');
    // Its token is of now.
    const id = await aPaidTransaction(service, await aMerchant(service));
    const change = (by: string) =>
      damage(service.world, `update charge set amount_minor = amount_minor ${by} where transaction_id = '${id}'`);
    await change('+ 1');
    await verifyHourly();
    const { problems, minutes } = await seen();
    assert.ok(problems > 0 && minutes === 60, `${problems} ${minutes}`);
    await change('- 1');
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: what a run of changes found is gone when one of the same changes, or more, does not find it.
  test('among what changed: a run of as much makes it right', async () => {
    await run('everything');
    await run(1, wrong);
    assert.deepEqual(await seen(), { problems: 1, minutes: 1 });
    await run(1);
    assert.deepEqual(await seen(), { problems: 1, minutes: 2 }, 'it began later');
    await run(3);
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: each thing that is wrong counts once, and one that is gone counts no more although others are left.
  test('counts what is wrong', async () => {
    await run('everything', wrong, other);
    assert.deepEqual(await seen(), { problems: 2, minutes: -1 });
    await run(5, wrong);
    assert.deepEqual(await seen(), { problems: 2, minutes: -1 });
    await run('everything', other);
    assert.deepEqual(await seen(), { problems: 1, minutes: -1 });
  });

  // Guarantee: the books are right up to where runs without a gap have come.
  test('a run of the last minute leaves a gap', async () => {
    await run(5);
    assert.deepEqual(await seen(), { problems: 0, minutes: -1 }, 'nothing that is older was verified');
    await run('everything');
    await run(1);
    service.world.wall.advance({ minutes: 5 });
    await run(3);
    assert.deepEqual(await seen(), { problems: 0, minutes: 6 });
    await run(7);
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: a run that could not read a part does not say of it that it is right.
  test('a run that did not read everything', async () => {
    await run('everything', wrong);
    await run('everything', unread);
    assert.deepEqual(await seen(), { problems: 2, minutes: -1 });
    await run('everything', failed);
    assert.deepEqual(await seen(), { problems: 3, minutes: -1 });
    await run('everything');
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
    await run('everything', failed);
    await run(5);
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 }, 'the database was away, and is back');
  });

  // Guarantee: only who knows what was noted elsewhere says that the chains have it.
  test('a chain that is not what was noted', async () => {
    await run('everything', offNote);
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: 1, minutes: -1 });
    await run('everything');
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: the command does not call books right that are known to be wrong.
  test('the command', async () => {
    const environment = {
      DATABASE_URL: service.world.databaseUrl,
      VAULT_KEYS: `test:${Buffer.from(service.world.vaultKey).toString('base64')}`,
      DATA_DIR: await aFolder(),
      BANK_FILE: service.world.bankFile,
    };
    await run('everything', wrong);
    const { code, stderr } = await runHere(['verify', '--since', '2100-01-01'], environment);
    assert.equal(code, 1);
    assert.match(stderr, /Nothing that changed is wrong, but of what was found wrong before, 1 stand/);
    assert.equal((await runHere(['verify'], environment)).code, 0);
    assert.equal((await runHere(['verify', '--since', 'last'], environment)).code, 0);
  });
});

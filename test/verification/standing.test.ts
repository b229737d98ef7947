// What a run of verify found wrong stays wrong until a run that looks at it again finds it gone.

import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import type { Finding } from '../../contract/codes/findings.ts';
import { ulid } from '../../src/kernel/index.ts';
import { sealJournals } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/runtime/index.ts';
import { begin, finish } from '../../src/verification/turn.ts';
import { runHere } from '../support/command.ts';
import { damage } from '../support/damage.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aFolder, aMerchant, aService, roomsOf, type Service, type TestMerchant } from '../support/service.ts';
import { verifyLedger, whole } from '../support/verify.ts';

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
  beforeEach(() => forget());
  async function forget(): Promise<void> {
    await damage(service.world, 'delete from verify_run');
    await service.world.db.sql.run`delete from chain_head where chain = 'verification'`;
  }

  /** Time since the books were right, in minutes, and how many things are wrong. */
  async function seen(): Promise<{ readonly problems: number; readonly minutes: number }> {
    const { text } = await service.ask('GET', '/metrics');
    const of = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    const seconds = of('grosz_verify_age_seconds');
    return { problems: of('grosz_verify_problems'), minutes: seconds < 0 ? seconds : seconds / 60 };
  }
  async function listStanding(): Promise<string[]> {
    const [last = []] = await service.world.db.sql.many((row) => row.standing as string[])`
      select standing from verify_run order by position desc limit 1`;
    return last;
  }
  /** What a worker does whenever it looks: 1 if a run was due. */
  async function verifyDue(): Promise<number | undefined> {
    const { works } = await roomsOf(hourly);
    return works.find(({ name }) => name === 'verify_books')?.run();
  }
  /** The run that a worker does once an hour. */
  async function verifyHourly(): Promise<void> {
    service.world.wall.advance({ minutes: 60 });
    service.world.clock.advance({ minutes: 60 });
    assert.equal(await verifyDue(), 1);
  }
  /** A run of the command line; `since` minutes ago, or of everything. Takes a minute. */
  async function run(since: number | 'everything', ...problems: Finding[]): Promise<void> {
    const { wall } = service.world;
    wall.advance({ minutes: 1 });
    const sinceAt = since === 'everything' ? null : wall.now().subtract({ minutes: since });
    const counts = { journals: 1n, entries: 2n };
    // As the command does: it reads again what was found wrong.
    const reread = await listStanding();
    await service.rooms.verification.keep({ startedAt: wall.now(), sinceAt, problems, ...counts, reread });
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
    const [last] = await service.world.db.sql.many((row) => [row.since_at !== null, row.reread])`
      select * from verify_run order by position desc limit 1`;
    assert.deepEqual(last?.[0], true);
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

  // Guarantee: what an hourly run named because it was open or parked is not forgotten when an operator decides it.
  test('in a row that was parked and is decided: it is read again', async () => {
    const { world } = service;
    await run('everything');
    const id = await aPaidTransaction(service, await aMerchant(service));
    const [charge = ''] = await world.db.sql.many((row) => String(row.id))`
      select id from charge where transaction_id = ${id}`;
    world.wall.advance({ hours: 3 });
    world.clock.advance({ hours: 3 });
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });

    const parked = `parked_at = '${world.clock.now()}', amount_minor = amount_minor + 1`;
    await damage(world, `update charge set ${parked} where id = '${charge}'`);
    await verifyHourly();
    const { problems } = await seen();
    assert.ok(problems > 0);
    await damage(world, `update charge set parked_at = null where id = '${charge}'`);
    await verifyHourly();
    await verifyHourly();
    assert.ok((await seen()).problems >= problems, 'it is wrong, and among nothing that changed');
    await damage(world, `update charge set amount_minor = amount_minor - 2 where id = '${charge}'`);
    await verifyHourly();
    assert.ok((await seen()).problems > 0, 'it is wrong by another amount');
    await damage(world, `update charge set amount_minor = amount_minor + 1 where id = '${charge}'`);
    await verifyHourly();
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

  // Guarantee: what is found again in another order is the same, so that it does not stand once for each run.
  test('the same in another order', async () => {
    await run('everything', unread, wrong);
    await run('everything', wrong, unread);
    assert.equal((await listStanding()).length, 1);
    assert.deepEqual(await seen(), { problems: 2, minutes: -1 });
    await run('everything');
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: only who knows what was noted elsewhere says that the chains have it.
  test('a chain that is not what was noted', async () => {
    await run('everything', offNote);
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: 1, minutes: -1 });
    await run('everything');
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  const newId = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
  /** As somebody with all privileges writes a run; it has ended unless `lease` says until when it is at work. */
  async function writeRun({ at = service.world.wall.now(), lease = '', node = '' }): Promise<void> {
    const ended =
      lease === ''
        ? `'${at}', '[]', 1, 1, 1000000, '[]', '${at}', 'test.0'`
        : `null, '[]', null, null, null, null, null, null`;
    await service.world.db.sql.run([
      `insert into verify_run (id, started_by, started_at, since_at, node_id, lease_until, reread,
                               ended_at, problems, journals, entries, position, standing, right_until, mac)
       values ('${newId}', 'service', '${at}', null, nullif('${node}', ''), '${lease === '' ? at : lease}', '[]', ${ended})`,
    ] as unknown as TemplateStringsArray);
  }
  const named = async () => (await service.rooms.verification.verifyBooks({})).problems.map(({ code }) => code);

  // Guarantee: nobody ends an alarm by a row, nor the runs that would find more.
  test('a right run that somebody wrote counts for nothing, and is named', async () => {
    await run('everything', wrong, other);
    service.world.wall.advance({ minutes: 1 });
    await writeRun({});
    assert.deepEqual(await seen(), { problems: 2, minutes: -1 });
    assert.deepEqual(await named(), ['verify_run_changed']);
    assert.equal((await service.rooms.verification.last()).everything?.problems.length, 2);
    await verifyHourly();
    assert.equal((await seen()).problems, 1, 'what was named, which this run of everything finds');
    await damage(service.world, `delete from verify_run where id = '${newId}'`);
    await verifyHourly();
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: a run of the future keeps nobody from verifying, and is named.
  test('a run of the future', async () => {
    await run('everything');
    await writeRun({ at: service.world.wall.now().add({ hours: 24 * 3_650 }) });
    assert.deepEqual(await named(), ['verify_run_changed']);
    await verifyHourly();
    assert.equal((await seen()).problems, 1);
    await forget();
    const startedAt = service.world.wall.now().add({ hours: 24 });
    const found = { startedAt, sinceAt: null, problems: [], journals: 1n, entries: 1n, reread: [] };
    await service.rooms.verification.keep(found);
    assert.deepEqual(await seen(), { problems: 0, minutes: -1 }, 'its clock was wrong');
    assert.deepEqual(await named(), ['verify_run_changed']);
    await verifyHourly();
  });

  // Guarantee: what was found is not forgotten because its row was changed or removed.
  test('a run that was changed or removed', async () => {
    for (const change of [`update verify_run set problems = '[]'`, 'delete from verify_run']) {
      await run('everything');
      await run('everything', wrong, other);
      await damage(service.world, `${change} where problems <> '[]'`);
      assert.deepEqual(await seen(), { problems: 1, minutes: -1 }, change);
      assert.ok((await named()).includes('chain_cut_off'), change);
      await run('everything');
      assert.equal((await seen()).problems, 1, 'no later run says what it had found');
      await forget();
    }
  });

  // Guarantee: a run that died keeps the others from verifying for a minute at most, and one that somebody wrote not at all.
  test('a run that has died', async () => {
    const { wall } = service.world;
    const tools = { ...service.world, nodes: { self: null, isDead: (id: string) => id === 'dead' } };
    const isFree = async () => {
      const { isOurs } = await begin(tools, { startedBy: 'service', scope: 'everything' });
      if (isOurs) await forget();
      return isOurs;
    };
    const until = (seconds: number) => `${wall.now().add({ seconds })}`;
    await writeRun({ lease: until(45), node: 'alive' });
    assert.equal(await isFree(), false);
    wall.advance({ seconds: 46 });
    assert.equal(await isFree(), true);
    await writeRun({ lease: until(45), node: 'dead' });
    assert.equal(await isFree(), true);
    await writeRun({ lease: '9999-01-01Z', node: 'alive' });
    assert.deepEqual(await named(), ['verify_run_changed']);
    assert.equal(await isFree(), true);
    await writeRun({ lease: until(45), node: 'dead' });
    await verifyHourly();
    assert.deepEqual(
      await seen(),
      { problems: 0, minutes: 0 },
      'that it died is nothing wrong once another one has come',
    );
  });

  // Guarantee: a worker verifies once an hour, however often it looks.
  test('the next one comes after an hour', async () => {
    assert.equal(await verifyDue(), 1);
    service.world.wall.advance({ minutes: 59 });
    assert.equal(await verifyDue(), 0);
    service.world.wall.advance({ minutes: 1 });
    assert.equal(await verifyDue(), 1);
  });

  /** Two runs of everything, of which the second takes the first for dead, as it would if the first one's process froze. */
  async function takeOver() {
    const tools = { ...service.world, nodes: { self: null, isDead: () => false } };
    const beginOne = async () => {
      const begun = await begin(tools, { startedBy: 'service', scope: 'everything' });
      assert.equal(begun.isOurs, true);
      return (...problems: Finding[]) =>
        finish(tools, begun.run, async () => ({ problems, journals: 1n, entries: 1n }));
    };
    const endFirst = await beginOne();
    service.world.wall.advance({ seconds: 46 });
    return { endFirst, endSecond: await beginOne() };
  }
  const listFound = () => service.world.db.sql.many((row) => row.problems)`
    select problems from verify_run where ended_at is not null order by position`;

  // Guarantee: a run that was taken for dead does not say that the books are right, nor change how it ended.
  test('a run that was taken over and found nothing', async () => {
    const { endFirst } = await takeOver();
    await endFirst();
    assert.deepEqual(await seen(), { problems: 1, minutes: -1 });
    assert.deepEqual(await listFound(), [[failed]]);
  });

  // Guarantee: what a run found is not forgotten because it was taken for dead, and stands although the run that took
  // over, which may have read the row before it was damaged, finds nothing.
  test('a run that was taken over and found something wrong', async () => {
    const { endFirst, endSecond } = await takeOver();
    await endFirst(wrong);
    assert.deepEqual(await listFound(), [[failed], [wrong]]);
    await endSecond();
    assert.deepEqual(await seen(), { problems: 1, minutes: -1 });
    await run('everything');
    assert.deepEqual(await seen(), { problems: 0, minutes: 0 });
  });

  // Guarantee: a run of everything clears only what stood when it began, whatever the clocks of the two nodes say.
  test('a run of everything that began before something was found', async () => {
    const tools = { ...service.world, nodes: { self: null, isDead: () => false } };
    const { run: long } = await begin(tools, { startedBy: 'service', scope: 'everything' });
    const { wall } = service.world;
    const read = { sinceAt: null, problems: [wrong], journals: 1n, entries: 1n, reread: [] };
    const startedAt = wall.now().subtract({ minutes: 4 });
    await service.rooms.verification.keep({ ...read, startedAt });
    await finish(tools, long, async () => ({ problems: [], journals: 1n, entries: 1n }));
    assert.deepEqual(await seen(), { problems: 1, minutes: -1 });
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
    // The business is of a day long before.
    const since = systemClock.now().subtract({ hours: 1 }).toString();
    const { code, stderr } = await runHere(['verify', '--since', since], environment);
    assert.equal(code, 1);
    assert.match(stderr, /Nothing that changed is wrong, but of what was found wrong before, 1 stand/);
    assert.equal((await runHere(['verify'], environment)).code, 0);
    assert.equal((await runHere(['verify', '--since', 'last'], environment)).code, 0);
  });
});

suite('a quiet installation', () => {
  // Guarantee: a payment that somebody dates before what was verified is named, also if nothing came after it.
  test('a journal that is dated before the last verification', async () => {
    const service = await aService();
    const { world } = service;
    const live = { ...world, config: { ...world.config, mode: 'live' as const } };
    const found = async () => {
      await sealJournals(world);
      return (await verifyLedger(live, whole(world))).map(({ code }) => code);
    };
    await aPaidTransaction(service, await aMerchant(service));
    const madeUp = ulid(world.clock.now().epochMilliseconds + 1, new Uint8Array(16));
    world.wall.advance({ hours: 100 });
    world.clock.advance({ hours: 100 });
    assert.deepEqual((await service.rooms.verification.verifyBooks({})).problems, []);
    await aPaidTransaction(service, await aMerchant(service));
    assert.deepEqual(await found(), []);
    await world.db.atomic(async (sql) => {
      await sql.run`
        insert into journal (id, source, kind, currency, posted_at)
        select ${madeUp}, 'gift', 'payment', 'PLN', posted_at + interval '1 millisecond' from journal order by id limit 1`;
      await sql.run`
        insert into entry (journal_id, line, account, amount_minor)
        values (${madeUp}, 1, 'acquirer:simulator:receivable', 700), (${madeUp}, 2, 'bank:client', -700)`;
      await sql.run`insert into journal_unsealed (journal_ids) values (array[${madeUp}])`;
    });
    assert.ok((await found()).includes('journal_sealed_late'));
  });
});

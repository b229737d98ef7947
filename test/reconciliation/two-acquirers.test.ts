// Two acquirers, two statements: each run compares its own, also while the other is at work.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Acquirer } from '../../src/acquirer/index.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { inWords } from '../support/findings.ts';
import { Gate } from '../support/gate.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { tickAll } from '../support/rooms.ts';
import { aMerchant, atEnd, roomsOf, type Service, serve, type TestMerchant } from '../support/service.ts';
import { aTwoBankWorld, settleBoth, type TwoBankWorld, through } from '../support/two-banks.ts';
import { findingsOf } from '../support/verify.ts';

let world: TwoBankWorld;
let service: Service;
let merchant: TestMerchant;

before(async () => {
  world = await aTwoBankWorld({ config: { reconcileAt: 240 } });
  service = await serve(world);
  merchant = await aMerchant(service);
  const second = await serve(through(world, [world.second], [world.bank]));
  for (let count = 0; count < 3; count += 1) await aPaidTransaction(service, merchant);
  for (let count = 0; count < 5; count += 1) await aPaidTransaction(second, merchant);
  world.clock.advance({ minutes: 1 });
  atEnd(async () => {
    await settleBoth(world);
    assert.deepEqual(inWords(await findingsOf(world)), []);
  });
});

const compareWith = async (acquirer: string, of: TwoBankWorld = world) => {
  world.wall.advance({ seconds: 1 });
  return (await roomsOf(of)).reconciliation.reconcile({ acquirer });
};

const linesOf = () => world.db.sql.one((row) => readInteger(row, 'lines'))`
  select count(*)::integer as lines from reconciliation_line`;

/** The statement of one of them stops at the gate, after so many pages. */
function stopping(acquirer: Acquirer, gate: Gate): Acquirer {
  return new Proxy(acquirer, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'statement') return typeof value === 'function' ? value.bind(target) : value;
      return async (request: Parameters<Acquirer['statement']>[0]) => {
        if (request.after !== null) {
          await gate.pass();
          return { kind: 'page', lines: [], next: null } as const;
        }
        const answer = await target.statement(request);
        return answer.kind === 'page' ? { ...answer, next: 'more' } : answer;
      };
    },
  });
}

suite('two acquirers', () => {
  // Guarantee: a run compares the statement of its own acquirer with the books of that one alone.
  test('each with its own', async () => {
    const [first, second] = [await compareWith('simulator'), await compareWith('second')];
    assert.deepEqual([first?.state, Number(first?.captures)], ['agreed', 3]);
    assert.deepEqual([second?.state, Number(second?.captures)], ['agreed', 5]);
  });

  // Guarantee: what one has and its books have not is its own difference; the other still agrees.
  test('a difference at one is no difference at the other', async () => {
    const { kind } = await world.second.charge({
      key: 'NOBODYS',
      merchant: 'M',
      initiator: 'payer',
      amount: { minor: 500n, currency: 'PLN' },
      instrument: { kind: 'transfer' },
      description: '',
      returnUrl: 'http://127.0.0.1/',
      deadlineMilliseconds: 1_000,
    });
    assert.equal(kind, 'waiting');
    assert.equal((await compareWith('second'))?.state, 'agreed', 'nothing was captured');
  });

  // Guarantee: two runs at once do not touch each other's lines: both agree.
  test('both at once', async () => {
    const gate = new Gate();
    const slow = through(world, [stopping(world.bank, gate), world.second]);
    await roomsOf(slow);
    const first = compareWith('simulator', slow);
    await gate.reachedBy(first);
    for (let times = 0; times < 2; times += 1) {
      const second = await compareWith('second');
      assert.deepEqual([second?.state, Number(second?.captures)], ['agreed', 5]);
    }
    assert.ok((await linesOf()) >= 3, 'the lines of the first are still there');
    gate.open();
    const run = await first;
    assert.deepEqual([run?.state, Number(run?.captures)], ['agreed', 3]);
  });

  // Guarantee: a run that begins while another empties the table loses nothing.
  test('one begins while the other forgets what is over', async () => {
    const [forgetting, reading] = [new Gate(), new Gate()];
    let atomics = 0;
    // Its second database transaction is that which forgets.
    const db = new Proxy(world.db, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'atomic') return typeof value === 'function' ? value.bind(target) : value;
        return async (work: Parameters<typeof target.atomic>[0]) => {
          atomics += 1;
          if (atomics === 2) await forgetting.pass();
          return target.atomic(work);
        };
      },
    });
    const pausing = { ...world, db };
    await roomsOf(pausing);
    atomics = 0;
    const second = compareWith('second', pausing);
    await forgetting.reachedBy(second);
    const slow = through(world, [stopping(world.bank, reading), world.second]);
    await roomsOf(slow);
    const first = compareWith('simulator', slow);
    await reading.reachedBy(first);
    // The next page is asked for while this one is stored.
    while ((await linesOf()) < 3);
    forgetting.open();
    assert.equal((await second)?.state, 'agreed');
    reading.open();
    const run = await first;
    assert.deepEqual([run?.state, Number(run?.captures), run?.why], ['agreed', 3, null]);
  });

  // Guarantee: the daily work compares with each of them once.
  test('every day, each', async () => {
    const runs = () => world.db.sql.many((row) => readText(row, 'acquirer'))`
      select acquirer from reconciliation_run where state <> 'running' order by id`;
    const before = (await runs()).length;
    world.clock.advance({ hours: 24 });
    world.wall.advance({ hours: 2 });
    await tickAll(world);
    await tickAll(world);
    assert.deepEqual((await runs()).slice(before).sort(), ['second', 'simulator']);
  });

  // Guarantee: one that is not reached is named; the others are compared all the same.
  test('one has no statement', async () => {
    const away = async () => ({ kind: 'notReached' }) as const;
    const silent = new Proxy(world.bank, {
      get: (target, name) => (name === 'statement' ? away : Reflect.get(target, name)),
    });
    const half = through(world, [silent, world.second]);
    world.clock.advance({ hours: 24 });
    world.wall.advance({ hours: 2 });
    await (await roomsOf(half)).works.find(({ name }) => name === 'reconcile')?.run();
    const last = await world.db.sql.many((row) => [readText(row, 'acquirer'), readText(row, 'state')])`
      select distinct on (acquirer) acquirer, state from reconciliation_run order by acquirer, id desc`;
    assert.deepEqual(last, [
      ['second', 'agreed'],
      ['simulator', 'incomplete'],
    ]);
    await compareWith('simulator');
  });

  // Guarantee: metrics tell which of them was compared, and when.
  test('metrics have a label for each', async () => {
    const { text } = await service.ask('GET', '/metrics');
    for (const acquirer of ['simulator', 'second'])
      assert.match(text, new RegExp(`grosz_reconciliation_age_seconds\\{acquirer="${acquirer}"\\} \\d`));
  });
});

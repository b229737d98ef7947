// Lines of a run that somebody writes into their table, or changes there, while the run works: nothing agrees by them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { StatementAnswer } from '../../src/acquirer/index.ts';
import { reconcile } from '../../src/reconciliation/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { damage } from '../support/damage.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';

let here: Reconciling;
/** Bank and books agree, but for one payment that the bank does not have. */
let key: string;
before(async () => {
  here = await aReconciling();
  await here.pay();
  await here.pay();
  await here.compare();
  key = await here.pay();
  here.bank.say('capture', key, undefined);
});

const namesIt = () => `
  insert into reconciliation_line (run_id, position, kind, key, amount_minor, fee_minor, at, is_repeated)
  select id, 900000000, 'capture', '${key}', 2000, 0, now(), false from reconciliation_run where state = 'running'`;

/** A trigger of somebody with full access to the database, while `work` runs. */
async function withTrigger<T>(when: string, statements: string, work: () => Promise<T>): Promise<T> {
  const { world } = here;
  await damage(
    world,
    `create function changes() returns trigger language plpgsql as $$ begin
       if pg_trigger_depth() > 1 then return new; end if;
       ${statements}; return new; end $$`,
  );
  await damage(world, `create trigger changes ${when} execute function changes()`);
  try {
    return await work();
  } finally {
    await damage(world, 'drop function changes cascade');
  }
}

/** A run whose bank is asked through `hooks`. */
async function compareWith(hooks: {
  readonly statement?: (after: string | null, own: () => Promise<StatementAnswer>) => Promise<StatementAnswer>;
  readonly findCharge?: () => Promise<void>;
}) {
  const { world, bank } = here;
  const statement = (request: Parameters<typeof bank.statement>[0]) =>
    hooks.statement
      ? hooks.statement(request.after, () => bank.statement({ ...request, after: null }))
      : bank.statement(request);
  const findCharge = async (request: Parameters<typeof bank.findCharge>[0]) => {
    await hooks.findCharge?.();
    return bank.findCharge(request);
  };
  const acquirer = {
    name: bank.name,
    charge: bank.charge.bind(bank),
    refund: bank.refund.bind(bank),
    cancel: bank.cancel.bind(bank),
    findRefund: bank.findRefund.bind(bank),
    findCharge,
    statement,
  };
  world.clock.advance({ hours: 1 });
  world.wall.advance({ minutes: 2 });
  const nodes = { self: null, isDead: () => false };
  const run = await reconcile({
    ...world,
    acquirers: acquirersOf(world, acquirer),
    nodes,
    applyResult: async () => undefined,
  });
  return { state: run?.state, why: run?.why?.code };
}

const changed = { state: 'incomplete', why: 'lines_changed' };

suite('lines that were changed in the database', () => {
  // Guarantee: what the bank did not say names no payment.
  test('one was added: the run claims nothing', async () => {
    const added = await withTrigger('after insert on reconciliation_line for each statement', namesIt(), () =>
      compareWith({}),
    );
    assert.deepEqual(added, changed);
  });

  test('one was there for a while: the payment is missing at the bank', async () => {
    const findCharge = () => damage(here.world, 'delete from reconciliation_line where position = 900000000');
    const hidden = await withTrigger('after insert on reconciliation_line for each statement', namesIt(), () =>
      compareWith({ findCharge }),
    );
    assert.deepEqual(hidden, { state: 'differs', why: undefined });
    assert.deepEqual(await here.parked(key), ['Our books have a capture of 20.00; the bank has not.']);
  });

  // Guarantee: what is compared, and booked, is what the bank said.
  test('one was rewritten before it was stored: nothing is booked by it', async () => {
    const { bank } = here;
    bank.say('fee', 'fee', 100n);
    const rewritten = await withTrigger(
      "before insert on reconciliation_line for each row when (new.kind = 'fee')",
      'new.amount_minor = 1',
      () => compareWith({}),
    );
    assert.deepEqual([rewritten, await here.balanceOf('expense:acquirer_fee')], [changed, 0n]);
    bank.say('fee', 'fee', undefined);
  });

  test('one is not to be compared', async () => {
    const repeated = await withTrigger(
      "before insert on reconciliation_line for each row when (new.kind = 'capture')",
      'new.is_repeated = true',
      () => compareWith({}),
    );
    assert.deepEqual(repeated, changed);
  });

  test('one was changed and changed back', async () => {
    const statement = pagesThen(
      'update reconciliation_line set amount_minor = amount_minor + 1',
      'update reconciliation_line set amount_minor = amount_minor - 1',
    );
    assert.deepEqual(await compareWith({ statement }), changed);
  });

  test('one was removed', async () => {
    const statement = pagesThen('delete from reconciliation_line where position = 1');
    assert.deepEqual(await compareWith({ statement }), changed);
  });

  test('without any of this the run is complete', async () => {
    assert.deepEqual(await compareWith({ statement: pagesThen() }), { state: 'differs', why: undefined });
  });
});

/** The statement in three pages, the last empty: the first is stored when the last is asked for, which runs `statements`. */
function pagesThen(...statements: readonly string[]) {
  return async (after: string | null, own: () => Promise<StatementAnswer>): Promise<StatementAnswer> => {
    const answer = await own();
    if (answer.kind !== 'page') return answer;
    const [first, ...others] = answer.lines;
    assert.ok(first && others.length > 0, 'the statement has two lines');
    if (after === null) return { kind: 'page', lines: [first], next: 'second' };
    if (after === 'second') return { kind: 'page', lines: others, next: 'third' };
    for (const statement of statements) await damage(here.world, statement);
    return { kind: 'page', lines: [], next: null };
  };
}

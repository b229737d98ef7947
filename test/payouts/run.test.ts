// The run of a day, what it would do, and a run that dies.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import {
  beginRun,
  blockPayouts,
  planRun,
  releasePayouts,
  runOnePage,
  verifyPayoutAccount,
} from '../../src/payouts/index.ts';
import { changeTermsIn } from '../../src/payouts/terms.ts';
import { anOperator, type TestOperator } from '../support/batches.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { damage } from '../support/damage.ts';
import { aPassword } from '../support/panel.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPayout, aPayoutAccount, giveAccount, someIbans } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { makePayouts } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let service: Service;

/** On a Thursday: what was credited then is due on Friday. */
beforeEach(async () => {
  service = await aService();
  for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-19T10:00:00Z');
});
afterEach(() => checkInvariants(service.world));

/** The engine, until nothing is due. */
async function work(): Promise<void> {
  while ((await makePayouts(service.world)) > 0);
}

const friday = () => service.world.clock.set('2026-11-20T05:00:00Z');

async function aPayee(minor = 10_000n): Promise<TestMerchant> {
  const merchant = await aMerchant(service);
  await fund(service, merchant, minor);
  await aPayoutAccount(service, merchant);
  return merchant;
}

const available = ({ id }: TestMerchant) => findBalance(service.world.db.sql, ledgerAccounts.available(id));

const payouts = () =>
  service.world.db.sql.many(
    (row) => `${readText(row, 'account_id')} ${readText(row, 'amount')} ${readText(row, 'state')}`,
  )`
    select account_id, amount_minor::text as amount, state from payout order by account_id`;

const runs = () =>
  service.world.db.sql.many(
    (row) => `${readText(row, 'day')} ${readText(row, 'count')} ${readText(row, 'total')} ${readText(row, 'ended')}`,
  )`
    select day::text as day, payouts::text as count, total_minor::text as total, (ended_at is not null)::text as ended
      from payout_run order by day`;

async function planned(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const page of planRun(service.world))
    for (const { accountId, outcome } of page)
      found[accountId] = typeof outcome === 'bigint' ? String(outcome) : outcome.code;
  return found;
}

const choose = ({ id }: TestMerchant, changed: ReturnType<Parameters<typeof changeTermsIn>[3]>) =>
  service.world.db.atomic((sql) => changeTermsIn(service.world, sql, id, () => changed));

suite('the run of a day', () => {
  // Guarantee: on a bank day everybody who may be paid is paid what is due, once; the plan said so and moved nothing.
  test('pays once, by itself', async () => {
    const [one, two] = [await aPayee(), await aPayee(2_500n)];
    await work();
    assert.deepEqual(await payouts(), []);
    friday();
    const late = await aPayee(7_000n);
    assert.deepEqual(await planned(), { [one.id]: '10000', [two.id]: '2500', [late.id]: 'nothing_due' });
    assert.deepEqual(await payouts(), []);
    await work();
    await work();
    assert.deepEqual(await payouts(), [`${one.id} 10000 created`, `${two.id} 2500 created`].toSorted());
    assert.deepEqual([await available(one), await available(late)], [0n, 7_000n]);
    assert.ok((await runs()).includes('2026-11-20 2 12500 true'), String(await runs()));
  });

  // Guarantee: not at night, and never on a day on which banks are closed.
  test('not before five, nor on a Saturday', async () => {
    await aPayee();
    service.world.clock.set('2026-11-20T03:59:59Z');
    await work();
    assert.deepEqual(
      (await runs()).filter((run) => run.startsWith('2026-11-20')),
      [],
    );
    service.world.clock.set('2026-11-21T10:00:00Z');
    assert.equal(await beginRun(service.world), false);
    await work();
    assert.deepEqual(await payouts(), []);
  });

  // Guarantee: what protects a merchant stops the run too, and the plan names it; the account's own terms apply.
  test('who is not paid, and why', async () => {
    const [blocked, held, minimum, kept, manual] = [
      await aPayee(),
      await aPayee(),
      await aPayee(),
      await aPayee(),
      await aPayee(),
    ];
    const [nowhere, given] = [await aMerchant(service), await aMerchant(service)];
    for (const one of [nowhere, given]) await fund(service, one, 1_000n);
    await giveAccount(service, given);
    await aPayoutAccount(service, held, someIbans[1]);
    await blockPayouts(service.world, blocked.id, 'operator@grosz.example');
    await choose(minimum, { minimumMinor: 10_001n });
    await choose(kept, { keepBackMinor: 4_000n });
    await choose(manual, { schedule: 'manual' });
    friday();
    const expected = {
      [blocked.id]: 'payouts_blocked',
      [held.id]: 'bank_account_on_hold',
      [minimum.id]: 'below_minimum',
      [kept.id]: '6000',
      [manual.id]: 'not_scheduled',
      [nowhere.id]: 'bank_account_missing',
      [given.id]: 'bank_account_not_verified',
    };
    assert.deepEqual(await planned(), expected);
    await work();
    assert.deepEqual(await payouts(), [`${kept.id} 6000 created`]);
    await releasePayouts(service.world, blocked.id, 'operator@grosz.example');
    service.world.clock.set('2026-11-23T08:00:00Z');
    await work();
    assert.ok((await payouts()).includes(`${blocked.id} 10000 created`));
  });
});

suite('who writes into the database', () => {
  // Guarantee: terms from before a block, each of which was signed, pay nobody.
  test('terms from before a block', async () => {
    const [blocked, other] = [await aPayee(), await aPayee()];
    await damage(service.world, 'create table kept_terms as select * from payout_terms');
    await blockPayouts(service.world, blocked.id, 'operator@grosz.example');
    await damage(service.world, 'delete from payout_terms');
    await damage(service.world, 'insert into payout_terms select * from kept_terms');
    friday();
    assert.deepEqual(await planned(), { [blocked.id]: 'terms_altered', [other.id]: '10000' });
    await work();
    assert.deepEqual(await payouts(), [`${other.id} 10000 created`]);
    // Its books stay wrong.
    service = await aService();
  });

  // Guarantee: a number or terms that the vault did not sign pay nobody, the plan names them, and everybody else is paid;
  // whatever is done with them afterwards, they are not signed by it.
  for (const [what, statement, code] of [
    ['verified', "verified_by = 'eve', verified_at = given_at", 'bank_account_altered'],
    ['no hold', 'hold_until = given_at', 'bank_account_altered'],
    ['a number that cannot be opened', "number_sealed = 'x'", 'bank_account_altered'],
    ['released', 'blocked_at = null, blocked_by = null', 'terms_altered'],
    ['no delay', 'delay_days = 0', 'terms_altered'],
  ] as const) {
    test(what, async () => {
      const [altered, other] = [await aMerchant(service), await aPayee()];
      await fund(service, altered, 10_000n);
      await giveAccount(service, altered);
      if (what !== 'verified') await aPayoutAccount(service, altered, someIbans[1]);
      if (what === 'released') await blockPayouts(service.world, altered.id, 'operator@grosz.example');
      const [table, more] =
        code === 'terms_altered' ? ['payout_terms', ''] : ['payout_account', ' and replaced_at is null'];
      await damage(service.world, `update ${table} set ${statement} where account_id = '${altered.id}'${more}`);
      service.world.clock.set('2026-11-23T08:00:00Z');
      assert.deepEqual(await planned(), { [altered.id]: code, [other.id]: '10000' });
      await work();
      assert.deepEqual(await payouts(), [`${other.id} 10000 created`]);
      const accountId = altered.id;
      const refused = { code: 'payee_altered' };
      if (code === 'terms_altered') {
        await assert.rejects(blockPayouts(service.world, accountId, 'operator@grosz.example'), refused);
        await assert.rejects(releasePayouts(service.world, accountId, 'operator@grosz.example'), refused);
      } else {
        await assert.rejects(verifyPayoutAccount(service.world, { accountId, by: 'operator@grosz.example' }), refused);
        await aPayoutAccount(service, altered, someIbans[2]);
      }
      const found = (await findingsOf(service.world, service.world.db.sql, 'payouts')).map((one) => one.code);
      assert.ok(found.includes(code === 'terms_altered' ? 'payout_terms_changed' : 'payout_account_changed'));
      // Its books stay wrong.
      service = await aService();
    });
  }

  // Guarantee: a clock that is ahead stops only the account whose number it verified, until that time is there.
  test('verified by a node that is ahead', async () => {
    const [early, other] = [await aMerchant(service), await aPayee()];
    await fund(service, early, 10_000n);
    await giveAccount(service, early);
    friday();
    const { clock: here } = service.world;
    const clock = { now: () => here.now().add({ seconds: 2 }), momentOf: here.momentOf.bind(here) };
    await verifyPayoutAccount({ ...service.world, clock }, { accountId: early.id, by: 'operator@grosz.example' });
    assert.equal((await planned())[early.id], 'bank_account_not_verified');
    await work();
    assert.deepEqual(await payouts(), [`${other.id} 10000 created`]);
    service.world.clock.set('2026-11-23T08:00:00Z');
    await work();
    assert.ok((await payouts()).includes(`${early.id} 10000 created`));
  });
});

suite('a run that dies', () => {
  // Guarantee: whenever it dies, the next one goes on: nobody is paid twice, nobody is forgotten, and the sums are right.
  for (const size of [1, 2, 3]) {
    test(`in every page of ${size}, while it is written`, async () => {
      const payees = [await aPayee(1_000n), await aPayee(2_000n), await aPayee(3_000n)];
      friday();
      await beginRun(service.world);
      for (let done = 1; done > 0; ) {
        // It dies after some ids: in the middle of the payouts, or of their journals.
        for (const atMost of [0, 1, size, size + 1]) {
          await runOnePage({ ...service.world, ids: dyingAfter(atMost) }, size).catch((error: Error) =>
            assert.equal(error.message, 'it dies'),
          );
        }
        done = await runOnePage(service.world, size);
      }
      assert.deepEqual(
        await payouts(),
        payees.map(({ id }, index) => `${id} ${1_000 * (index + 1)} created`).toSorted(),
      );
      assert.deepEqual(await runs(), ['2026-11-20 3 6000 true']);
    });
  }

  const dyingAfter = (atMost: number) => {
    let made = 0;
    return {
      ...service.world.ids,
      ulid: (at?: Temporal.Instant) => {
        made += 1;
        if (made > atMost) throw new Error('it dies');
        return service.world.ids.ulid(at);
      },
    };
  };

  // Guarantee: a run of two nodes at once pays everybody once.
  test('two nodes at once', async () => {
    const payees = [await aPayee(), await aPayee(), await aPayee(), await aPayee()];
    friday();
    const node = async () => {
      await beginRun(service.world);
      for (let count = 1; count > 0; ) count = await runOnePage(service.world, 1);
    };
    await Promise.all([node(), node(), node()]);
    await node();
    assert.deepEqual(await payouts(), payees.map(({ id }) => `${id} 10000 created`).toSorted());
    assert.deepEqual(await runs(), ['2026-11-20 4 40000 true']);
  });
});

suite('grosz payouts', () => {
  const grosz = async (...args: string[]) => runHere(['payouts', ...args], await settingsIn(service.world));
  const as = async ({ email, code }: TestOperator, action: string, id: string) =>
    runHere(['payouts', action, id, '--as', email], await settingsIn(service.world), [aPassword, code()]);

  // Guarantee: an operator sees what a run would do before it does it, and takes back what has not left. The command has the
  // clock of this computer: on a day on which banks are open it pays what is due, on others nothing.
  test('plan, run and cancel', async () => {
    const merchant = await aPayee();
    const plan = await grosz('plan');
    assert.match(plan.stdout, new RegExp(`${merchant.id} .* balance 100.00  (would be paid|not paid: )`));
    assert.match(plan.stdout, /[01] payouts, (10)?0.00 PLN. Nothing was moved./);
    const run = await grosz('run');
    assert.match(run.stdout + run.stderr, /The run of today has ended|Banks are closed today/);
    const made = await service.world.db.sql.maybeOne((row) => readText(row, 'id'))`
      select id from payout where account_id = ${merchant.id}`;
    const id = made ?? (await aPayout(service, merchant, 1_000n)).id;
    assert.match((await grosz('cancel', id)).stdout, /is canceled/);
    assert.equal(await available(merchant), 10_000n);
    assert.match((await grosz('cancel', id)).stderr, /is canceled: only a created one/);
    assert.match((await grosz('cancel', 'x')).stderr, /no batch "x"/);
    assert.match((await grosz('pay')).stderr, /Usage: grosz payouts/);
  });

  // Guarantee: nobody is paid before a named operator has verified the bank account, nor while one has blocked it; each with
  // password and second factor, and its own name in the row and in the audit log.
  test('verify, block and release', async () => {
    const merchant = await aMerchant(service);
    const operator = await anOperator(service);
    assert.match((await as(operator, 'verify', merchant.id)).stderr, /no such bank account/);
    await fund(service, merchant, 10_000n);
    await giveAccount(service, merchant);
    for (const action of ['verify', 'block', 'release']) {
      assert.match((await grosz(action, merchant.id)).stderr, /Missing --as/);
      const refused = await as({ ...operator, code: () => 'x' }, action, merchant.id);
      assert.match(refused.stderr, /not accepted/);
      // What is to be verified is shown before anybody signs.
      assert.match(refused.stdout, action === 'verify' ? /^\.\.\.2874 of .* compare it with what you know\.\n$/ : /^$/);
    }
    assert.match((await grosz('plan')).stdout, /not paid: Its bank account is not verified/);
    assert.match((await as(operator, 'verify', merchant.id)).stdout, /\.\.\.2874 of Sklep Jana/);
    const tables = ['payout_terms', 'payout_block', 'payout_signed'] as const;
    const copy = (table: string, name: string) =>
      damage(service.world, `create table ${name}_${table} as select * from ${table}`);
    for (const table of tables) await copy(table, 'early');
    await as(operator, 'block', merchant.id);
    assert.match((await grosz('plan')).stdout, /not paid: An operator has blocked its payouts/);
    assert.match((await as(operator, 'block', merchant.id)).stderr, /blocked already/);
    for (const table of tables) await copy(table, 'late');
    const putBack = async (name: string) => {
      for (const table of tables) {
        await damage(service.world, `delete from ${table}`);
        await damage(service.world, `insert into ${table} select * from ${name}_${table}`);
      }
    };
    // Everything as it once was, each row signed: only the audit log knows better.
    await putBack('early');
    assert.deepEqual(
      (await findingsOf(service.world, service.world.db.sql, 'payouts')).map((one) => one.code),
      ['payout_block_forgotten'],
    );
    await putBack('late');
    assert.deepEqual(await findingsOf(service.world, service.world.db.sql, 'payouts'), []);
    const named = await service.world.db.sql.many((row) => readText(row, 'name'))`
      select verified_by as name from payout_account union all select blocked_by from payout_terms`;
    assert.deepEqual(named, [operator.email, operator.email]);
    await as(operator, 'release', merchant.id);
    assert.doesNotMatch((await grosz('plan')).stdout, /operator has blocked/);
    assert.match((await grosz('block', 'x')).stderr, /no account "x"/);
    const log = await service.world.db.sql.many((row) => readText(row, 'line'))`
      select action || ' ' || email as line from audit_entry
       where account_id = ${merchant.id} and outcome = 'ok' order by position`;
    const expected = ['verify_payout_account', 'block_payouts', 'release_payouts'];
    assert.deepEqual(
      log,
      expected.map((action) => `${action} ${operator.email}`),
    );
  });

  // Guarantee: a number is given only by a named operator with password and second factor, is never on a command line or in
  // the audit log, and one that is not valid is not taken.
  test('give', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 10_000n);
    const operator = await anOperator(service);
    const give = async (number: string, code: string, holder = 'Sklep Jana') => {
      const args = ['payouts', 'give', merchant.id, '--holder', holder, '--as', operator.email];
      return runHere(args, await settingsIn(service.world), [aPassword, code, number]);
    };
    assert.match((await give('61 1090 1014 0000 0712 1981 2875', operator.code())).stderr, /not a valid number/);
    assert.match((await give(someIbans[0], 'x')).stderr, /not accepted/);
    assert.match((await give(someIbans[0], operator.code(), 'x'.repeat(71))).stderr, /1 to 70/);
    const other = await anOperator(service);
    assert.match((await as(other, 'verify', merchant.id)).stderr, /no such bank account/);
    const given = await give('61 1090 1014 0000 0712 1981 2874', operator.code());
    assert.match(given.stdout, /go to \.\.\.2874 of Sklep Jana once somebody else verifies it/, given.stderr);
    assert.match((await grosz('plan')).stdout, /not paid: Its bank account is not verified/);
    assert.match((await as(operator, 'verify', merchant.id)).stderr, /Whoever gave the number cannot verify it/);
    assert.match((await as(other, 'verify', merchant.id)).stdout, /2874 of Sklep Jana is verified/);
    assert.doesNotMatch((await grosz('plan')).stdout, /not verified/);
    const log = await service.world.db.sql.many((row) => readText(row, 'text'))`
      select audit_entry::text as text from audit_entry`;
    assert.equal(log.join().replaceAll(/\s/g, '').includes('109010140000071219812874'), false);
    assert.ok(log.some((entry) => entry.includes(operator.email) && entry.includes('give_payout_account')));
  });
});

// The safeguarding figure: what is held for clients against what is owed to them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { balanceOf, ledgerAccounts, post } from '../../src/ledger/index.ts';
import { partOf } from '../../src/ledger/safeguarding.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { aPerson } from '../support/panel.ts';
import { aPaidTransaction, settleAll } from '../support/payments.ts';
import { aRefund } from '../support/refunds.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await aService();
});

const figure = async () => {
  await service.rooms.ledger.seal();
  return service.rooms.ledger.safeguarding();
};

async function book(kind: string, debit: string, credit: string, minor: bigint): Promise<void> {
  const { db, ids, clock } = service.world;
  const entries = [
    { account: debit, amountMinor: minor },
    { account: credit, amountMinor: -minor },
  ];
  await db.atomic((sql) => post(sql, ids, [{ source: ids.ulid(), kind, currency: 'PLN', entries }], clock.now()));
}

suite('the safeguarding figure', () => {
  // Guarantee: every account is held for clients, owed to them, or neither.
  test('the parts', () => {
    const parts: Record<string, string | undefined> = {
      'bank:client': 'bankMinor',
      'bank:own': undefined,
      'bank:unallocated': 'unknownMinor',
      'acquirer:stripe:receivable': 'acquirersMinor',
      'acquirer:stripe:suspense': 'unknownMinor',
      'merchant:X:available': 'accountsMinor',
      'merchant:X:payout_transit': 'accountsMinor',
      'merchant:X:reserve': 'accountsMinor',
      'merchant:X:owed': undefined,
      'refund:payable': 'payersMinor',
      'payer:unallocated': 'payersMinor',
      'dispute:payable': 'payersMinor',
      'income:processing_fee': undefined,
      'expense:loss': undefined,
    };
    for (const [account, part] of Object.entries(parts)) assert.equal(partOf(account), part, account);
  });

  // Guarantee: what is missing is said to the grosz, and fees are ours.
  test('what is missing, and what is ours', () => {
    const owed = { accountsMinor: 900n, payersMinor: 60n, unknownMinor: 40n };
    const balance = (bankMinor: bigint, acquirersMinor: bigint) => balanceOf({ ...owed, bankMinor, acquirersMinor });
    const of = (shortfallMinor: bigint, ownMinor: bigint, movableMinor: bigint) => ({
      shortfallMinor,
      ownMinor,
      movableMinor,
    });
    const rest = ({ shortfallMinor, ownMinor, movableMinor }: ReturnType<typeof balance>) =>
      of(shortfallMinor, ownMinor, movableMinor);
    assert.deepEqual(rest(balance(400n, 600n)), of(0n, 0n, 0n));
    assert.deepEqual(rest(balance(400n, 599n)), of(1n, 0n, 0n));
    assert.deepEqual(rest(balance(400n, 650n)), of(0n, 50n, 50n));
    assert.deepEqual(rest(balance(20n, 1_030n)), of(0n, 50n, 20n));
    assert.deepEqual(rest(balance(-20n, 1_070n)), of(0n, 50n, 0n));
  });

  // Guarantee: the figure follows the ledger, reads nothing twice, and is what metrics, panel and command say.
  test('follows the ledger', async () => {
    const { world } = service;
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100 });
    const paid = await aPaidTransaction(service, merchant, { amount: 100 });
    const first = await figure();
    assert.deepEqual([first.acquirersMinor, first.accountsMinor, balanceOf(first).ownMinor], [10_000n, 9_900n, 100n]);
    await aRefund(service, merchant, paid, { amount: 30 });
    const refunded = await figure();
    assert.deepEqual([refunded.accountsMinor, refunded.payersMinor], [6_900n, 3_000n]);
    await settleAll(world);
    await book('loss', ledgerAccounts.loss, ledgerAccounts.bankClient, 500n);
    const { shortfallMinor } = balanceOf(await figure());
    assert.equal(shortfallMinor, 400n);
    const again = await figure();
    assert.equal(balanceOf(again).shortfallMinor, 400n);
    const { text } = await service.ask('GET', '/metrics');
    assert.match(text, /^grosz_safeguarding_shortfall_minor 400$/m);
    const operator = await aPerson(service, 'operator', null);
    const shown = (await operator.ask('GET', '/panel/api/operator/safeguarding')).body.safeguarding;
    assert.deepEqual([shown.shortfall, shown.bank, shown.own, shown.movable], [4, -5, 0, 0]);
    const owner = await aPerson(service, 'owner', merchant.id);
    assert.equal((await owner.ask('GET', '/panel/api/operator/safeguarding')).status, 403);
    const command = await runHere(['safeguarding'], await settingsIn(world));
    assert.match(command.stdout, /at the bank +-5\.00 PLN/);
    assert.deepEqual([command.code, /4\.00 PLN of clients' money are missing/.test(command.stderr)], [1, true]);
  });
});

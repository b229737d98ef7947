// A batch that was handed over and that the bank is said never to have had: two operators, and its statements.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { type Batch, cancelMissed, findBatch, handOver, makeFile, type PayoutFile } from '../../src/batches/index.ts';
import { decimalText } from '../../src/kernel/index.ts';
import { findPayout, type Payout } from '../../src/payouts/index.ts';
import { findAbsence } from '../../src/statements/index.ts';
import { givePayer, listBankAccounts, openBankAccount } from '../../src/treasury/index.ts';
import { mt940 } from '../bankfiles/files.ts';
import { importInto } from '../statements/support.ts';
import {
  anApproved,
  anOperator,
  aPayingAccount,
  confirming,
  ourIban,
  type TestOperator,
  waitingPayouts,
} from '../support/batches.ts';
import { inWords } from '../support/findings.ts';
import { checkInvariants } from '../support/payments.ts';
import { someIbans } from '../support/payouts.ts';
import { aService, type Service } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let service: Service;
let second: TestOperator;
let batch: Batch;
let file: PayoutFile;
let payouts: readonly Payout[];

beforeEach(async () => {
  service = await aService();
  const first = await anOperator(service);
  second = await anOperator(service);
  await aPayingAccount(service);
  payouts = (await waitingPayouts(service, [1_000n, 2_500n])).map(({ payout }) => payout);
  batch = await anApproved(service, { first, second });
  file = await makeFile(service.world, batch.id);
  await handOver(service.world, batch.id, { way: 'panel', person: 'accountant@grosz.example' });
  await cancelMissed(service.world, { batchId: batch.id, by: first.signer }, findAbsence);
});

const cancel = () => cancelMissed(service.world, { batchId: batch.id, by: second.signer }, findAbsence);
const states = async () => [
  (await findBatch(service.world.db.sql, batch.id))?.state,
  ...(await Promise.all(payouts.map(async ({ id }) => (await findPayout(service.world.db.sql, id))?.state))),
];

interface Told {
  /** Days after that on which the file is to be paid. */
  readonly from: number;
  readonly until: number;
  readonly opening?: bigint;
  /** What moved, with title and the bank's batch. */
  readonly moved?: readonly (readonly [bigint, string])[];
  readonly account?: string;
  /** The day on which it is imported. */
  readonly comesOn?: number;
}

let number = 0;

/** A statement of MT940: the balances of the first and of the last day. */
async function tell(
  { from, until, opening = 100_000n, moved = [], account = ourIban, comesOn = until + 1 }: Told,
  acceptsGap = false,
) {
  number += 1;
  // A statement comes when its last day is over.
  service.world.clock.set(
    file.executeOn
      .add({ days: comesOn })
      .toZonedDateTime({ timeZone: 'Europe/Warsaw', plainTime: '08:00' })
      .toInstant()
      .toString(),
  );
  const short = (days: number) => file.executeOn.add({ days }).toString().slice(2).replaceAll('-', '');
  const text = (minor: bigint) => decimalText(minor < 0n ? -minor : minor).replace('.', ',');
  const closing = moved.reduce((sum, [minor]) => sum + minor, opening);
  const lines = moved.flatMap(([minor, title], index) => [
    `:61:${short(until)}${short(until).slice(2)}${minor < 0n ? 'D' : 'C'}${text(minor)}NTRFNONREF//${number}R${index}`,
    `:86:${title}`,
  ]);
  await importInto(
    service.world,
    mt940({
      head: [`:20:S${number}`, `:25:${account}`, `:28C:${number}/1`],
      opening: `C${short(from)}PLN${text(opening)}`,
      closing: `C${short(until)}PLN${text(closing)}`,
      lines,
    }),
    { acceptsGap },
  );
}

suite('a batch that the bank never had', () => {
  // Guarantee: the money is in the balances again only if the statements of that account tell every day up to a later one than
  // that of the payment, and nothing in them is the batch, or could be.
  for (const [name, told] of [
    ['no statement', []],
    ['up to the day of the payment', [{ from: -1, until: 0 }]],
    ['up to the bank day after somebody had the file', [{ from: -1, until: 1 }]],
    ['of days that are not over', [{ from: -1, until: 2, comesOn: 2 }]],
    ['that begin later than the file', [{ from: 1, until: 2 }]],
    ['that begin later than the file, with nothing', [{ from: 1, until: 2, opening: 0n }]],
    ['with the batch', [{ from: -1, until: 2, moved: [[-1_200n, 'MESSAGE']] }]],
    ['with money of its sum that left', [{ from: -1, until: 2, moved: [[-3_500n, 'transfers']] }]],
    ['with money of one of its payouts that left', [{ from: -1, until: 2, moved: [[-2_500n, 'a transfer']] }]],
    ['with one of its payouts', [{ from: -1, until: 2, moved: [[-1_000n, 'PAYOUT']] }]],
    ['with one of its payouts, of another amount', [{ from: -1, until: 2, moved: [[-999n, 'PAYOUT']] }]],
  ] as const satisfies readonly (readonly [string, readonly Told[]])[]) {
    test(`statements: ${name}`, async () => {
      for (const one of told as readonly Told[])
        await tell({
          ...one,
          moved: (one.moved ?? []).map(([minor, title]) => [
            minor,
            title.replace('MESSAGE', file.messageId).replace('PAYOUT', `GROSZ ${payouts[0]?.id}`),
          ]),
        });
      const isPaid = name === 'with one of its payouts';
      await assert.rejects(cancel(), { code: 'statement_needed' });
      assert.deepEqual(await states(), ['handed_over', isPaid ? 'paid' : 'sent', 'sent']);
    });
  }

  // Guarantee: who downloads a copy late may have sent it then.
  test('statements: before somebody had a copy', async () => {
    service.world.clock.set(file.executeOn.add({ days: 3 }).toZonedDateTime('Europe/Warsaw').toInstant().toString());
    await handOver(service.world, batch.id, { way: 'panel', person: 'accountant@grosz.example' });
    await tell({ from: -1, until: 3, comesOn: 4 });
    await assert.rejects(cancel(), { code: 'statement_needed' });
    await tell({ from: 3, until: 7, comesOn: 8 });
    await cancel();
    assert.deepEqual(await states(), ['canceled', 'canceled', 'canceled']);
  });

  test('statements: of another account', async () => {
    assert.equal(await openBankAccount(service.world, someIbans[0], 'Another'), true);
    await tell({ from: -1, until: 2, account: someIbans[0] });
    await assert.rejects(cancel(), { code: 'statement_needed' });
  });

  test('statements: with a gap that was accepted', async () => {
    await tell({ from: -1, until: 0 });
    await tell({ from: 1, until: 2, opening: 90_000n }, true);
    await assert.rejects(cancel(), { code: 'statement_needed' });
  });

  test('statements: without it', async () => {
    await tell({ from: -1, until: 0, moved: [[-3_499n, 'rent']] });
    await tell({ from: 0, until: 2, opening: 96_501n, moved: [[3_500n, 'a customer']] });
    await cancel();
    assert.deepEqual(await states(), ['canceled', 'canceled', 'canceled']);
    await checkInvariants(service.world);
    // It was at the bank nevertheless: the books follow it.
    await tell({ from: 2, until: 3, opening: 100_001n, moved: [[-1_000n, `GROSZ ${payouts[0]?.id}`]] });
    assert.deepEqual(await states(), ['canceled', 'paid', 'canceled']);
    assert.deepEqual(inWords(await findingsOf(service.world)), []);
  });

  // Guarantee: an operator of the service can: what the statements say is asked of them.
  test('by the command of an operator', async () => {
    await tell({ from: -1, until: 2 });
    await service.rooms.batches.cancelMissed(batch.id, confirming(second));
    assert.deepEqual(await states(), ['canceled', 'canceled', 'canceled']);
  });
});

suite('an account of ours', () => {
  // Guarantee: one number is one account, whether its statements were imported first or payouts were paid from it first; a batch
  // keeps the holder and the profile that were signed.
  test('is given, and opened', async () => {
    assert.equal(await openBankAccount(service.world, ourIban, 'Clients'), false);
    assert.equal(await openBankAccount(service.world, someIbans[0], 'Clients'), true);
    const given = { number: someIbans[0], holder: 'Grosz', profile: 'elixir0', givenBy: 'o@grosz.example' };
    await givePayer(service.world, given);
    await givePayer(service.world, { ...given, number: ourIban, holder: 'Another', profile: 'elixir0' });
    const accounts = (await listBankAccounts(service.world.db.sql)).map(({ number: own, name, holder }) => [
      own,
      name,
      holder,
    ]);
    assert.deepEqual(accounts.toSorted(), [
      [ourIban, 'Grosz sp. z o.o.', 'Another'],
      [someIbans[0], 'Clients', 'Grosz'],
    ]);
    const kept = await findBatch(service.world.db.sql, batch.id);
    assert.deepEqual([kept?.payerHolder, kept?.profile], ['Grosz sp. z o.o.', 'iso20022-pl']);
    for (const wrong of ['', 'PL10105000997603123456789124', 'x'.repeat(40)])
      assert.equal(await openBankAccount(service.world, wrong, 'x'), null);
  });
});

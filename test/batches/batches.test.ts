// Batches of payouts: two signatures, one file, and who gets it.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { changeAccount } from '../../src/accounts/index.ts';
import { builtInProfiles } from '../../src/bankfiles/index.ts';
import {
  approveBatch,
  type Batch,
  cancelBatch,
  cancelMissed,
  draftBatch,
  fileNameOf,
  findBatch,
  findFileOf,
  handOver,
  makeFile,
} from '../../src/batches/index.ts';
import { isPayment, readPayment } from '../../src/batches/read-payments.ts';
import { readText } from '../../src/database/index.ts';
import { confirmOperator, findUserByEmail, setUserBlocked } from '../../src/identity/index.ts';
import type { Refusal } from '../../src/kernel/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { blockPayouts, cancelCreated, findPayout, settleFailed } from '../../src/payouts/index.ts';
import { findProfile } from '../../src/treasury/index.ts';
import {
  aDraft,
  anApproved,
  anOperator,
  aPayingAccount,
  confirming,
  ourIban,
  type Signatures,
  type TestOperator,
  waitingPayouts,
} from '../support/batches.ts';
import { damage } from '../support/damage.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPayout, aPayoutAccount, giveAccount, someIbans } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aNode, aService, atEnd, type Service } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let service: Service;
let first: TestOperator;
let second: TestOperator;
let signatures: Signatures;

before(async () => {
  service = await aService();
  [first, second] = [await anOperator(service), await anOperator(service)];
  signatures = { first, second };
  await aPayingAccount(service);
  atEnd(async () => {
    await checkInvariants(service.world);
    assert.deepEqual(await findingsOf(service.world, service.world.db.sql, 'batches'), []);
  });
});

const panel = { way: 'panel', person: 'accountant@grosz.example' } as const;

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const stateOf = async ({ id }: Pick<Batch, 'id'>) => (await findBatch(service.world.db.sql, id))?.state;

const statesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await findPayout(service.world.db.sql, id))?.state));

async function aMade(amounts: readonly bigint[] = [1_000n]) {
  const waiting = await waitingPayouts(service, amounts);
  const batch = await anApproved(service, signatures);
  return { batch, file: await makeFile(service.world, batch.id), ids: waiting.map(({ payout }) => payout.id), waiting };
}

suite('bank profiles', () => {
  // Guarantee: the profiles in the database are those that files were tried with, in every field.
  for (const [name, profile] of Object.entries(builtInProfiles)) {
    test(name, async () => assert.deepEqual(await findProfile(service.world.db.sql, name), profile));
  }

  // Guarantee: a profile never changes, because files are made again from it.
  test('are never changed', async () => {
    await assert.rejects(
      service.world.db.sql.run`update bank_profile set settings = '{"format": "x"}'`,
      /never changed/,
    );
  });
});

suite('a batch', () => {
  // Guarantee: all that waits goes to the bank once, with amount and number, after two people have signed.
  test('from the draft to the bank', async () => {
    const waiting = await waitingPayouts(service, [1_234n, 5_000n]);
    const ids = waiting.map(({ payout }) => payout.id);
    const draft = await aDraft(service, signatures);
    assert.deepEqual([draft.state, draft.payouts, draft.totalMinor], ['draft', 2, 6_234n]);
    assert.deepEqual(await statesOf(ids), ['created', 'created']);
    const batch = await approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft });
    assert.deepEqual([batch.state, batch.createdBy, batch.approvedBy], ['approved', first.email, second.email]);
    assert.deepEqual(await statesOf(ids), ['approved', 'approved']);
    const file = await makeFile(service.world, batch.id);
    assert.match(file.messageId, /^GROSZ-3456789123-\d{6}$/);
    assert.equal(await stateOf(batch), 'made');
    const { handover, content } = await handOver(service.world, batch.id, panel);
    assert.equal(handover.isCopy, false);
    assert.equal(await stateOf(batch), 'handed_over');
    assert.deepEqual(await statesOf(ids), ['sent', 'sent']);
    const text = await textOf(content());
    assert.equal(BigInt(Buffer.byteLength(text)), file.size);
    assert.match(text, /<CtrlSum>62\.34<\/CtrlSum>/);
    const read = text.split('\n').filter(isPayment).map(readPayment);
    assert.deepEqual(
      read,
      waiting
        .map(({ payout }, index) => ({ ...payout, number: someIbans[index] }))
        .map(({ id, amountMinor, number }) => ({ reference: id, amountMinor, number }))
        .sort((one, other) => (one.reference < other.reference ? -1 : 1)),
    );
  });

  // Guarantee: later downloads are the same bytes, and say that they are copies.
  test('a second download', async () => {
    const { batch, file } = await aMade();
    const one = await handOver(service.world, batch.id, panel);
    const other = await handOver(service.world, batch.id, panel);
    assert.deepEqual([one.handover.isCopy, other.handover.isCopy], [false, true]);
    assert.equal(await textOf(one.content()), await textOf(other.content()));
    assert.equal(fileNameOf(file, true), `${file.messageId}-copy.xml`);
  });

  // Guarantee: of two who download at once, one is the first.
  test('two first downloads at once', async () => {
    const { batch, ids } = await aMade([700n, 800n]);
    const node = await aNode(service.world);
    const both = await Promise.all([handOver(service.world, batch.id, panel), handOver(node, batch.id, panel)]);
    assert.deepEqual(both.map(({ handover }) => handover.isCopy).sort(), [false, true]);
    assert.deepEqual(await statesOf(ids), ['sent', 'sent']);
  });

  // Guarantee: files of an account are numbered from 1 without gaps, however many are made at once.
  test('two files at once', async () => {
    const node = await aNode(service.world);
    const batches = [];
    for (const amount of [100n, 200n]) {
      await waitingPayouts(service, [amount]);
      batches.push(await anApproved(service, signatures));
    }
    const [one, other] = batches;
    const files = await Promise.all([makeFile(service.world, one?.id ?? ''), makeFile(node, other?.id ?? '')]);
    const numbers = files.map(({ number }) => number).sort((a, b) => a - b);
    assert.equal(numbers[1], (numbers[0] ?? 0) + 1);
    const again = await Promise.all(batches.map(({ id }) => makeFile(node, id)));
    assert.deepEqual(again, files);
  });

  // Guarantee: whoever makes the file of a batch makes the same bytes, also two nodes at once.
  test('one file made twice at once', async () => {
    await waitingPayouts(service, [100n]);
    const batch = await anApproved(service, signatures);
    const node = await aNode(service.world);
    const [one, other] = await Promise.all([makeFile(service.world, batch.id), makeFile(node, batch.id)]);
    assert.deepEqual(one, other);
  });

  // Guarantee: a payout is in one batch, also if two are drafted at once.
  test('two drafts at once', async () => {
    await waitingPayouts(service, [100n, 200n]);
    const node = await aNode(service.world);
    const both = await Promise.allSettled([
      draftBatch(service.world, { by: first.signer }),
      draftBatch(node, { by: second.signer }),
    ]);
    const made = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [{ id, payouts } = { id: '', payouts: 0 }] = made;
    assert.deepEqual([made.length, payouts], [1, 2]);
    await cancelBatch(service.world, id, first.signer);
    assert.equal((await aDraft(service, signatures)).payouts, 2);
    await drop();
  });

  // Guarantee: the schema refuses a payout in two batches, and another payout in a signed one.
  test('a payout of another batch', async () => {
    const { sql } = service.world.db;
    const [{ payout } = assert.fail()] = await waitingPayouts(service, [100n]);
    const draft = await aDraft(service, signatures);
    await sql.run`
      insert into payout_batch (id, bank_account_id, payer_holder, profile, currency, state, payouts, total_minor, created_by_id,
                                created_by, created_at)
      select ${`${draft.id.slice(0, 24)}ZZ`}, bank_account_id, payer_holder, profile, currency, state, payouts, total_minor,
             created_by_id, created_by, created_at from payout_batch where id = ${draft.id}`;
    const taken = sql.run`
      insert into payout_batch_item (batch_id, payout_id) values (${`${draft.id.slice(0, 24)}ZZ`}, ${payout.id})`;
    await assert.rejects(taken, /payout_batch_item_once/);
    await damage(service.world, `delete from payout_batch where id = '${draft.id.slice(0, 24)}ZZ'`);
    await approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft });
    await waitingPayouts(service, [200n]);
    const added = sql.run`
      insert into payout_batch_item (batch_id, payout_id) select ${draft.id}, id from payout where state = 'created'`;
    await assert.rejects(added, /signed batch never change/);
    const gone = sql.run`delete from payout_batch_item where batch_id = ${draft.id}`;
    await assert.rejects(gone, /signed batch never change/);
    await drop();
  });

  // Guarantee: a payout that the bank's file cannot have stops nobody else: it is left out, with the reason, and goes on waiting.
  test('payouts that no file can have', async () => {
    const impossible = async (iban: string | undefined, holder: string | undefined, amountMinor: bigint) => {
      const merchant = await aMerchant(service);
      await fund(service, merchant, amountMinor);
      await aPayoutAccount(service, merchant, iban, holder);
      return (await aPayout(service, merchant, amountMinor)).id;
    };
    const ids = [
      await impossible('DE89370400440532013000', undefined, 100n),
      await impossible(undefined, '公司', 100n),
      await impossible(undefined, '🙂', 100n),
      await impossible(undefined, undefined, 100_000_000_000n),
      await impossible(ourIban, undefined, 100n),
    ];
    await assert.rejects(aDraft(service, signatures), ({ code, faults }: Refusal) => {
      assert.match(faults[0].message ?? '', /^Payout [0-9A-Z]{26}: The (account|name|amount) /);
      return code === 'payouts_not_possible';
    });
    const [{ payout } = assert.fail()] = await waitingPayouts(service, [700n]);
    const draft = await draftBatch(service.world, { by: first.signer });
    assert.deepEqual([draft.payouts, draft.totalMinor], [1, 700n]);
    assert.deepEqual(
      new Map(draft.leftOut.map(({ payoutId, reason }) => [payoutId, reason])),
      new Map(ids.map((id, index) => [id, ['country', 'holder', 'holder', 'amount', 'other'][index]])),
    );
    await approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft });
    await makeFile(service.world, draft.id);
    assert.deepEqual(await statesOf([payout.id, ...ids]), ['approved', ...ids.map(() => 'created')]);
    await drop();
  });

  // Guarantee: another profile may be chosen until the bytes are there, and none afterwards.
  test('in another profile', async () => {
    await waitingPayouts(service, [100n]);
    const batch = await anApproved(service, signatures);
    await assert.rejects(makeFile(service.world, batch.id, 'iso20022-sepa'), { code: 'bank_profile_missing' });
    await assert.rejects(makeFile(service.world, batch.id, 'none'), { code: 'bank_profile_missing' });
    const file = await makeFile(service.world, batch.id, 'elixir0');
    assert.equal(fileNameOf(file, false), `${file.messageId}.pli`);
    await assert.rejects(makeFile(service.world, batch.id, 'iso20022-pl'), { code: 'batch_in_other_state' });
    const { content } = await handOver(service.world, batch.id, panel);
    assert.match(await textOf(content()), /^110,\d{8},100,10500099,0,"/);
  });

  // Guarantee: a batch is settled once nothing of it is open any more.
  test('is settled', async () => {
    const { batch, ids } = await aMade([100n, 200n]);
    await handOver(service.world, batch.id, panel);
    const settle = service.rooms.batches.works[0]?.run ?? assert.fail();
    const [one = '', other = ''] = ids;
    const reason = { code: 'refused_by_bank', parameters: { code: 'AC04', words: null } } as const;
    const fail = (id: string) => service.world.db.atomic((sql) => settleFailed(service.world, sql, [{ id, reason }]));
    await fail(one);
    await settle();
    assert.equal(await stateOf(batch), 'handed_over');
    await fail(other);
    await settle();
    assert.equal(await stateOf(batch), 'settled');
    assert.equal((await handOver(service.world, batch.id, panel)).handover.isCopy, true);
  });
});

/** Cancels all drafts. */
async function drop(): Promise<void> {
  const ids = await service.world.db.sql.many((row) => readText(row, 'id'))`
    select id from payout_batch where state = 'draft'`;
  for (const id of ids) await cancelBatch(service.world, id, first.signer);
  const waiting = await service.world.db.sql.many((row) => readText(row, 'id'))`
    select id from payout where state = 'created'`;
  const reason = { code: 'canceled_by_operator', parameters: {} } as const;
  await service.world.db.atomic((sql) => cancelCreated(service.world, sql, waiting, reason));
}

suite('four eyes', () => {
  // Guarantee: nobody signs alone, however often the person has signed in, and the schema says so too.
  test('the same person', async () => {
    await waitingPayouts(service, [100n]);
    const draft = await aDraft(service, signatures);
    const again = { batchId: draft.id, seen: draft };
    await assert.rejects(approveBatch(service.world, { ...again, by: first.signer }), {
      code: 'signed_by_same_person',
    });
    const { batches } = service.rooms;
    await assert.rejects(batches.approve(draft.id, draft, confirming(first)), { code: 'signed_by_same_person' });
    await assert.rejects(
      service.world.db.sql.run`
        update payout_batch set state = 'approved', approved_by_id = created_by_id, approved_by = 'other@grosz.example',
               approved_at = created_at, digest = sha256('x'), mac = 'x' where id = ${draft.id}`,
      /payout_batch_four_eyes/,
    );
    await drop();
  });

  // Guarantee: whoever was blocked or is no operator any more signs nothing, although the password was right a moment ago.
  test('somebody who may no longer', async () => {
    await waitingPayouts(service, [100n]);
    const third = await anOperator(service);
    const draft = await aDraft(service, signatures);
    const by = await confirmOperator(service.rooms.identity.tools, confirming(third));
    const user = await findUserByEmail(service.world.db.sql, third.email);
    assert.ok(user);
    await setUserBlocked(service.rooms.identity.tools, user, true);
    await assert.rejects(approveBatch(service.world, { batchId: draft.id, by, seen: draft }), {
      code: 'not_an_operator',
    });
    await assert.rejects(confirmOperator(service.rooms.identity.tools, confirming(third)), { code: 'not_an_operator' });
    await assert.rejects(
      service.world.db.sql.run`
        update payout_batch set state = 'approved', approved_by_id = ${third.id}, approved_by = ${third.email},
               approved_at = created_at, digest = sha256('x'), mac = 'x' where id = ${draft.id}`,
      /is no operator/,
    );
    await assert.rejects(draftBatch(service.world, { by }), { code: 'not_an_operator' });
    assert.equal(await stateOf(draft), 'draft');
    await drop();
  });

  // Guarantee: two signatures at once are one.
  test('two nodes at once', async () => {
    const [{ payout } = assert.fail()] = await waitingPayouts(service, [100n]);
    const third = await anOperator(service);
    const draft = await aDraft(service, signatures);
    const node = await aNode(service.world);
    const both = await Promise.allSettled([
      approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft }),
      approveBatch(node, { batchId: draft.id, by: third.signer, seen: draft }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(await statesOf([payout.id]), ['approved']);
  });

  // Guarantee: a password alone, a code that was used, and a wrong one are refused.
  test('password and code', async () => {
    const { tools } = service.rooms.identity;
    const given = confirming(first);
    await confirmOperator(tools, given);
    await assert.rejects(confirmOperator(tools, given), { code: 'wrong_code' });
    await assert.rejects(confirmOperator(tools, { ...given, code: '' }), { code: 'wrong_code' });
    const wrong = { ...confirming(first), password: confirming(second).password.reveal() };
    assert.ok(wrong);
    service.world.wall.advance({ minutes: 1 });
    await confirmOperator(tools, { ...given, code: first.appCode(service.world.wall.now()) });
  });
});

suite('between two signatures', () => {
  // Guarantee: whoever swaps the account of a payout gets nothing: it is canceled, and the batch is looked at again.
  test('an account is swapped', async () => {
    const [stays = assert.fail(), swapped = assert.fail()] = await waitingPayouts(service, [100n, 200n]);
    const draft = await aDraft(service, signatures);
    await giveAccount(service, swapped.merchant, ourIban);
    await assert.rejects(approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft }), {
      code: 'batch_changed',
    });
    const now = await findBatch(service.world.db.sql, draft.id);
    assert.deepEqual([now?.state, now?.payouts, now?.totalMinor], ['draft', 1, 100n]);
    assert.ok(now);
    await approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: now });
    assert.deepEqual(await statesOf([stays.payout.id, swapped.payout.id]), ['approved', 'canceled']);
  });

  // Guarantee: after the second signature the file has the number that was signed.
  test('an account is swapped after both', async () => {
    const [{ merchant } = assert.fail()] = await waitingPayouts(service, [100n]);
    const batch = await anApproved(service, signatures);
    await giveAccount(service, merchant, ourIban);
    await makeFile(service.world, batch.id);
    const { content } = await handOver(service.world, batch.id, panel);
    assert.match(await textOf(content()), new RegExp(someIbans[0]));
  });

  // Guarantee: an account that an operator has blocked is not paid by a batch that was made before.
  test('an account is blocked', async () => {
    const [{ merchant } = assert.fail()] = await waitingPayouts(service, [100n]);
    const draft = await aDraft(service, signatures);
    await blockPayouts(service.world, merchant.id, 'operator@grosz.example');
    await assert.rejects(approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft }), {
      code: 'batch_changed',
    });
    assert.equal(await stateOf(draft), 'canceled');
    await assert.rejects(aDraft(service, signatures), { code: 'batch_empty' });
    await drop();
  });

  // Guarantee: nor an account that is blocked altogether.
  test('an account takes no part any more', async () => {
    const [{ merchant } = assert.fail()] = await waitingPayouts(service, [100n]);
    const draft = await aDraft(service, signatures);
    await changeAccount(service.world, merchant.id, { status: 'blocked' });
    await assert.rejects(approveBatch(service.world, { batchId: draft.id, by: second.signer, seen: draft }), {
      code: 'batch_changed',
    });
    await assert.rejects(aDraft(service, signatures), { code: 'batch_empty' });
    await changeAccount(service.world, merchant.id, { status: 'active' });
    await drop();
  });
});

suite('payouts that are not in the books as they say', () => {
  const canceled = { code: 'canceled_by_operator', parameters: {} } as const;

  // Guarantee: who writes another amount into the database, or puts a canceled payout back, gets no signature.
  for (const what of ['another amount', 'canceled before'] as const) {
    test(`are not signed: ${what}`, async () => {
      const own = await aService();
      const both = { first: await anOperator(own), second: await anOperator(own) };
      await aPayingAccount(own);
      const [{ payout } = assert.fail()] = await waitingPayouts(own, [1_000n]);
      if (what === 'canceled before') {
        await own.world.db.atomic((sql) => cancelCreated(own.world, sql, [payout.id], canceled));
        await damage(
          own.world,
          `update payout set state = 'created', reason = null, ended_at = null, given_back_at = null where id = '${payout.id}'`,
        );
      } else await damage(own.world, `update payout set amount_minor = 99999 where id = '${payout.id}'`);
      const draft = await aDraft(own, both);
      await assert.rejects(approveBatch(own.world, { batchId: draft.id, by: both.second.signer, seen: draft }), {
        code: 'payee_altered',
      });
    });
  }

  // Guarantee: nor does the file of a signed batch that was canceled and put back leave.
  test('do not leave', async () => {
    const own = await aService();
    const both = { first: await anOperator(own), second: await anOperator(own) };
    await aPayingAccount(own);
    const [{ payout } = assert.fail()] = await waitingPayouts(own, [1_000n]);
    const batch = await anApproved(own, both);
    await makeFile(own.world, batch.id);
    await cancelBatch(own.world, batch.id, both.second.signer);
    await damage(
      own.world,
      `update payout set state = 'approved', reason = null, ended_at = null, given_back_at = null where id = '${payout.id}'`,
    );
    await damage(
      own.world,
      `update payout_batch set state = 'made', canceled_at = null, canceled_by = null, canceled_by_id = null where id = '${batch.id}'`,
    );
    await assert.rejects(handOver(own.world, batch.id, panel), { code: 'batch_altered' });
    assert.equal((await findPayout(own.world.db.sql, payout.id))?.state, 'approved');
  });
});

suite('canceling', () => {
  const balanceOf = ({ id }: { readonly id: string }) =>
    findBalance(service.world.db.sql, ledgerAccounts.available(id as never));

  // Guarantee: until somebody has the file, accounts have their money again.
  for (const until of ['draft', 'approved', 'made'] as const) {
    test(`a batch that is ${until}`, async () => {
      const [{ payout, merchant } = assert.fail()] = await waitingPayouts(service, [100n]);
      const batch = await (until === 'draft' ? aDraft : anApproved)(service, signatures);
      if (until === 'made') await makeFile(service.world, batch.id);
      await cancelBatch(service.world, batch.id, first.signer);
      assert.deepEqual(await statesOf([payout.id]), [until === 'draft' ? 'created' : 'canceled']);
      assert.equal(await balanceOf(merchant), until === 'draft' ? 0n : 100n);
      await assert.rejects(handOver(service.world, batch.id, panel), { code: 'batch_in_other_state' });
      await assert.rejects(cancelBatch(service.world, batch.id, first.signer), { code: 'batch_in_other_state' });
      await drop();
    });
  }

  // Guarantee: what the bank may have needs two people and a statement without it.
  test('a batch that was handed over', async () => {
    const { batch, ids, waiting } = await aMade([100n]);
    await handOver(service.world, batch.id, panel);
    await assert.rejects(cancelBatch(service.world, batch.id, first.signer), { code: 'batch_at_bank' });
    const missing = (by: TestOperator) => ({ batchId: batch.id, by: by.signer });
    const isAbsent = async () => true;
    await cancelMissed(service.world, missing(first), isAbsent);
    assert.equal(await stateOf(batch), 'handed_over');
    await assert.rejects(cancelMissed(service.world, missing(first), isAbsent), { code: 'signed_by_same_person' });
    await assert.rejects(cancelMissed(service.world, missing(second), undefined), { code: 'statement_needed' });
    await assert.rejects(
      cancelMissed(service.world, missing(second), async () => false),
      { code: 'statement_needed' },
    );
    await assert.rejects(
      service.world.db.sql.run`
        update payout_batch set state = 'canceled', canceled_by = 'x', canceled_by_id = ${first.id}, canceled_at = handed_over_at
         where id = ${batch.id}`,
      /four_eyes/,
    );
    await cancelMissed(service.world, missing(second), isAbsent);
    assert.deepEqual([await stateOf(batch), ...(await statesOf(ids))], ['canceled', 'canceled']);
    assert.equal(await balanceOf(waiting[0]?.merchant ?? { id: '' }), 100n);
  });
});

suite('who writes into the database', () => {
  const amount =
    'update payout set amount_minor = amount_minor + 1 where id = (select max(payout_id) from payout_batch_item)';
  const batch = 'where id = (select max(id) from payout_batch)';
  const file = 'where id = (select max(id) from payout_file)';

  // Guarantee: nobody signs a payout to a number, or of an account with terms, that the vault did not sign.
  for (const [what, statement] of [
    ['who verified it', "update payout_account set verified_by = 'eve'"],
    ['the terms', 'update payout_terms set keep_back_minor = 1'],
  ] as const) {
    test(`${what}, before the second signature`, async () => {
      const own = await aService();
      const two = { first: await anOperator(own), second: await anOperator(own) };
      await aPayingAccount(own);
      const waiting = await waitingPayouts(own, [100n, 200n]);
      const draft = await aDraft(own, two);
      const id = waiting[1]?.merchant.id;
      await damage(own.world, `${statement} where account_id = '${id}'`);
      await assert.rejects(approveBatch(own.world, { batchId: draft.id, by: two.second.signer, seen: draft }), {
        code: 'payee_altered',
      });
      assert.equal((await findBatch(own.world.db.sql, draft.id))?.state, 'draft');
    });
  }

  // Guarantee: nobody gets a file of other payouts, amounts or signatures than were signed, and each is found.
  for (const [what, statement, code] of [
    ['an amount', amount, 'batch_altered'],
    ['a holder', amount.replace('amount_minor = amount_minor + 1', "holder = 'Thief'"), 'batch_altered'],
    ['who signed', `update payout_batch set approved_by = 'boss@grosz.example' ${batch}`, 'batch_not_signed'],
    ['the sum', `update payout_batch set total_minor = total_minor + 1 ${batch}`, 'batch_not_signed'],
  ] as const) {
    test(`${what}, before the file`, async () => {
      const own = await aService();
      const two = { first: await anOperator(own), second: await anOperator(own) };
      await aPayingAccount(own);
      await waitingPayouts(own, [100n, 200n]);
      const { id } = await anApproved(own, two);
      await damage(own.world, statement);
      await assert.rejects(makeFile(own.world, id), { name: 'Refusal' });
      const codes = (await findingsOf(own.world, own.world.db.sql, 'batches')).map((one) => one.code);
      assert.ok(codes.includes(code), codes.join());
    });
  }

  for (const [what, statement, code] of [
    ['an amount', amount, 'payout_file_differs'],
    [
      'a payout',
      'delete from payout_batch_item where payout_id = (select max(payout_id) from payout_batch_item)',
      'payout_file_differs',
    ],
    ['the hash', `update payout_file set sha256 = sha256('x') ${file}`, 'payout_file_changed'],
    ['the bytes', `update payout_file set bytes = substr(bytes, 1, 40) ${file}`, 'payout_file_changed'],
    ['the number', `update payout_file set number = 7 ${file}`, 'payout_file_number_missing'],
    ['the file', `delete from payout_file ${file}`, 'batch_file_missing'],
    ['one person', `update payout_batch set approved_by_id = created_by_id ${batch}`, 'batch_signed_by_one'],
    [
      'a state',
      `update payout_batch set state = 'handed_over', handed_over_at = made_at ${batch}`,
      'batch_payouts_differ',
    ],
    [
      'who got it',
      `insert into payout_handover select left(id, 25) || 'Z', id, 'panel', false, 'x', null, created_at, null from payout_file`,
      undefined,
    ],
  ] as const) {
    test(`${what}, after the file`, async () => {
      const own = await aService();
      const two = { first: await anOperator(own), second: await anOperator(own) };
      await aPayingAccount(own);
      await waitingPayouts(own, [100n, 200n]);
      const { id } = await anApproved(own, two);
      await makeFile(own.world, id);
      assert.deepEqual(await findingsOf(own.world, own.world.db.sql, 'batches'), []);
      if (what === 'one person')
        await own.world.db.sql.run`alter table payout_batch drop constraint payout_batch_four_eyes`;
      await damage(own.world, statement);
      const codes: string[] = (await findingsOf(own.world, own.world.db.sql, 'batches')).map((one) => one.code);
      assert.ok(codes.includes(code ?? 'batch_file_missing'), codes.join());
    });
  }

  // Guarantee: bytes that were changed are given to nobody.
  test('no file of other bytes', async () => {
    const { batch } = await aMade();
    await damage(service.world, `create table kept_file as select * from payout_file; `.trim());
    await damage(service.world, `update payout_file set sha256 = sha256('x') where batch_id = '${batch.id}'`);
    await assert.rejects(handOver(service.world, batch.id, panel), { code: 'batch_altered' });
    assert.equal(await stateOf(batch), 'made');
    await damage(
      service.world,
      'update payout_file set sha256 = kept_file.sha256 from kept_file where kept_file.id = payout_file.id',
    );
    const file = await findFileOf(service.world.db.sql, batch.id);
    await assert.rejects(
      service.world.db.sql.run`update payout_file set sha256 = sha256('x') where id = ${file?.id}`,
      /never changed/,
    );
  });
});

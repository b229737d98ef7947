// The ends of the chains of hashes: whoever cuts one off, or changes its head, is found.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import { dataFiles } from '../../src/data-files.ts';
import { sealJournals } from '../../src/ledger/index.ts';
import { runHere } from '../support/command.ts';
import { damage } from '../support/damage.ts';
import { inWords } from '../support/findings.ts';
import { aPerson } from '../support/panel.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aFolder, aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { verifyLedger, whole } from '../support/verify.ts';

/** Removes the newest journal with everything that would tell of it, as somebody who knows the tables would. */
const cutJournal = `
  with last as (select position, journal_id from journal_seal order by position desc limit 1),
       moved as (update ledger_balance set balance_minor = balance_minor + entry.amount_minor
                   from entry where entry.journal_id = (select journal_id from last) and entry.account = ledger_balance.account),
       seal as (delete from journal_seal where position = (select position from last)),
       entries as (delete from entry where journal_id = (select journal_id from last))
  delete from journal where id = (select journal_id from last)`;
const cutEntry = 'delete from audit_entry where position = (select max(position) from audit_entry)';

suite('the ends of the chains', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  async function grow(): Promise<void> {
    await aPaidTransaction(service, merchant, {});
    await sealJournals(service.world);
    await aPerson(service, 'owner', merchant.id);
  }
  const problems = async () =>
    inWords([
      ...(await verifyLedger(service.world, whole(service.world))),
      ...(await service.rooms.identity.verify(whole(service.world))),
    ]);
  /** What a command on this database needs, with a data folder of its own. */
  const environmentOfNode = async () => ({
    DATABASE_URL: service.world.databaseUrl,
    VAULT_KEYS: `test:${Buffer.from(service.world.vaultKey).toString('base64')}`,
    DATA_DIR: await aFolder(),
    BANK_FILE: service.world.bankFile,
  });
  /** Runs a test on a world that is correct before and after it. */
  async function onCorrect(work: () => Promise<void>): Promise<void> {
    service = await aService();
    merchant = await aMerchant(service);
    await grow();
    await grow();
    assert.deepEqual(await problems(), []);
    await work();
  }

  const damages: readonly (readonly [what: string, statement: string, finding: RegExp])[] = [
    ['the newest journal is removed', cutJournal, /^Ledger: the end of the chain was cut off/],
    [
      'the newest seal is removed',
      'delete from journal_seal where position = (select max(position) from journal_seal)',
      /outside the chain|^Ledger: the end/,
    ],
    ['the newest entry of the audit log is removed', cutEntry, /^Audit log: the end of the chain was cut off/],
    ['the audit log is emptied', 'truncate audit_entry', /^Audit log: the end of the chain was cut off/],
    [
      'the books are emptied',
      'truncate journal, entry, journal_seal, journal_unsealed; update ledger_balance set balance_minor = 0',
      /^Ledger: the end of the chain was cut off/,
    ],
    ['a head is removed', "delete from chain_head where chain = 'ledger'", /^Ledger: the head of the chain is missing/],
    ['all heads are removed', 'truncate chain_head', /^Audit log: the head of the chain is missing/],
    [
      'a head is moved back',
      "update chain_head set position = position - 1 where chain = 'audit'",
      /^Audit log: the head of the chain was changed/,
    ],
    [
      'the MAC of a head',
      "update chain_head set mac = 'test.x' where chain = 'ledger'",
      /^Ledger: the head of the chain was changed/,
    ],
    [
      'heads are swapped',
      'update chain_head as head set position = other.position, hash = other.hash, mac = other.mac from chain_head as other where other.chain <> head.chain',
      /^Ledger: the head of the chain was changed/,
    ],
    [
      'the end is removed and its head made up',
      `${cutEntry}; update chain_head set position = (select max(position) from audit_entry), hash = (select hash from audit_entry order by position desc limit 1) where chain = 'audit'`,
      /^Audit log: the head of the chain was changed/,
    ],
  ];
  for (const [what, statement, finding] of damages) {
    // Guarantee: the end of a chain cannot be removed without the vault's key or an older copy of its head, and what was
    // removed is still told of after the chain has grown again.
    test(what, () =>
      onCorrect(async () => {
        for (const one of statement.split('; ')) await damage(service.world, one);
        const found = await problems();
        assert.ok(
          found.some((text) => finding.test(text)),
          found.join(' | '),
        );
        await grow();
        await grow();
        assert.notDeepEqual(await problems(), []);
      }),
    );
  }

  // Guarantee: nobody without the key makes a head, not even an empty one.
  test('a head without a signature', () =>
    onCorrect(async () => {
      await assert.rejects(damage(service.world, "update chain_head set mac = ''"), /chain_head_mac_check/);
      await damage(service.world, 'alter table chain_head drop constraint chain_head_mac_check');
      await damage(service.world, "update chain_head set mac = ''");
      await grow();
      assert.deepEqual(await problems(), [
        'Ledger: the head of the chain names a key that VAULT_KEYS does not have.',
        'Audit log: the head of the chain names a key that VAULT_KEYS does not have.',
      ]);
    }));

  // Guarantee: an end that was cut off together with its head is found by whoever noted a later head down, and by the
  // note in the data folder.
  test('an older copy of chain and head', () =>
    onCorrect(async () => {
      const environment = await environmentOfNode();
      await damage(service.world, 'create table old_head as select * from chain_head');
      await damage(service.world, 'create table old_entry as select * from audit_entry');
      await aPerson(service, 'owner', merchant.id);
      const { stdout } = await runHere(['verify'], environment);
      const [, head = ''] = /^Head: (\S+)$/m.exec(stdout) ?? [];
      assert.match(head, /^ledger:\d+:[0-9a-f]{64},audit:\d+:[0-9a-f]{64}$/, stdout);
      assert.equal((await runHere(['verify', '--head', head], environment)).code, 0);
      // So that starting over removes the note with the database that it is about.
      for (const name of readdirSync(environment.DATA_DIR)) assert.ok(dataFiles.includes(name), name);
      for (const statement of [
        'delete from audit_entry where position > (select max(position) from old_entry)',
        "update chain_head set position = old.position, hash = old.hash, mac = old.mac from old_head as old where old.chain = chain_head.chain and old.chain = 'audit'",
      ]) {
        await damage(service.world, statement);
      }
      assert.deepEqual(await problems(), []);
      const cut = /Audit log: the chain ends before \d+, which was noted: its end was cut off\./;
      assert.match((await runHere(['verify'], environment)).stderr, cut);
      const elsewhere = { ...environment, DATA_DIR: await aFolder() };
      assert.equal((await runHere(['verify'], elsewhere)).code, 0);
      assert.match((await runHere(['verify', '--head', head], elsewhere)).stderr, cut);
      assert.match((await runHere(['verify', '--head', 'x'], elsewhere)).stderr, /--head must be what grosz verify/);
    }));
});

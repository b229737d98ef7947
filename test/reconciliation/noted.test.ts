// Which lines of statements were read is noted, and what the notes come to is signed with them.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { damage } from '../support/damage.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let charge: string;

beforeEach(async () => {
  here = await aReconciling();
  charge = await here.pay();
  here.bank.say('fee', 'fee', 100n);
  assert.equal((await here.compare(24)).state, 'agreed');
});

async function codesFound(): Promise<string[]> {
  return (await findingsOf(here.world)).map(({ code }) => code);
}

suite('notes of lines', () => {
  // Guarantee: verify is green whatever the bank did to a line: named, amended in time and amount, gone, and named once more.
  test('are what was written, in every way that they are', async () => {
    const { bank, world } = here;
    const first = world.clock.now();
    bank.amendTime('fee', 'fee', first.add({ hours: 1 }));
    assert.equal((await here.compare(24)).state, 'agreed');
    assert.deepEqual(await codesFound(), [], 'another time');
    bank.say('capture', charge, 1_500n);
    await here.compare(24, here.begun);
    assert.deepEqual(await codesFound(), [], 'another amount');
    await here.decide(charge, { capturedMinor: 1_500n });
    bank.say('capture', charge, undefined);
    await here.compare(24, here.begun);
    await here.decide(charge, 'not-captured');
    bank.say('capture', charge, 2_000n);
    await here.compare(24);
    assert.deepEqual(await codesFound(), [], 'gone, and named once more');
  });

  const damages: Readonly<Record<string, string>> = {
    'a note that is removed': "delete from acquirer_named where kind = 'fee'",
    'another time': "update acquirer_named set at = at - interval '1 microsecond' where kind = 'capture'",
    'another amount': "update acquirer_named set amount_minor = amount_minor + 1 where kind = 'capture'",
    'one that is said to be gone': "update acquirer_named set is_gone = true where kind = 'capture'",
    'another key': "update acquirer_named set key = 'other' where kind = 'fee'",
    'another kind': "update acquirer_named set kind = 'other_taken' where kind = 'fee'",
    'another acquirer': "update acquirer_named set acquirer = 'other' where kind = 'fee'",
    'two amounts swapped': `update acquirer_named set amount_minor = case kind when 'fee' then
       (select amount_minor from acquirer_named where kind = 'capture') else 100 end`,
    'no count': 'delete from acquirer_noted',
    'another count': 'update acquirer_noted set lines = lines + 1',
    'no notes, and no count': 'with gone as (delete from acquirer_named) delete from acquirer_noted',
    'a note that is counted, but unsigned': `with added as (
       insert into acquirer_named select (jsonb_populate_record(named, '{"key": "made-up"}')).*
         from acquirer_named as named where kind = 'fee' returning named_hash(acquirer_named) as hash)
       update acquirer_noted set lines = lines + 1,
         digest = digest + ('x' || left(hash, 16))::bit(64)::bigint * 18446744073709551616
                  + ('x' || substr(hash, 17, 16))::bit(64)::bigint from added`,
  };
  // Guarantee: nobody changes a note by SQL without verify naming it, and later runs do not sign it.
  for (const [name, statement] of Object.entries(damages))
    test(`${name}: named, and still named after the next lines`, async () => {
      await damage(here.world, statement);
      assert.ok((await codesFound()).includes('statement_notes_differ'));
      here.bank.say('fee', 'another', 200n);
      await here.compare(24);
      assert.ok((await codesFound()).includes('statement_notes_differ'));
    });
});

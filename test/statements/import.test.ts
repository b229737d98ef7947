// Statements of our bank in the books: each line once, whatever the bank sends, and only what is right as a whole.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readBigint, readText } from '../../src/database/index.ts';
import { sumKnown } from '../../src/statements/store/lines.ts';
import { bankStatementTable } from '../../src/statements/table.ts';
import { account, type CamtGiven, camt053, camtEntry, mt940 } from '../bankfiles/files.ts';
import { inWords } from '../support/findings.ts';
import { aWorld, roomsOf, type TestWorld } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';
import { balanceOf, counts, importInto, openOurs, refusalOf } from './support.ts';

let world: TestWorld;

beforeEach(async () => {
  world = await aWorld();
  await openOurs(world);
});

/** A statement of camt.053 with a name and a day of its own. */
function statement(name: string, day: string, given: CamtGiven): string {
  return camt053({ ...given, entries: given.entries?.map((one) => ({ booked: `<Dt>${day}</Dt>`, ...one })) ?? [] })
    .replace('<Id>S1</Id>', `<Id>${name}</Id>`)
    .replaceAll('2026-11-18T', `${day}T`);
}

const monday = statement('MON', '2026-11-16', {
  opening: '0.00',
  closing: '150.00',
  entries: [
    { amount: '200.00', reference: 'R1' },
    { amount: '50.00', indicator: 'DBIT', reference: 'R2' },
  ],
});
const tuesday = statement('TUE', '2026-11-17', {
  opening: '150.00',
  closing: '250.00',
  entries: [{ amount: '100.00', reference: 'R3' }],
});

const client = () => balanceOf(world, 'bank:client');
async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(world)), []);
}

suite('importing statements', () => {
  // Guarantee: each line of a statement is booked once, and what nobody knows waits for an operator.
  test('lines that nobody knows', async () => {
    const imported = await importInto(world, monday);
    assert.deepEqual([imported.statements, imported.lines, imported.booked], [1, 2, 2]);
    assert.equal(await client(), 15_000n);
    assert.equal(await balanceOf(world, 'bank:unallocated'), -15_000n);
    const { statements } = await roomsOf(world);
    assert.deepEqual(
      (await statements.waiting(10)).map(({ line }) => line.leftMinor),
      [20_000n, -5_000n],
    );
    await checkBooks();
  });

  // Guarantee: the same bytes, and the same statement in other bytes, book nothing again.
  test('again, in the same bytes and in others', async () => {
    await importInto(world, monday);
    await importInto(world, tuesday);
    const before = await counts(world);
    assert.equal((await importInto(world, monday)).isRepeated, true);
    for (const again of [monday, tuesday]) {
      const { isRepeated, repeatedStatements, booked } = await importInto(world, `${again}\n`);
      assert.deepEqual([isRepeated, repeatedStatements, booked], [false, 1, 0]);
    }
    assert.deepEqual(await counts(world), before);
    await checkBooks();
  });

  // Guarantee: a statement continues the one before it, or the gap is named and nothing is booked.
  test('a gap', async () => {
    await importInto(world, monday);
    const wednesday = tuesday
      .replace('<Id>TUE', '<Id>WED')
      .replaceAll('150.00', '170.00')
      .replaceAll('250.00', '270.00');
    assert.equal(
      await refusalOf(world, wednesday),
      'Statement 45 of the account that ends with 2874 opens with 170.00, but the one before closed with 150.00.',
    );
    assert.equal(await client(), 15_000n);
    assert.deepEqual(await counts(world), { journals: 2, lines: 2, statements: 1 });
    await importInto(world, wednesday, { acceptsGap: true });
    assert.equal(await client(), 27_000n);
    await checkBooks();
    const { statements } = await roomsOf(world);
    const brought = (await statements.waiting(10)).find(({ line }) => line.entry === 0);
    assert.equal(brought?.line.leftMinor, 2_000n);
  });

  // Guarantee: what is in the first opening balance is asked about: nobody here knows where it comes from.
  test('a first statement that does not begin with nothing', async () => {
    await importInto(world, tuesday);
    assert.equal(await client(), 25_000n);
    const { statements } = await roomsOf(world);
    const waiting = await statements.waiting(10);
    assert.deepEqual(
      waiting.map(({ line: { entry, leftMinor } }) => [entry, leftMinor]),
      [
        [0, 15_000n],
        [1, 10_000n],
      ],
    );
    await checkBooks();
  });

  // Guarantee: lines that an earlier statement has are not booked again, if the balances say the same.
  test('a statement that overlaps the one before', async () => {
    await importInto(world, monday);
    const both = statement('MON-TUE', '2026-11-16', {
      opening: '0.00',
      closing: '250.00',
      entries: [
        { amount: '200.00', reference: 'R1' },
        { amount: '50.00', indicator: 'DBIT', reference: 'R2' },
        { amount: '100.00', reference: 'R3', booked: '<Dt>2026-11-17</Dt>' },
      ],
    });
    const { repeatedLines, booked } = await importInto(world, both);
    assert.deepEqual([repeatedLines, booked], [2, 1]);
    assert.equal(await client(), 25_000n);
    // The day after is in it already.
    assert.equal((await importInto(world, tuesday)).repeatedStatements, 1);
    assert.equal(await client(), 25_000n);
    await checkBooks();
  });

  // Guarantee: two movements that look alike are two, if the balances say so.
  test('a second movement that looks like the first', async () => {
    await importInto(world, monday);
    const evening = statement('MON2', '2026-11-16', {
      opening: '150.00',
      closing: '350.00',
      entries: [{ amount: '200.00', reference: 'R1', info: 'again' }, { amount: '0.00' }],
    });
    assert.equal((await importInto(world, evening)).repeatedLines, 0);
    assert.equal(await client(), 35_000n);
    await checkBooks();
  });

  // Guarantee: a day that came to nothing is not booked twice, although the balances cannot tell.
  test('a statement again that came to nothing, under another name', async () => {
    await importInto(world, monday);
    const entries = [
      { amount: '70.00', reference: 'R4' },
      { amount: '70.00', indicator: 'DBIT', reference: 'R5' },
    ] as const;
    await importInto(world, statement('A', '2026-11-16', { opening: '150.00', closing: '150.00', entries }));
    const before = await counts(world);
    const again = statement('B', '2026-11-16', { opening: '150.00', closing: '150.00', entries });
    assert.equal((await importInto(world, again)).repeatedStatements, 1);
    assert.deepEqual(await counts(world), before);
    await checkBooks();
  });

  // Guarantee: under the name of a statement that is booked, another one is not believed.
  test('a statement with other lines under the same name', async () => {
    await importInto(world, monday);
    const forged = monday.replaceAll('R2', 'R9');
    assert.equal(await refusalOf(world, forged), 'Statement 45 was imported before, with other lines.');
    assert.equal(await client(), 15_000n);
    await checkBooks();
  });

  for (const kind of ['camt', 'mt940'] as const) {
    // Guarantee: a statement that continues the books is booked, even if each line of it has the day, the amount and the
    // reference of an earlier one; one that does not continue them is not taken for a repeated one by its lines alone.
    test(`statements of a day whose lines differ by their titles only, ${kind}`, async () => {
      const amounts = (opening: string, closing: string, place: number) => ({
        camt: statement(`S${place}`, '2026-11-18', {
          opening,
          closing,
          entries: [{ amount: '100.00', indicator: 'DBIT', info: `title ${place}` }],
        }).replace('<Ntry>', '<Ntry><NtryRef>1</NtryRef>'),
        mt940: mt940({
          head: [`:20:S${place}`, `:25:/${account}`, `:28C:${place}/1`],
          opening: `C261118PLN${opening.replace('.', ',')}`,
          closing: `C261118PLN${closing.replace('.', ',')}`,
          lines: [':61:2611181118D100,00NTRFNONREF//0000001', `:86:title ${place}`],
        }),
      });
      const first = amounts('1000.00', '900.00', 1)[kind];
      await importInto(world, first);
      const third = amounts('800.00', '700.00', 3)[kind];
      assert.match(await refusalOf(world, third), /opens with 800\.00, but the one before closed with 900\.00/);
      const second = await importInto(world, amounts('900.00', '800.00', 2)[kind]);
      assert.deepEqual([second.repeatedStatements, second.booked], [0, 1]);
      assert.equal((await importInto(world, third)).booked, 1);
      assert.equal(await client(), 70_000n);
      const again = await importInto(world, `${first}${kind === 'camt' ? ' ' : '\r\n'}`);
      assert.deepEqual([again.repeatedStatements, again.booked], [1, 0]);
      assert.equal(await client(), 70_000n);
      await checkBooks();
    });
  }

  // Guarantee: movements that come to nothing are not taken for earlier ones with other titles.
  test('a statement that came to nothing, with the references of an earlier one', async () => {
    const day = (name: string) =>
      statement(name, '2026-11-18', {
        opening: '0.00',
        closing: '0.00',
        entries: [
          { amount: '70.00', reference: '1', info: `in ${name}` },
          { amount: '70.00', indicator: 'DBIT', reference: '1', info: `out ${name}` },
        ],
      });
    await importInto(world, day('A'));
    const { booked, repeatedLines } = await importInto(world, day('B'));
    assert.deepEqual([booked, repeatedLines], [2, 0]);
    await checkBooks();
  });

  // Guarantee: all days of a month in one statement are not booked again.
  test('a statement of several days, all of which are in the books', async () => {
    await importInto(world, monday);
    await importInto(world, tuesday);
    const both = statement('BOTH', '2026-11-16', {
      opening: '0.00',
      closing: '250.00',
      entries: [
        { amount: '200.00', reference: 'R1' },
        { amount: '50.00', indicator: 'DBIT', reference: 'R2' },
        { amount: '100.00', reference: 'R3', booked: '<Dt>2026-11-17</Dt>' },
      ],
    });
    assert.equal((await importInto(world, both)).repeatedStatements, 1);
    assert.equal(await client(), 25_000n);
    await checkBooks();
  });

  // Guarantee: MT940 after camt.053 of the same day, and the next day, are as one chain.
  test('MT940 with the same lines, and the next', async () => {
    await importInto(world, monday);
    const lines = [':61:2611161116C200,00NTRFX//R1', ':86:shortened', ':61:2611161116D50,00NTRFX//R2'];
    const same = mt940({ opening: 'C261115PLN0,00', closing: 'C261116PLN150,00', lines });
    // The titles of MT940 are other ones: only the bank's reference makes them the same.
    assert.equal((await importInto(world, same)).repeatedStatements, 1);
    const next = mt940({
      opening: 'C261116PLN150,00',
      closing: 'C261117PLN145,50',
      lines: [':61:2611171117D4,50NCHGNONREF//R3', ':86:fee'],
    });
    await importInto(world, next);
    assert.equal(await client(), 14_550n);
    assert.equal(await balanceOf(world, 'expense:bank_fee'), 450n);
    await checkBooks();
  });

  // Guarantee: of the other party's account only the ending is kept, wherever the bank writes it.
  test('an account in the details of MT940', async () => {
    const iban = 'PL27114020040000300201355387';
    const lines = [':61:2611181118C1,00NTRFNONREF', `:86:/TRCD/0001/IBAN/${iban}/NAME/JAN`];
    await importInto(world, mt940({ opening: 'C261117PLN0,00', closing: 'C261118PLN1,00', lines }));
    const { statements } = await roomsOf(world);
    const kept = (await statements.waiting(10)).map(({ line }) => [line.title, line.partyAccount]);
    assert.deepEqual(kept, [['/TRCD/0001/IBAN/…5387/NAME/JAN', '5387']]);
    const rows = await world.db.sql.many((row) => readText(row, 'text'))`select bank_line::text as text from bank_line`;
    assert.equal(rows.join().includes(iban.slice(4)), false);
  });

  // Guarantee: several statements of a file are used, or none.
  test('a file whose second statement does not fit', async () => {
    const two = monday.replace('</Stmt>', '</Stmt><Stmt>').replace(/<Stmt>(<\/BkToCstmrStmt>)/, '$1');
    const second = /<Stmt>.*<\/Stmt>/s.exec(tuesday.replaceAll('150.00', '160.00').replaceAll('250.00', '260.00'))?.[0];
    const file = two.replace('</BkToCstmrStmt>', `${second}</BkToCstmrStmt>`);
    assert.match(await refusalOf(world, file), /opens with 160\.00, but the one before closed with 150\.00/);
    assert.deepEqual(await counts(world), { journals: 0, lines: 0, statements: 0 });
    const right = two.replace('</BkToCstmrStmt>', `${/<Stmt>.*<\/Stmt>/s.exec(tuesday)?.[0]}</BkToCstmrStmt>`);
    assert.equal((await importInto(world, right)).statements, 2);
    assert.equal(await client(), 25_000n);
    await checkBooks();
  });

  // Guarantee: a statement of an account that is not ours, or in another currency, books nothing.
  test('of another account', async () => {
    const other = monday.replaceAll(account, 'PL27114020040000300201355387');
    assert.equal(await refusalOf(world, other), 'The account that ends with 5387 is not one of ours.');
    assert.deepEqual(await counts(world), { journals: 0, lines: 0, statements: 0 });
    const { statements } = await roomsOf(world);
    const [file] = await statements.files(1);
    assert.deepEqual([file?.state, file?.problem?.code], ['refused', 'account_unknown']);
  });

  // Guarantee: a notice and an answer are kept, and nothing is booked by them.
  test('notices and answers', async () => {
    const entry = camtEntry({ amount: '1.00' }, '08');
    const notice = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn><Id>N</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entry}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
    assert.equal((await importInto(world, notice)).notices, 1);
    const answer =
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>G-7</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>';
    assert.equal((await importInto(world, answer)).answers, 1);
    assert.equal((await importInto(world, answer)).isRepeated, true);
    assert.deepEqual(await counts(world), { journals: 0, lines: 0, statements: 0 });
  });

  // Guarantee: a bank may send a statement for each line of a busy day: what it costs to compare one does not grow with them.
  test('a statement for each line of a day', async () => {
    const many = 60;
    const statements = Array.from({ length: many }, (_, index) =>
      mt940({
        head: [`:20:S${index}`, ':25:PL61109010140000071219812874', `:28C:${index + 1}/1`],
        opening: `C261118PLN${index},00`,
        closing: `C261118PLN${index + 1},00`,
        lines: [
          `:61:2611181118C2,00NTRF//IN${index}`,
          ':86:title',
          `:61:2611181118D1,00NTRF//OUT${index}`,
          ':86:title',
        ],
      }),
    );
    const { booked } = await importInto(world, statements.join(''));
    assert.equal(booked, 2 * many);
    const statement = await world.db.sql.one(bankStatementTable.read)`
      select * from bank_statement order by position desc limit 1`;
    const read = await world.db.atomic(async (sql) => {
      const rows = () => sql.one((row) => readBigint(row, 'rows'))`
        select sum(idx_tup_fetch + seq_tup_read)::bigint as rows from pg_stat_xact_user_tables
         where relname in ('bank_line', 'bank_statement')`;
      const before = await rows();
      assert.equal((await sumKnown(sql, statement, 'referenced')).lines, 0);
      return (await rows()) - before;
    });
    assert.ok(read > 0n && read < many / 2, `${read} rows were read`);
  });

  // Guarantee: two processes that import the same file, or different ones, book each line once.
  test('two at once', async () => {
    await importInto(world, monday);
    const results = await Promise.allSettled([
      importInto(world, tuesday),
      importInto(world, tuesday),
      importInto(world, `${tuesday}\n`),
    ]);
    assert.ok(results.some(({ status }) => status === 'fulfilled'));
    await importInto(world, tuesday);
    assert.equal(await client(), 25_000n);
    assert.deepEqual(await counts(world), { journals: 3, lines: 3, statements: 2 });
    await checkBooks();
  });

  // Guarantee: of two statements that are read at once and continue the same one, only one is booked.
  test('a file that was read while another was accepted', async () => {
    await importInto(world, monday);
    const other = tuesday.replace('<Id>TUE', '<Id>OTHER').replace('R3', 'R4').replaceAll('>250.00', '>300.00');
    const larger = other.replace('<Amt Ccy="PLN">100.00', '<Amt Ccy="PLN">150.00');
    const halves = [tuesday.slice(0, -20), tuesday.slice(-20)];
    let opened = 0;
    const open = async function* () {
      opened += 1;
      yield Buffer.from(halves[0] ?? '');
      // The last time, it is read: its beginning was compared with what is in the books.
      if (opened === 3) await importInto(world, larger);
      yield Buffer.from(halves[1] ?? '');
    };
    const { statements } = await roomsOf(world);
    await assert.rejects(statements.importFile({ name: 'slow', open, person: 'anna@example.com' }), {
      problem: { code: 'overtaken', parameters: {} },
    });
    assert.equal(opened, 3);
    assert.equal(await client(), 30_000n);
    await checkBooks();
  });
});

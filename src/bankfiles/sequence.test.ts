// What belongs together in a file: pages of a statement, statements, and the end of the file.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { account, balance, camt053, camtEntry, camtHead, camtTail, mt940 } from '../../test/bankfiles/files.ts';
import { faultOf, read } from '../../test/bankfiles/reading.ts';
import { Sequence } from './sequence.ts';

interface PageGiven {
  readonly page?: number;
  readonly isLast?: boolean;
  readonly opening?: string;
  readonly closing?: string;
  readonly id?: string;
}

/** A statement of camt.053, without what is around it. */
function page({ page: number = 1, isLast = true, opening = '1.00', closing = '1.00', id = 'S1' }: PageGiven): string {
  const balances = balance(number === 1 ? 'OPBD' : 'ITBD', opening) + balance(isLast ? 'CLBD' : 'ITBD', closing);
  const pages = `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn>`;
  const [, statement = ''] = /(<Stmt>[\s\S]*)/.exec(camtHead('08', balances, pages)) ?? [];
  return `${statement.replace('<Id>S1</Id>', `<Id>${id}</Id>`)}</Stmt>`;
}

const file = (...pages: readonly PageGiven[]) =>
  camtHead('08', '').replace(/<Stmt>[\s\S]*/, pages.map(page).join('')) + camtTail.replace('</Stmt>', '');

suite('pages of camt.053', () => {
  // Guarantee: a statement in pages is read as one only if each page continues the one before, to the last.
  test('that continue one another', async () => {
    const { statements } = await read(
      file({ isLast: false }, { page: 2, isLast: false }, { page: 3 }, { id: 'S2', opening: '5.00', closing: '5.00' }),
    );
    assert.deepEqual(
      statements.map(({ id, page: number }) => `${id} ${number}`),
      ['S1 1', 'S1 2', 'S1 3', 'S2 1'],
    );
  });

  const edge = (amount: string, number: number) => `${account} ${amount} PLN page ${number}`;
  const differ = (expected: string, found: string) => `3: parts_differ ${JSON.stringify({ expected, found })}`;
  const wrong: Readonly<Record<string, readonly [string, string]>> = {
    'the first page alone': [file({ isLast: false }), '-: part_missing {"part":"page 2"}'],
    'the second page alone': [file({ page: 2 }), '3: part_missing {"part":"page 1"}'],
    'the second page of another file': [file({}, { page: 2 }), '4: part_missing {"part":"page 1"}'],
    'another balance': [
      file({ isLast: false }, { page: 2, opening: '7.00', closing: '7.00' }),
      differ(edge('1.00', 2), edge('7.00', 2)).replace('3:', '4:'),
    ],
    'a page that is left out': [
      file({ isLast: false }, { page: 3 }),
      differ(edge('1.00', 2), edge('1.00', 3)).replace('3:', '4:'),
    ],
    'a new statement in between': [
      file({ isLast: false }, { id: 'S2' }, { page: 2 }),
      differ(edge('1.00', 2), edge('1.00', 1)).replace('3:', '4:'),
    ],
    'another account': [
      file({ isLast: false }, { page: 2 }).replace(/(<Stmt>[\s\S]*)PL61(?!.*<Stmt>)/, '$1PL99'),
      differ(edge('1.00', 2), edge('1.00', 2).replace('PL61', 'PL99')).replace('3:', '4:'),
    ],
  };
  for (const [what, [content, fault]] of Object.entries(wrong))
    test(what, async () => assert.equal(await faultOf(content), fault));

  // Guarantee: what the bank has put into another file is missed.
  test('pages of the whole message', async () => {
    const of = (number: number, isLast: string) =>
      camt053().replace(
        '<MsgId>',
        `<MsgPgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></MsgPgntn><MsgId>`,
      );
    assert.equal(await faultOf(of(1, 'true')), 'no fault');
    assert.equal(await faultOf(of(1, 'false')), '2: part_missing {"part":"page 2"}');
    assert.equal(await faultOf(of(2, 'true')), '2: part_missing {"part":"page 1"}');
    assert.match(await faultOf(of(1, 'yes')), /not_valid/);
    assert.equal(await faultOf(of(1, 'false').replace('<PgNb>1</PgNb>', '')), '2: part_missing {"part":"page 2"}');
    assert.equal(await faultOf(of(1, 'true').replace('>1<', '>x<')), '2: not_valid {"what":"PgNb","value":"x"}');
  });
});

suite('statements of a file', () => {
  // Guarantee: nothing is booked twice because a file repeats itself.
  test('the same one twice', async () => {
    assert.equal(await faultOf(file({}, {})), '4: statement_twice {}');
    assert.equal(await faultOf(file({}, { id: 'S2' })), 'no fault');
    assert.equal(await faultOf(mt940() + mt940()), '11: statement_twice {}');
    const notice = `<Ntfctn><Id>N1</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${camtEntry({ amount: '2.00' }, '08')}</Ntfctn>`;
    const notices = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>${notice}${notice}</BkToCstmrDbtCdtNtfctn></Document>`;
    assert.equal(await faultOf(notices), '1: statement_twice {}');
  });

  // Guarantee: banks that give all of their statements the same reference and number are read.
  test('the same reference on other days', async () => {
    const next = mt940({ opening: 'C261118PLN100,00', closing: 'C261119PLN100,00' });
    assert.equal((await read(mt940() + next)).ends.length, 2);
  });

  // Guarantee: what is remembered of a file does not grow without end.
  test('more than are remembered', () => {
    const sequence = new Sequence();
    for (let number = 1; number <= 100_000; number += 1) sequence.end([number], undefined);
    assert.throws(() => sequence.end([0], undefined), { message: 'too_many_statements' });
    assert.throws(() => sequence.end([7], undefined), { message: 'statement_twice' });
  });

  test('a copy', async () => {
    const copyOf = async (code: string) =>
      (await read(camt053().replace('<FrToDt>', `<CpyDplctInd>${code}</CpyDplctInd><FrToDt>`))).statements[0]?.copy;
    assert.deepEqual([await copyOf('DUPL'), await copyOf('COPY'), await copyOf('CODU')], ['DUPL', 'COPY', 'CODU']);
    await assert.rejects(copyOf('X'), /not_valid/);
  });
});

suite('the end of MT940', () => {
  const whole = mt940({ head: [':20:S0', `:25:${account}`, ':28C:44/1'] });
  // Guarantee: a file that was cut where its next statement begins is not taken for whole.
  for (const rest of [':', ':2', ':20', ':20:', ':20:S1', '{', '{1', '{1:F01BANK', '{1:F01BANKPLPWAXXX}{2:I940}{4:'])
    test(`cut behind ${rest}`, async () => {
      assert.match(await faultOf(whole + rest), /^\d+: truncated/);
      assert.match(await faultOf(`${whole}${rest}\r\n\r\n`), /^\d+: truncated/);
      assert.match(await faultOf(whole.replace('-\r\n', '') + rest), /^\d+: truncated/);
      assert.match(await faultOf(whole.replace('-\r\n', ':86:note\r\n') + rest), /^\d+: truncated/);
    });

  test('a trailer of SWIFT', async () => {
    assert.equal(await faultOf(whole.replace('-\r\n', ':86:note:\r\n')), 'no fault');
    assert.equal(await faultOf(whole.replace('-\r\n', '-}{5:{CHK:1234567890AB}}\r\n')), 'no fault');
    assert.equal(await faultOf(whole.replace('-\r\n', '-}\r\n{5:{CHK:1234567890AB}}\r\n\r\n')), 'no fault');
  });

  test('a part without the one before', async () => {
    const later = mt940().replace(':60F:', ':60M:');
    assert.equal(await faultOf(later), '4: part_missing {"part":":62M: before :60M:"}');
    assert.equal(await faultOf(whole + later), '10: part_missing {"part":":62M: before :60M:"}');
  });
});

suite('files that are made to be expensive', () => {
  // Guarantee: no line takes longer than others of its size.
  test('a line of marks', async () => {
    const begun = process.cpuUsage();
    await faultOf(`${mt940()}x${'\u0001'.repeat(65_000)}x\r\n`);
    // A quadratic one takes six seconds.
    assert.ok(process.cpuUsage(begun).user < 2_000_000);
  });

  // Guarantee: an entry takes no more memory than a long value.
  test('an entry of many long values', async () => {
    const reference = `<Strd><CdtrRefInf><Ref>${'x'.repeat(60_000)}</Ref></CdtrRefInf></Strd>`;
    const details = `<TxDtls><RmtInf>${reference.repeat(2)}</RmtInf></TxDtls>`;
    assert.equal(await faultOf(camt053({ entries: [{ amount: '1', details }] })), '3: text_too_long {}');
  });
});

// grosz statements: what an operator reads about a bank's file.

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { runHere } from '../support/command.ts';
import { aFolder } from '../support/service.ts';
import { account, camt053, camtEntry, details, mt940 } from './files.ts';

suite('grosz statements check', () => {
  let folder: string;
  before(async () => {
    folder = await aFolder();
  });

  async function check(content: string, ...options: readonly string[]) {
    const path = join(folder, 'file');
    await writeFile(path, content);
    const { code, stdout, stderr } = await runHere(['statements', 'check', path, ...options], {});
    return { code, stdout, stderr: stderr.replaceAll(path, 'FILE') };
  }

  // Guarantee: an operator sees whether a statement is whole and adds up.
  test('a statement', async () => {
    const entries = [
      {
        amount: '1204.50',
        details: details('E-1', undefined, '<RmtInf><Ustrd>GROSZ 01K9Z4M7Q1T4W7A0B2C5E8F9GH</Ustrd></RmtInf>'),
      },
      { amount: '4.50', indicator: 'DBIT', info: 'fee' },
      { amount: '9.00', status: 'PDNG' },
    ] as const;
    const content = camt053({ closing: '1300.00', entries });
    const { code, stdout } = await check(content);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `camt053, UTF-8
Statement 45 of ${account} in PLN, 2026-11-18
  opening balance                 100.00
  1 credit                       1204.50
  1 debit                          -4.50
  closing balance                1300.00
  The balances and the entries add up.
  Not booked yet, and not counted: 1 entry
`,
    );
    const lines = (await check(content, '--lines')).stdout.split('\n').slice(2, 4);
    assert.deepEqual(lines, [
      '  1       2026-11-18         1204.50  "GROSZ 01K9Z4M7Q1T4W7A0B2C5E8F9GH", end-to-end "E-1", reference 01K9Z4M7Q1T4W7A0B2C5E8F9GH, batch BATCH-7',
      '  2       2026-11-18           -4.50  "fee"',
    ]);
  });

  // Guarantee: what a line is about is said, and what a bank wrote never reaches the terminal as a command.
  test('lines of a batch, a return and control characters', async () => {
    const many = camt053({
      closing: '85.00',
      entries: [
        { amount: '10.00', indicator: 'DBIT', details: '<Btch><MsgId>B-7</MsgId><NbOfTxs>3</NbOfTxs></Btch>' },
        {
          amount: '5.00',
          indicator: 'DBIT',
          reversal: true,
          details: details(
            'E-1',
            undefined,
            '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><AddtlTxInf>a\u009bb</AddtlTxInf>',
          ),
        },
      ],
    });
    const { stdout } = await check(many, '--lines');
    assert.match(stdout, /batch B-7, 3 payments\n/);
    assert.match(stdout, /"a\?b", end-to-end "E-1", batch BATCH-7, reversal, returned: AC04\n/);
  });

  // Guarantee: what a stranger wrote into a title does not read like a word of the bank.
  test('a title like the facts of a return', async () => {
    const content = camt053({ closing: '101.00', entries: [{ amount: '1.00', info: 'rent", returned: AC04' }] });
    assert.match(
      (await check(content, '--lines')).stdout,
      / {2}"rent', returned: AC04"(, end-to-end "[^"]*")?(, batch [^,]*)?\n/,
    );
  });

  test('MT940, and a notice', async () => {
    const lines = [':61:261118C1,00NTRFX', ':61:261118C0,00NTRFX'];
    const { stdout } = await check(mt940({ lines, closing: 'C261118PLN101,00' }));
    assert.equal(
      stdout,
      `mt940, UTF-8
Statement 45 of ${account} in PLN
  opening balance, 2026-11-17     100.00
  2 credits                         1.00
  0 debits                          0.00
  closing balance, 2026-11-18     101.00
  The balances and the entries add up.
`,
    );
    const notice = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn><Id>N</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${camtEntry({ amount: '1.00' }, '08')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
    assert.match(
      (await check(notice)).stdout,
      /^camt054, UTF-8\nStatement of PL\d+ in PLN\n {2}1 credit .*\n.*\n {2}A notice: it has no balances that its entries could add up to\.\n$/,
    );
  });

  test('an answer to payments', async () => {
    const content = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>G-7</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>E-1</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
    assert.equal((await check(content)).stdout, 'pain002, UTF-8\n  PART  G-7\n  RJCT  G-7 / E-1  AC04: closed\n');
  });

  // Guarantee: a file is not said to be broken because somebody named another format.
  test('a format that does not fit', async () => {
    for (const [content, named, sentence] of [
      [camt053(), 'mt940', 'FILE is camt053, so --format mt940 does not fit. Leave it out.\n'],
      [camt053(), 'pain002', 'FILE is camt053, so --format pain002 does not fit. Leave it out.\n'],
      [mt940(), 'camt053', 'FILE is mt940, so --format camt053 does not fit. Leave it out.\n'],
      ['', 'camt053', 'FILE: The file is empty. Download it again.\n'],
    ] as const) {
      const { code, stderr } = await check(content, '--format', named);
      assert.deepEqual([code, stderr], [1, sentence]);
    }
  });

  // Guarantee: who reads a statement again is told that it was sent before.
  test('a duplicate', async () => {
    const { stdout } = await check(camt053().replace('<FrToDt>', '<CpyDplctInd>DUPL</CpyDplctInd><FrToDt>'));
    assert.match(stdout, /2026-11-18\n {2}The bank marks it as a duplicate: it was sent before\.\n {2}opening/);
  });

  // Guarantee: the guide shows what its commands print.
  test('the examples of the guide', async () => {
    const root = new URL('../../', import.meta.url).pathname;
    const guide = await readFile(join(root, 'docs/statements.md'), 'utf8');
    const examples = [...guide.matchAll(/^ {4}\$ bin\/grosz (statements check (\S+).*)\n((?: {4}.*\n)+)/gm)];
    assert.equal(examples.length, 2);
    for (const [, words = '', path = '', said = ''] of examples) {
      const given = words.split(' ').map((word) => (word === path ? join(root, path) : word));
      assert.equal((await runHere(given, {})).stdout, said.replaceAll(/^ {4}/gm, ''));
    }
  });

  // Guarantee: a file that cannot be used is refused with its place and what to do.
  test('refusals', async () => {
    const refusals: readonly (readonly [string, readonly string[], string])[] = [
      [
        camt053({ closing: '101.00' }),
        [],
        'FILE, line 3: The opening balance (100.00) and the entries (0.00 in total) do not add up to the closing balance (101.00). None of the file can be used. Ask the bank for a corrected file.\n',
      ],
      [
        'hello',
        [],
        'FILE: The file is not recognized as camt.053, camt.054, pain.002 or MT940. If it is one of them, say which with --format.\n',
      ],
      [
        'hello',
        ['--format', 'mt940'],
        'FILE: The file contains neither a statement nor the status of a payment. Ask the bank for a corrected file.\n',
      ],
      ['', [], 'FILE: The file is empty. Download it again.\n'],
      [
        mt940().slice(0, -30),
        [],
        'FILE, line 4: The file ends too early. None of the file can be used. Download it again.\n',
      ],
      ['hello', ['--format', 'csv'], '--format must be one of camt053, camt054, mt940, pain002.\n'],
      [
        mt940(),
        ['--encoding', 'klingon'],
        'FILE: The encoding klingon is not supported. Use UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, windows-1250 or CP852.\n',
      ],
    ];
    for (const [content, options, said] of refusals) {
      const { code, stderr } = await check(content, ...options);
      assert.deepEqual([code, stderr], [1, said]);
    }
    const none = await runHere(['statements', 'check', join(folder, 'nothing')], {});
    assert.equal(none.stderr, `There is no file ${join(folder, 'nothing')}.\n`);
    const ofFolder = await runHere(['statements', 'check', folder], {});
    assert.equal(ofFolder.stderr, `${folder} is a folder. Name a file in it.\n`);
    assert.match((await runHere(['statements', 'check'], {})).stderr, /^Which file\?/);
    assert.match(
      (await runHere(['statements'], {})).stderr,
      /^Missing or unknown action\. Usage: grosz statements check FILE/,
    );
  });

  // Guarantee: an operator reads why the system does not give them the file.
  test('a file without permission', { skip: process.getuid?.() === 0 && 'root may read everything' }, async () => {
    const path = join(folder, 'locked');
    await writeFile(path, mt940());
    await chmod(path, 0);
    const { code, stderr } = await runHere(['statements', 'check', path], {});
    assert.deepEqual([code, stderr], [1, `You have no permission to read ${path}. Ask its owner, or copy it.\n`]);
  });
});

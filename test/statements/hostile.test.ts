// Files that were made to do harm, given to the import: a clear reason, nothing booked, and memory that stays flat.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { account, balance, camt053, camtEntry, camtHead, camtTail, mt940 } from '../bankfiles/files.ts';
import { inWords } from '../support/findings.ts';
import { aWorld, roomsOf, type TestWorld } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';
import { balanceOf, counts, fileOf, importInto, openOurs, refusalOf } from './support.ts';

let world: TestWorld;

before(async () => {
  world = await aWorld();
  await openOurs(world);
});

const nothing = { journals: 0, lines: 0, statements: 0 };
const whole = camt053({ opening: '0.00', closing: '1.00', entries: [{ amount: '1.00' }] });
const bomb = (content: string) =>
  whole.replace('<Document', `<!DOCTYPE Document [${content}]>\n<Document`).replace('<Id>S1</Id>', '<Id>&a;</Id>');
const laughs = [
  '<!ENTITY a0 "ha">',
  ...Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index + 1} "&a${index};&a${index};">`),
];

/** It cannot be compressed. */
const noise = Array.from({ length: 4_000 }, (_, index) => ((index * 7_919) % 1_000_003).toString(36)).join('');

const files: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['entities that grow', bomb(`${laughs.join('')}<!ENTITY a "&a30;">`), /DOCTYPE/],
  ['an external entity', bomb('<!ENTITY a SYSTEM "file:///etc/passwd">'), /DOCTYPE/],
  ['an external document type', bomb('<!ENTITY % a SYSTEM "http://127.0.0.1:9/a"> %a;'), /DOCTYPE/],
  ['cut short', whole.slice(0, -40), /ends too early|not well-formed/],
  ['cut short, MT940', mt940().slice(0, -20), /ends too early|missing|not valid/],
  ['nothing', '', /empty/],
  ['zeros', new Uint8Array(100_000), /not recognized|character/],
  ['another encoding', Buffer.from(whole.replace('<Id>S1', '<Id>Łódź'), 'latin1'), /not encoded|character/],
  ['another encoding than it says', Buffer.from(whole, 'utf16le'), /./],
  ['of another account', whole.replaceAll(account, 'PL27114020040000300201355387'), /5387 is not one of ours/],
  [
    'of our account, and of another one',
    camt053({ opening: '0.00', closing: '0.00' }).replace(
      /(<Stmt>.*<\/Stmt>)/s,
      (all) => all + all.replaceAll(account, 'PL27114020040000300201355387').replace('<Id>S1', '<Id>S2'),
    ),
    /5387 is not one of ours/,
  ],
  ['in another currency', whole.replaceAll('PLN', 'EUR'), /not in EUR/],
  [
    'sums that are wrong',
    whole.replace('1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt>', '2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt>'),
    /add up|missing|differ|not/,
  ],
  ['amounts beyond all numbers', whole.replaceAll('>1.00<', '>99999999999999999999.00<'), /not valid/],
  [
    'a text with the end of a row',
    camt053({ opening: '0.00', closing: '1.01', entries: [{ amount: '1.00', info: '\\.\n\\N\t1' }] }),
    /add up/,
  ],
  [
    'a name that fits in no index',
    whole.replace('<Id>S1</Id>', `<Id>${noise}</Id>`),
    /longer than any that a bank writes/,
  ],
  [
    'a name that fits in no index, MT940',
    mt940({ head: [`:20:${noise}`, `:25:/${account}`, ':28C:1/1'] }),
    /longer than any that a bank writes/,
  ],
  [
    'an answer about a payment whose name fits in no index',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>G-7</OrgnlMsgId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>${noise}</OrgnlEndToEndId><TxSts>RJCT</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`,
    /longer than any that a bank writes/,
  ],
  [
    'a day of the year 0',
    camt053({ opening: '0.00', closing: '1.00', entries: [{ amount: '1.00', booked: '<Dt>0000-01-01</Dt>' }] }),
    /BookgDt.*0000-01-01/,
  ],
];

suite('hostile files', () => {
  // Guarantee: each is refused with its reason, and leaves nothing but that.
  for (const [what, content, reason] of files) {
    test(what, async () => {
      assert.match(await refusalOf(world, content), reason);
      assert.deepEqual(await counts(world), nothing);
      assert.equal(await balanceOf(world, 'bank:client'), 0n);
    });
  }

  const huge = 1_000_000_000;
  const megabytesAtMost = 200;

  /** A file of about a gigabyte, made while it is read. */
  const endless = (head: string, piece: string, tail: string) => ({
    ...fileOf(''),
    open: async function* () {
      yield Buffer.from(head);
      const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
      for (let sent = 0; sent < huge; sent += bytes.length) yield bytes;
      yield Buffer.from(tail);
    },
  });

  const balances = balance('OPBD', '0.00') + balance('CLBD', '0.00');
  for (const [what, file] of [
    ['a gigabyte in one element', endless(`${camtHead('08', balances)}<Ntry><AddtlNtryInf>`, 'a', '')],
    ['a gigabyte of elements within each other', endless(camtHead('08', balances), '<a>', '')],
    ['a gigabyte in one field of MT940', endless(mt940().split(':62F')[0] ?? '', 'a', '')],
  ] as const) {
    // Guarantee: what a file is made of does not fill the memory, and the answer comes before its end.
    test(what, { timeout: 60_000 }, async () => {
      const { statements } = await roomsOf(world);
      const begun = process.memoryUsage.rss();
      let peak = 0;
      const watched = async function* () {
        for await (const piece of file.open()) {
          peak = Math.max(peak, process.memoryUsage.rss());
          yield piece;
        }
      };
      await assert.rejects(statements.importFile({ ...file, open: watched }), /text_too_long|nested_too_deep/);
      assert.ok(peak - begun < megabytesAtMost * 1_048_576, `${Math.round((peak - begun) / 1_048_576)} MB`);
      assert.deepEqual(await counts(world), nothing);
    });
  }

  // Guarantee: what a stranger writes is only text: it is stored as it is, and books nothing else.
  test('texts that look like commands', async () => {
    const info = "'); drop table bank_line; -- \\. \\N &lt;b&gt; GROSZ";
    const content =
      camtHead('08', balance('OPBD', '0.00') + balance('CLBD', '1.00')) +
      camtEntry({ amount: '1.00', info }, '08') +
      camtTail;
    await importInto(world, content);
    const { statements } = await roomsOf(world);
    const [one] = await statements.waiting(1);
    assert.equal(one?.line.title, "'); drop table bank_line; -- \\. \\N <b> GROSZ");
    assert.deepEqual(inWords(await findingsOf(world)), []);
  });
});

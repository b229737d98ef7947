import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileSentences } from '../../contract/codes/english/bank-files.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import {
  account,
  balance,
  camt053,
  camtEntry,
  camtHead,
  camtTail,
  details,
  mt940,
} from '../../test/bankfiles/files.ts';
import { type Content, faultOf, read } from '../../test/bankfiles/reading.ts';
import { FileFault } from './fault.ts';
import type { StatementLine } from './model.ts';
import { isFormat } from './read.ts';

suite('camt.053', () => {
  // Guarantee: every version that Polish banks write says the same, however the file is cut into pieces.
  for (const version of ['02', '04', '08'] as const) {
    test(`version ${version}`, async () => {
      const party = version === '08' ? '<Pty><Nm>Żaneta &amp; Syn</Nm></Pty>' : '<Nm>Żaneta &amp; Syn</Nm>';
      const more = `<RltdPties><Dbtr>${party}</Dbtr><DbtrAcct><Id><IBAN>PL10</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>GROSZ </Ustrd><Ustrd>title</Ustrd></RmtInf>`;
      const content = camt053({
        version,
        opening: '100.00',
        closing: '90.50',
        entries: [
          {
            amount: '10.5',
            reference: 'B-1',
            details: `<TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs>${more}</TxDtls>`,
          },
          { amount: '20', indicator: 'DBIT', booked: '<DtTm>2026-11-18T12:00:00+01:00</DtTm>', info: 'fee' },
          { amount: '5.00', status: 'PDNG' },
        ],
      });
      for (const piece of [1, 7, 65_536]) {
        const { statements, lines, ends } = await read(content, {}, piece);
        assert.deepEqual(statements, [
          {
            id: 'S1',
            number: '45',
            page: 1,
            account,
            currency: 'PLN',
            from: '2026-11-18',
            to: '2026-11-18',
            copy: null,
            openingOn: null,
            openingMinor: 10_000n,
          },
        ]);
        assert.deepEqual(lines, [
          {
            entry: 1,
            part: 0,
            amountMinor: 1_050n,
            isReversal: false,
            bookedOn: '2026-11-18',
            valueOn: '2026-11-19',
            bankReference: 'B-1',
            endToEndId: 'E-1',
            batchId: null,
            payments: 1,
            text: 'GROSZ title',
            partyName: 'Żaneta & Syn',
            partyAccount: 'PL10',
            returnReason: null,
            kind: 'TRF',
          },
          {
            entry: 2,
            part: 0,
            amountMinor: -2_000n,
            isReversal: false,
            bookedOn: '2026-11-18',
            valueOn: '2026-11-19',
            bankReference: null,
            endToEndId: null,
            batchId: null,
            payments: 1,
            text: 'fee',
            partyName: null,
            partyAccount: null,
            returnReason: null,
            kind: 'TRF',
          },
        ]);
        assert.deepEqual(ends, [{ closingMinor: 9_050n, closingOn: null, entries: 2, sumMinor: -950n, notBooked: 1 }]);
      }
    });
  }

  const batch = (all: string, closing: string) =>
    camt053({ closing, entries: [{ amount: '30.00', indicator: 'DBIT', details: all, info: 'batch' }] });
  const short = ({ entry, part, amountMinor, endToEndId, batchId, payments, text }: StatementLine) => [
    `${entry}.${part}`,
    amountMinor,
    endToEndId,
    batchId,
    payments,
    text,
  ];

  // Guarantee: one entry of many payments is one line each; one line for all if the bank does not say what each was.
  test('a batch', async () => {
    const each = details('E-1', '10.00') + details('E-2', '12.00') + details('NOTPROVIDED', '8.00');
    assert.deepEqual((await read(batch(each, '70.00'))).lines.map(short), [
      ['1.1', -1_000n, 'E-1', 'BATCH-7', 1, ''],
      ['1.2', -1_200n, 'E-2', 'BATCH-7', 1, ''],
      ['1.3', -800n, null, 'BATCH-7', 1, ''],
    ]);
    const none = `<Btch><MsgId>BATCH-7</MsgId><NbOfTxs>2</NbOfTxs></Btch>${details('E-1')}${details('E-2')}${details('E-3')}`;
    assert.deepEqual((await read(batch(none, '70.00'))).lines.map(short), [
      ['1.0', -3_000n, null, 'BATCH-7', 2, 'batch'],
    ]);
    const uncounted = details('E-1') + details('E-2');
    assert.deepEqual((await read(batch(uncounted, '70.00'))).lines.map(short), [
      ['1.0', -3_000n, null, null, 2, 'batch'],
    ]);
    const counted = '<Btch><PmtInfId>P-7</PmtInfId><NbOfTxs>250</NbOfTxs></Btch>';
    assert.deepEqual((await read(batch(counted, '70.00'))).lines.map(short), [
      ['1.0', -3_000n, null, 'P-7', 250, 'batch'],
    ]);
    assert.deepEqual((await read(batch(details('E-1', '30.00'), '70.00'))).lines.map(short), [
      ['1.0', -3_000n, 'E-1', 'BATCH-7', 1, 'batch'],
    ]);
    const two = '<Btch><NbOfTxs>100</NbOfTxs></Btch></NtryDtls><NtryDtls><Btch><NbOfTxs>150</NbOfTxs></Btch>';
    assert.deepEqual((await read(batch(two, '70.00'))).lines.map(short), [['1.0', -3_000n, null, null, 250, 'batch']]);
    // The only one that the bank describes does not stand for the others.
    const one = `<Btch><MsgId>BATCH-7</MsgId><NbOfTxs>250</NbOfTxs></Btch>${details('E-1')}`;
    assert.deepEqual((await read(batch(one, '70.00'))).lines.map(short), [
      ['1.0', -3_000n, null, 'BATCH-7', 250, 'batch'],
    ]);
    assert.deepEqual((await read(batch(one.replace('250', '2'), '70.00'))).lines.map(short), [
      ['1.0', -3_000n, null, 'BATCH-7', 2, 'batch'],
    ]);
  });

  // Guarantee: details that do not make their entry are named, so that nobody is booked twice or not at all.
  test('details that differ', async () => {
    const wrong = details('E-1', '10.00') + details('E-2', '12.00');
    assert.equal(await faultOf(batch(wrong, '70.00')), '3: details_differ {"entry":"-30.00","details":"-22.00"}');
    const some = details('E-1', '30.00') + details('E-2');
    assert.equal(await faultOf(batch(some, '70.00')), '3: details_differ {"entry":"-30.00","details":"-30.00"}');
    const only = details('E-1', '1.00');
    assert.equal(await faultOf(batch(only, '70.00')), '3: details_differ {"entry":"-30.00","details":"-1.00"}');
    const opposite = details('E-1', '30.00').replace('DBIT', 'CRDT');
    assert.equal(await faultOf(batch(opposite, '70.00')), '3: details_differ {"entry":"-30.00","details":"30.00"}');
    const counted = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${details('E-1', '10.00')}${details('E-2', '20.00')}`;
    assert.equal(await faultOf(batch(counted, '70.00')), '3: details_differ {"entry":"-30.00","details":"-30.00"}');
    const single = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${details('E-1', '30.00')}`;
    assert.equal(await faultOf(batch(single, '70.00')), '3: details_differ {"entry":"-30.00","details":"-30.00"}');
    const pair = single.replace('>3<', '>2<');
    assert.equal(await faultOf(batch(pair, '70.00')), '3: details_differ {"entry":"-30.00","details":"-30.00"}');
    const first = details('E-1') + details('E-2', '30.00');
    assert.equal(await faultOf(batch(first, '70.00')), '3: details_differ {"entry":"-30.00","details":"-30.00"}');
  });

  // Guarantee: a return names its reason and what it returns.
  test('a return', async () => {
    const more = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><AddtlTxInf>account closed</AddtlTxInf>';
    const content = camt053({
      closing: '105.00',
      entries: [{ amount: '5.00', reversal: true, details: details('E-9', undefined, more) }],
    });
    const [line] = (await read(content)).lines;
    assert.deepEqual(
      [line?.returnReason, line?.endToEndId, line?.text, line?.isReversal, line?.amountMinor],
      ['AC04', 'E-9', 'account closed', true, 500n],
    );
  });

  // Guarantee: an amount in another currency inside an entry is not taken for one in the account's.
  test('an instructed amount', async () => {
    const foreign = `${details('E-1', undefined, '<AmtDtls><InstdAmt><Amt Ccy="EUR">7.00</Amt></InstdAmt><TxAmt><Amt Ccy="PLN">18.00</Amt></TxAmt></AmtDtls>')}${details('E-2', '12.00')}`;
    assert.deepEqual(
      (await read(batch(foreign, '70.00'))).lines.map(({ amountMinor }) => amountMinor),
      [-1_800n, -1_200n],
    );
  });

  // Guarantee: a statement below zero, in parts, or of several accounts is read as it is.
  test('balances', async () => {
    const debit = camtHead('02', balance('PRCD', '10.00', 'PLN', 'DBIT') + balance('CLBD', '10.00', 'PLN', 'DBIT'));
    assert.equal((await read(debit + camtTail)).statements[0]?.openingMinor, -1_000n);
    const interim = balance('ITBD', '40.00') + balance('ITBD', '50.00');
    const paged = (page: number, isLast: boolean, balances: string) =>
      camtHead('08', balances, `<StmtPgntn><PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn>`);
    const first = paged(1, false, balance('OPBD', '40.00') + balance('ITBD', '40.00'));
    const second = paged(2, true, interim).replace(/[\s\S]*<Stmt>/, '<Stmt>');
    const { statements, ends } = await read(
      `${first}</Stmt>${second}${camtEntry({ amount: '10.00' }, '08')}${camtTail}`,
    );
    assert.deepEqual([statements[1]?.page, statements[1]?.openingMinor, ends[1]?.closingMinor], [2, 4_000n, 5_000n]);
    // Two of a kind that is not used.
    const available = balance('CLAV', '9.00') + balance('CLAV', '8.00');
    assert.equal((await read(camt053().replace('<Bal>', `${available}<Bal>`))).statements[0]?.openingMinor, 10_000n);
    const other = camt053().replace('<Id>S1</Id>', '<Id>S2</Id>');
    const two = camt053().replace('</BkToCstmrStmt>', `${/<Stmt>[\s\S]*<\/Stmt>/.exec(other)?.[0]}</BkToCstmrStmt>`);
    assert.equal((await read(two)).ends.length, 2);
  });

  // Guarantee: only a single value has a limit, not the file.
  test('a large file', async () => {
    const entries = Array.from({ length: 2_000 }, () => ({ amount: '1.00', info: 'x'.repeat(200) }));
    const content = camt053({ closing: '2100.00', entries });
    for (const piece of [1_000, 65_536, 10_000_000]) {
      assert.equal((await read(content, {}, piece)).ends[0]?.sumMinor, 200_000n);
    }
  });

  // Guarantee: every place where banks write a value is read, and the first one counts.
  test('places of values', async () => {
    const only = async (entry: string, version: '04' | '08' = '08') => {
      const balances = balance('OPBD', '0.00') + balance('CLBD', '1.00');
      return (await read(camtHead(version, balances) + entry + camtTail)).lines[0];
    };
    const plain = camtEntry({ amount: '1.00', details: details('E-1') }, '08');
    const value = plain.replace('<Dt>2026-11-19</Dt>', '<DtTm>2026-11-20T10:00:00</DtTm>');
    assert.equal((await only(value))?.valueOn, '2026-11-20');
    assert.equal((await only(plain.replace(/<ValDt>.*<\/ValDt>/, '')))?.valueOn, null);
    const reversed = plain.replace('<Sts>', '<RvslInd>1</RvslInd><Sts>');
    assert.deepEqual([(await only(plain))?.isReversal, (await only(reversed))?.isReversal], [false, true]);
    assert.equal((await only(reversed.replace('>1</RvslInd>', '>0</RvslInd>')))?.isReversal, false);
    // Of the entry, banks often write nothing but its number in the statement.
    const named = plain.replace('<Ntry>', '<Ntry><NtryRef>1</NtryRef>');
    assert.equal((await only(named))?.bankReference, null);
    assert.equal((await only(named.replace('<Refs>', '<Refs><AcctSvcrRef>A-1</AcctSvcrRef>')))?.bankReference, 'A-1');
    const domain = '<Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn>';
    assert.equal((await only(plain.replace('<Prtry><Cd>TRF</Cd></Prtry>', domain)))?.kind, 'ESCT');
    const structured = '<RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>';
    assert.equal((await only(plain.replace('</TxDtls>', structured)))?.text, 'RF18');
    const proprietary = '<RtrInf><Rsn><Prtry>X-1</Prtry></Rsn></RtrInf></TxDtls>';
    assert.equal((await only(plain.replace('</TxDtls>', proprietary)))?.returnReason, 'X-1');
    const payment = plain.replace('<MsgId>BATCH-7</MsgId>', '<PmtInfId>P-1</PmtInfId>');
    assert.equal((await only(payment))?.batchId, 'P-1');
    const ofEntry = payment
      .replace('<PmtInfId>P-1</PmtInfId>', '')
      .replace('<TxDtls>', '<Btch><MsgId>B-9</MsgId></Btch><TxDtls>');
    assert.equal((await only(ofEntry))?.batchId, 'B-9');
    const references =
      '<RmtInf><Strd><CdtrRefInf><Ref>R1</Ref></CdtrRefInf></Strd><Strd><CdtrRefInf><Ref>R2</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>';
    assert.equal((await only(plain.replace('</TxDtls>', references)))?.text, 'R1');
    const foreign = '<SplmtryData><Envlp><Ntry><Amt Ccy="PLN">9</Amt></Ntry></Envlp></SplmtryData><Sts>';
    assert.equal((await only(plain.replace('<Sts>', foreign)))?.amountMinor, 100n);
    const other =
      '<x:Ntry xmlns:x="urn:other"><x:Amt>9</x:Amt></x:Ntry><Ntry xmlns="urn:other"><Amt>9</Amt></Ntry><Sts>';
    assert.equal((await only(plain.replace('<Sts>', other)))?.amountMinor, 100n);
    assert.equal(
      (await only(plain.replace('<Refs>', '<Refs xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">')))
        ?.endToEndId,
      'E-1',
    );
    assert.equal((await only(plain.replace('>E-1<', '><')))?.endToEndId, null);
    assert.equal((await only(plain.replace('>E-1<', '>&#13;\n\t E 1 \t\n&#13;<')))?.endToEndId, 'E 1');
    assert.equal((await only(plain.replace('>E-1<', '> E 1 <')))?.endToEndId, 'E 1');
    assert.equal((await only(plain.replace('>E-1<', '> \n<')))?.endToEndId, null);
    assert.equal((await only(plain.replace('<Refs>', '<Refs>between')))?.batchId, 'BATCH-7');
    assert.equal((await only(plain.replace('E-1', '<![CDATA[E-<1]]>')))?.endToEndId, 'E-<1');
    assert.equal((await only(plain.replace('<Refs>', '<constructor>x</constructor><Refs>')))?.endToEndId, 'E-1');
    const charge = '<Rcrd><Amt Ccy="EUR">9</Amt></Rcrd>';
    assert.equal((await only(plain.replace('<Sts>', `<Chrgs>${charge}${charge}</Chrgs><Sts>`)))?.amountMinor, 100n);
  });

  // Guarantee: the other side is who paid, or who was paid.
  test('the other side', async () => {
    const parties =
      '<RltdPties><Dbtr><Nm>From</Nm></Dbtr><DbtrAcct><Id><Othr><Id>1</Id></Othr></Id></DbtrAcct><Cdtr><Nm>To</Nm></Cdtr><CdtrAcct><Id><IBAN>2</IBAN></Id></CdtrAcct></RltdPties>';
    const one = (amount: string, indicator: 'CRDT' | 'DBIT') => ({
      amount,
      indicator,
      details: details('E', undefined, parties),
    });
    const { lines } = await read(camt053({ entries: [one('1', 'CRDT'), one('1', 'DBIT'), one('0', 'CRDT')] }));
    assert.deepEqual(
      lines.map(({ partyName, partyAccount }) => [partyName, partyAccount]),
      [
        ['From', '1'],
        ['To', '2'],
        ['From', '1'],
      ],
    );
  });

  // Guarantee: a detail goes in its own direction, or in that of its entry.
  test('directions in a batch', async () => {
    const mixed = details('E-1', '40.00') + details('E-2', '10.00').replace('DBIT', 'CRDT');
    assert.deepEqual(
      (await read(batch(mixed, '70.00'))).lines.map(({ amountMinor }) => amountMinor),
      [-4_000n, 1_000n],
    );
    const without = (details('E-1', '10.00') + details('E-2', '20.00')).replaceAll('<CdtDbtInd>DBIT</CdtDbtInd>', '');
    const signs = async (indicator: 'CRDT' | 'DBIT', closing: string) =>
      (await read(camt053({ closing, entries: [{ amount: '30', indicator, details: without }] }))).lines.map(
        ({ amountMinor }) => amountMinor,
      );
    assert.deepEqual(await signs('DBIT', '70.00'), [-1_000n, -2_000n]);
    assert.deepEqual(await signs('CRDT', '130.00'), [1_000n, 2_000n]);
  });

  // Guarantee: what is not booked yet is not read, and nothing else is taken for it.
  test('entries that are announced', async () => {
    const pending = { amount: '5', status: 'PDNG', details: details('E-1', 'x') + details('E-2', 'y') };
    const known = (status: string) =>
      camt053({
        closing: '101.00',
        entries: [
          { ...pending, status },
          { amount: '1.00', info: 'good' },
        ],
      });
    const { lines, ends } = await read(known('PDNG'));
    for (const status of ['INFO', 'FUTR']) assert.equal((await read(known(status))).lines.length, 1);
    assert.equal(await faultOf(known('Booked')), '3: not_valid {"what":"Ntry/Sts","value":"Booked"}');
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['good'],
    );
    assert.equal(ends[0]?.notBooked, 1);
  });

  // Guarantee: an entry that is missing is noticed, whether the bank counts those that are announced or not.
  test('the number of entries', async () => {
    const summary = (count: number) =>
      `<TxsSummry><TtlNtries><NbOfNtries>${count}</NbOfNtries></TtlNtries></TxsSummry>`;
    const entries = [{ amount: '1.00' }, { amount: '2.00' }, { amount: '5', status: 'PDNG' }];
    const of = (count: number) =>
      faultOf(camt053({ closing: '103.00', entries }).replace('<Ntry>', `${summary(count)}<Ntry>`));
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map(of)), [
      '6: entries_differ {"said":1,"found":3}',
      'no fault',
      'no fault',
      '6: entries_differ {"said":4,"found":3}',
    ]);
  });

  // Guarantee: nothing of one statement is taken for another's.
  test('several statements', async () => {
    const other = camtHead('08', balance('OPBD', '7.00', 'EUR') + balance('CLBD', '8.00', 'EUR'))
      .replace(/[\s\S]*<Stmt>/, '<Stmt>')
      .replace('<ElctrncSeqNb>45</ElctrncSeqNb>', '<LglSeqNb>9</LglSeqNb>')
      .replace('<Ccy>PLN</Ccy>', '');
    const second = `${other}${camtEntry({ amount: '1.00', currency: 'EUR' }, '08')}</Stmt></BkToCstmrStmt>`;
    const content = camt053({ closing: '101.00', entries: [{ amount: '1.00' }] }).replace('</BkToCstmrStmt>', second);
    const { statements, ends } = await read(content);
    assert.deepEqual(
      statements.map(({ currency, number, openingMinor }) => [currency, number, openingMinor]),
      [
        ['PLN', '45', 10_000n],
        ['EUR', '9', 700n],
      ],
    );
    assert.deepEqual(
      ends.map(({ closingMinor }) => closingMinor),
      [10_100n, 800n],
    );
    const between = camt053().replace('</Stmt>', `</Stmt>${camtEntry({ amount: '1.00' }, '08')}`);
    assert.equal(await faultOf(between), '3: misplaced {"what":"Ntry"}');
  });

  // Guarantee: prefixes and encodings of banks are read.
  test('a prefix and another encoding', async () => {
    const prefixed = camt053({ closing: '101.00', entries: [{ amount: '1.00', info: 'łąka' }] })
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
      .replace('xmlns=', 'xmlns:ns2=');
    assert.equal((await read(prefixed)).lines[0]?.text, 'łąka');
    const foreign = prefixed.replace('<ns2:Ntry>', '<ns3:Ntry xmlns:ns3="urn:other"><ns3:Amt/></ns3:Ntry><ns2:Ntry>');
    assert.equal((await read(foreign)).lines[0]?.text, 'łąka');
    const undeclared = Buffer.from(prefixed.replace(/<\?.*\?>/, '').replace('łąka', '\u00b3\u00b1ka'), 'latin1');
    assert.equal((await read(undeclared, { encoding: 'ISO-8859-2' })).lines[0]?.text, 'łąka');
    const latin = prefixed.replace('UTF-8', 'ISO-8859-2');
    const bytes = Buffer.from(latin.replace('łąka', '\u00b3\u00b1ka'), 'latin1');
    assert.equal((await read(bytes)).lines[0]?.text, 'łąka');
    const wide = Buffer.from(`\ufeff${prefixed.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    assert.equal((await read(wide)).lines[0]?.text, 'łąka');
    const marked = Buffer.from(`\ufeff${prefixed}`);
    assert.equal((await read(marked)).lines[0]?.text, 'łąka');
  });

  const good = camt053({ closing: '101.00', entries: [{ amount: '1.00' }] });
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>`;
  const hostile: Readonly<Record<string, readonly [Content, string]>> = {
    'a long version': [
      good.replace('001.08', `001.${'9'.repeat(90)}`),
      `2: version_unknown {"version":"camt.053.001.${'9'.repeat(47)}"}`,
    ],
    'a namespace that is none': [good.replace('xmlns=', 'fake='), '2: format_unknown {}'],
    'another namespace': [good.replace('xmlns=', 'xmlns:a="urn:other" b='), '2: format_unknown {}'],
    'an entry without statement': [good.replace(/<Stmt>[\s\S]*?(?=<Ntry>)/, ''), '2: misplaced {"what":"Ntry"}'],
    'two currencies of balances': [
      good.replace('<Ccy>PLN</Ccy>', '').replace('Ccy="PLN"', 'Ccy="EUR"'),
      '3: currency_differs {"currency":"PLN","expected":"EUR"}',
    ],
    'another currency of the account': [
      good.replace('<Ccy>PLN</Ccy>', '<Ccy>EUR</Ccy>'),
      '3: currency_differs {"currency":"PLN","expected":"EUR"}',
    ],
    'a long currency': [
      good.replace('Ccy="PLN">1.00', 'Ccy="PLNX">1.00'),
      '3: currency_differs {"currency":"PLNX","expected":"PLN"}',
    ],
    'a page that is none': [
      good.replace('<Acct>', '<StmtPgntn><PgNb>x</PgNb></StmtPgntn><Acct>'),
      '3: not_valid {"what":"PgNb","value":"x"}',
    ],
    'a first day that is none': [
      good.replace('<FrDtTm>', '<FrDtTm>x'),
      '3: not_valid {"what":"FrToDt/FrDtTm","value":"x2026-11-18T00:00:00"}',
    ],
    'a last day that is none': [
      good.replace('<ToDtTm>', '<ToDtTm>x'),
      '3: not_valid {"what":"FrToDt/ToDtTm","value":"x2026-11-18T23:59:59.999+01:00"}',
    ],
    'a value date that is none': [
      good.replace('2026-11-19</Dt></ValDt>', 'x</Dt></ValDt>'),
      '3: not_valid {"what":"Ntry/ValDt","value":"x"}',
    ],
    'too many payments': [
      camt053({ entries: [{ amount: '1', details: '<Btch><NbOfTxs>1234567890</NbOfTxs></Btch>' }] }),
      '3: not_valid {"what":"Btch/NbOfTxs","value":"1234567890"}',
    ],
    'an entry in an entry': [
      camt053({ entries: [{ amount: '1', details: `${details('E', '1')}${camtEntry({ amount: '5' }, '08')}` }] }),
      '3: misplaced {"what":"Ntry"}',
    ],
    'details in details': [
      camt053({ entries: [{ amount: '1', details: details('E', undefined, details('F')) }] }),
      '3: misplaced {"what":"TxDtls"}',
    ],
    'details elsewhere': [good.replace('<Sts>', '<TxDtls/><Sts>'), '3: misplaced {"what":"TxDtls"}'],
    'a statement in the header': [good.replace('<MsgId>', '<Stmt/><MsgId>'), '2: misplaced {"what":"Stmt"}'],
    'a balance in an entry': [good.replace('<Sts>', '<Bal/><Sts>'), '3: misplaced {"what":"Bal"}'],
    'a balance behind the entries': [
      good.replace('</Stmt>', `${balance('CLBD', '9.00')}</Stmt>`),
      '4: misplaced {"what":"Bal"}',
    ],
    'two opening balances': [good.replace('<Bal>', `${balance('OPBD', '9.00')}<Bal>`), '2: twice {"what":"Bal/OPBD"}'],
    'two closing balances': [good.replace('<Bal>', `${balance('CLBD', '9.00')}<Bal>`), '2: twice {"what":"Bal/CLBD"}'],
    'one balance for both ends': [camtHead('08', balance('ITBD', '1.00')) + camtTail, '3: missing {"what":"Bal/CLBD"}'],
    'two amounts': [
      good.replace('<CdtDbtInd>CRDT</CdtDbtInd><Sts>', '<Amt Ccy="PLN">7</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>'),
      '3: twice {"what":"Ntry/Amt@Ccy"}',
    ],
    'two directions': [good.replace('<Sts>', '<CdtDbtInd>DBIT</CdtDbtInd><Sts>'), '3: twice {"what":"Ntry/CdtDbtInd"}'],
    'two states': [
      good.replace('<Sts><Cd>BOOK</Cd></Sts>', '<Sts>BOOK</Sts><Sts><Cd>PDNG</Cd></Sts>'),
      '3: twice {"what":"Ntry/Sts"}',
    ],
    'a truth that is none': [
      good.replace('<Sts>', '<RvslInd>TRUE</RvslInd><Sts>'),
      '3: not_valid {"what":"Ntry/RvslInd","value":"TRUE"}',
    ],
    'a truth of every object': [
      good.replace('<Sts>', '<RvslInd>constructor</RvslInd><Sts>'),
      '3: not_valid {"what":"Ntry/RvslInd","value":"constructor"}',
    ],
    'an amount without currency': [
      good.replace('<Amt Ccy="PLN">1.00', '<Amt>1.00'),
      '3: missing {"what":"Ntry/Amt@Ccy"}',
    ],
    'a number of entries that is none': [
      good.replace('<Ntry>', '<TxsSummry><TtlNtries><NbOfNtries>1.0</NbOfNtries></TtlNtries></TxsSummry><Ntry>'),
      '4: not_valid {"what":"NbOfNtries","value":"1.0"}',
    ],
    'a value around an element': [
      good.replace('>1.00</Amt>', '>9<x/>1.00</Amt>'),
      '3: not_valid {"what":"Ntry/Amt","value":"1.00"}',
    ],
    'fewer entries than it says': [
      good.replace('<Ntry>', '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry><Ntry>'),
      '4: entries_differ {"said":2,"found":1}',
    ],
    'another root': [
      `<!-- ${good.slice(39, 100)} --><Other><Document/></Other>`.replace(/<!--/, '<?xml version="1.0"?><!--'),
      '1: format_unknown {}',
    ],
    'a message of another kind': [good.replace('camt.053', 'pacs.008'), '-: format_unknown {}'],
    'a text before it': [`x ${good}`, '-: format_unknown {}'],
    'a text with a field': ['see\n:20:S1', '-: format_unknown {}'],
    'an evil namespace': [good.replace('xmlns="', 'xmlns="urn:evil" xmlns:a="'), '2: format_unknown {}'],
    'a long name': [good.replace('<Sts>', `<${'a'.repeat(101)}/><Sts>`), '3: text_too_long {}'],
    'an encoding of every object': [
      good.replace('UTF-8', 'constructor'),
      '-: encoding_unknown {"encoding":"constructor"}',
    ],
    'escapes in a fault': [
      good.replace('camt.053.001.08', 'camt.053.001.\u009b31m'),
      '2: version_unknown {"version":"camt.053.001.?31m"}',
    ],
    'an open comment behind its end': [`${good}<!-- x`, '5: xml_broken {"why":"unexpected end"}'],
    'an empty file': ['', '-: empty {}'],
    'an empty line': ['\n', '-: format_unknown {}'],
    'another XML': ['<a/>', '-: format_unknown {}'],
    'another version': [good.replace('001.08', '001.12'), '2: version_unknown {"version":"camt.053.001.12"}'],
    'a file cut short': [good.slice(0, -30), '4: truncated {}'],
    'a file cut in a tag': [good.slice(0, 700), '3: truncated {}'],
    'more behind its end': [`${good}<more/>`, '5: xml_broken {"why":"documents may contain only one root"}'],
    'a bomb': [good.replace('\n', `\n${bomb}`), '2: doctype_refused {}'],
    'an external entity': [good.replace('\n', '\n<!DOCTYPE x SYSTEM "file:///etc/passwd">'), '2: doctype_refused {}'],
    'an entity of its own': [good.replace('M1', '&own;'), '2: xml_broken {"why":"undefined entity"}'],
    'a value without end': [good.replace('M1', 'M'.repeat(200_000)), '2: text_too_long {}'],
    'a comment without end': [
      good.replace('M1', `<!--${'-'.repeat(1)}${' <a>'.repeat(60_000)}`),
      '2: text_too_long {}',
    ],
    'attributes without end': [good.replace('<GrpHdr>', `<GrpHdr ${'a'.repeat(200_000)}`), '2: text_too_long {}'],
    'a value in many pieces': [good.replace('M1', 'MMMMMMMM<!-- -->'.repeat(20_000)), '2: text_too_long {}'],
    'lines of text without end': [
      camt053({
        entries: [
          { amount: '1', details: `<TxDtls><RmtInf>${'<Ustrd>0123456789</Ustrd>'.repeat(3_000)}</RmtInf></TxDtls>` },
        ],
      }),
      '3: text_too_long {}',
    ],
    'elements without end': [good.replace('M1', '<a>'.repeat(50)), '2: nested_too_deep {}'],
    'no account': [good.replace(/<Acct>.*<\/Acct>/, ''), '3: missing {"what":"Stmt/Acct/Id/IBAN"}'],
    'no number of the account': [good.replace(/<IBAN>.*<\/IBAN>/, ''), '3: missing {"what":"Stmt/Acct/Id/IBAN"}'],
    'no opening balance': [good.replace('OPBD', 'XXXX'), '3: missing {"what":"Bal/OPBD"}'],
    'no closing balance': [good.replace('CLBD', 'XXXX'), '3: missing {"what":"Bal/CLBD"}'],
    'no amount': [good.replace('<Amt Ccy="PLN">1.00</Amt>', ''), '3: missing {"what":"Ntry/Amt@Ccy"}'],
    'an element inside a value': [
      good.replace(
        '>1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>',
        '>1.00<x>9.00</x></Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>',
      ),
      '3: missing {"what":"Ntry/Amt"}',
    ],
    'no direction': [
      good.replace(/(1\.00<\/Amt>)<CdtDbtInd>CRDT<\/CdtDbtInd><Sts>/, '$1<Sts>'),
      '3: missing {"what":"Ntry/CdtDbtInd"}',
    ],
    'another direction': [
      good.replace(/(1\.00<\/Amt><CdtDbtInd>)CRDT(<\/CdtDbtInd><Sts>)/, '$1CRED$2'),
      '3: not_valid {"what":"Ntry/CdtDbtInd","value":"CRED"}',
    ],
    'no status': [good.replace(/<Sts>.*<\/Sts>/, ''), '3: missing {"what":"Ntry/Sts/Cd"}'],
    'no day': [good.replace(/<BookgDt>.*<\/BookgDt>/, ''), '3: missing {"what":"Ntry/BookgDt/Dt"}'],
    'a day that does not exist': [
      camt053({ entries: [{ amount: '1', booked: '<Dt>2026-11-31</Dt>' }] }),
      '3: not_valid {"what":"Ntry/BookgDt","value":"2026-11-31"}',
    ],
    'a third place': [camt053({ entries: [{ amount: '1.005' }] }), '3: not_valid {"what":"Ntry/Amt","value":"1.005"}'],
    'a negative amount': [
      camt053({ entries: [{ amount: '-1.00' }] }),
      '3: not_valid {"what":"Ntry/Amt","value":"-1.00"}',
    ],
    'an exponent': [camt053({ entries: [{ amount: '1e3' }] }), '3: not_valid {"what":"Ntry/Amt","value":"1e3"}'],
    'another currency': [
      camt053({ entries: [{ amount: '1.00', currency: 'EUR' }] }),
      '3: currency_differs {"currency":"EUR","expected":"PLN"}',
    ],
    'a currency that is not kept': [good.replaceAll('PLN', 'JPY'), '3: currency_not_kept {"currency":"JPY"}'],
    'sums that differ': [
      camt053({ closing: '101.01', entries: [{ amount: '1.00' }] }),
      '4: sums_differ {"opening":"100.00","lines":"1.00","closing":"101.01"}',
    ],
    'a batch of a strange size': [
      camt053({ entries: [{ amount: '1', details: '<Btch><NbOfTxs>1e9</NbOfTxs></Btch>' }] }),
      '3: not_valid {"what":"Btch/NbOfTxs","value":"1e9"}',
    ],
    'bytes of another encoding': [
      Buffer.from(good.replace('M1', '\u00b3'), 'latin1'),
      '-: encoding_other {"encoding":"UTF-8"}',
    ],
    'an encoding that nobody has': [good.replace('UTF-8', 'EBCDIC'), '-: encoding_unknown {"encoding":"EBCDIC"}'],
    'no statement': [
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt/></Document>`,
      '-: nothing_in_it {}',
    ],
  };
  // Guarantee: a file that is not exactly right is refused with its place, and nothing of it is guessed.
  for (const [what, [content, fault]] of Object.entries(hostile)) {
    test(what, async () => assert.equal(await faultOf(content), fault));
  }

  test('nothing at all, and said to be one', async () => {
    assert.equal(await faultOf(good.replaceAll('Document', 'Message'), { format: 'camt053' }), '2: format_unknown {}');
    assert.equal(await faultOf('', { format: 'camt053' }), '-: empty {}');
    assert.equal(await faultOf(' ', { format: 'camt053' }), '1: truncated {}');
  });

  // Guarantee: the limits are where they are said to be.
  test('limits', async () => {
    const nested = (depth: number) => good.replace('M1', `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`);
    // Around it are the document, the message, the header and the id.
    assert.equal(await faultOf(nested(36)), 'no fault');
    assert.equal(await faultOf(nested(37)), '2: nested_too_deep {}');
    const reference = '<Strd><CdtrRefInf><Ref>R</Ref></CdtrRefInf></Strd>';
    const referring = (count: number) =>
      camt053({ entries: [{ amount: '0', details: `<TxDtls><RmtInf>${reference.repeat(count)}</RmtInf></TxDtls>` }] });
    assert.equal(await faultOf(referring(1_000)), 'no fault');
    assert.equal(await faultOf(referring(1_001)), '3: text_too_long {}');
    const many = camt053({ entries: [{ amount: '0', details: '<Btch><NbOfTxs>123456789</NbOfTxs></Btch>' }] });
    assert.equal((await read(many)).lines[0]?.payments, 123_456_789);
  });

  // Guarantee: every fault has a sentence that says what to do or what is wrong.
  test('sentences', () => {
    const problem = new FileFault({ code: 'version_unknown', parameters: { version: 'camt.053.001.12' } }).problem;
    assert.equal(new FileFault(problem).name, 'FileFault');
    assert.deepEqual(['mt940', 'csv'].map(isFormat), [true, false]);
    assert.match(sentenceOf(fileSentences, problem), /camt\.053\.001\.12 is not supported/);
  });
});

suite('camt.054', () => {
  const notice = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.04"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>M</MsgId><MsgPgntn><PgNb>3</PgNb></MsgPgntn></GrpHdr><Ntfctn><Id>N1</Id><Acct><Id><Othr><Id>123</Id></Othr></Id></Acct>${camtEntry({ amount: '2.00', currency: 'EUR' }, '04')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;

  // Guarantee: a notice has no balances, and its currency is that of its entries.
  test('without balances', async () => {
    const { statements, lines, ends } = await read(notice);
    const [statement] = statements;
    assert.deepEqual(
      [statement?.account, statement?.currency, statement?.page, statement?.number, statement?.openingMinor],
      ['123', 'EUR', 3, null, null],
    );
    assert.equal(lines[0]?.amountMinor, 200n);
    assert.deepEqual(ends, [{ closingMinor: null, closingOn: null, entries: 1, sumMinor: 200n, notBooked: 0 }]);
  });

  test('with its page, one balance, or nothing to know its currency by', async () => {
    const page = notice.replace('<Acct>', '<NtfctnPgntn><PgNb>7</PgNb></NtfctnPgntn><Acct>');
    assert.equal((await read(page)).statements[0]?.page, 7);
    const without = notice.replace('<MsgPgntn><PgNb>3</PgNb></MsgPgntn>', '').replace(/<GrpHdr>.*<\/GrpHdr>/, '');
    assert.equal((await read(without)).statements[0]?.page, 1);
    for (const code of ['OPBD', 'CLBD']) {
      const [end] = (await read(notice.replace('<Ntry>', `${balance(code, '9.00', 'EUR')}<Ntry>`))).ends;
      assert.equal(end?.sumMinor, 200n);
    }
    const empty = '1: missing {"what":"Ntfctn/Acct/Ccy"}';
    assert.equal(await faultOf(notice.replace(/<Ntry>.*<\/Ntry>/, '')), empty);
    const second = '</Ntfctn><Ntfctn><Id>N2</Id><Acct><Id><Othr><Id>123</Id></Othr></Id></Acct></Ntfctn>';
    assert.equal(await faultOf(notice.replace('</Ntfctn>', second)), empty);
    // Its pages are not compared, whatever it says of them.
    const paged = `<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>${balance('CLBD', '9.00', 'EUR')}<Ntry>`;
    assert.equal(await faultOf(notice.replace('<Ntry>', paged)), 'no fault');
  });

  test('is not a statement', async () => {
    assert.equal(await faultOf(notice, { format: 'camt053' }), '1: version_unknown {"version":"camt.054.001.04"}');
  });
});

suite('pain.002', () => {
  const status = (inner: string, version = '10') =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt><GrpHdr><MsgId>A</MsgId></GrpHdr>${inner}</CstmrPmtStsRpt></Document>`;
  const group = (more: string) => `<OrgnlGrpInfAndSts><OrgnlMsgId>GROSZ-7</OrgnlMsgId>${more}</OrgnlGrpInfAndSts>`;
  const single = (id: string, code: string) =>
    `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>${code}</Cd></Rsn><AddtlInf>closed</AddtlInf></StsRsnInf></TxInfAndSts>`;

  // Guarantee: what is said of the whole file, of a part and of single payments is told apart.
  test('of all and of single payments', async () => {
    const content = status(
      `${group('<GrpSts>PART</GrpSts>')}<OrgnlPmtInfAndSts><OrgnlPmtInfId>P-1</OrgnlPmtInfId>${single('E-1', 'AC04')}<PmtInfSts>PART</PmtInfSts></OrgnlPmtInfAndSts>`,
    );
    for (const piece of [1, 4_096]) {
      const { parts } = await read(content, {}, piece);
      assert.deepEqual(
        parts.map((part) => (part.kind === 'status' ? Object.values(part.status) : part.kind)),
        [
          ['GROSZ-7', null, null, 'PART', null, ''],
          ['GROSZ-7', 'P-1', 'E-1', 'RJCT', 'AC04', 'closed'],
          ['GROSZ-7', 'P-1', null, 'PART', null, ''],
        ],
      );
    }
    const all = await read(
      status(group('<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn></StsRsnInf>'), '03'),
    );
    assert.deepEqual(all.parts[0]?.kind === 'status' && all.parts[0].status.reason, 'X1');
    const late = await read(
      status(
        `<OrgnlPmtInfAndSts><OrgnlPmtInfId>P-1</OrgnlPmtInfId></OrgnlPmtInfAndSts>${group('<GrpSts>ACCP</GrpSts>')}`,
      ),
    );
    assert.deepEqual(late.parts[0]?.kind === 'status' && late.parts[0].status.paymentId, null);
    const direct = await read(status(`${group('')}<OrgnlPmtInfAndSts>${single('E-2', 'AM04')}</OrgnlPmtInfAndSts>`));
    assert.deepEqual(
      direct.parts.map((part) => part.kind === 'status' && [part.status.paymentId, part.status.endToEndId]),
      [[null, 'E-2']],
    );
  });

  const wrong: Readonly<Record<string, readonly [string, string]>> = {
    'of nothing': [status(''), '-: nothing_in_it {}'],
    'of an unknown file': [
      status('<OrgnlGrpInfAndSts><GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>'),
      '1: missing {"what":"OrgnlGrpInfAndSts/OrgnlMsgId"}',
    ],
    'before its file': [
      status(`<OrgnlPmtInfAndSts>${single('E-1', 'AC04')}</OrgnlPmtInfAndSts>`),
      '1: missing {"what":"OrgnlGrpInfAndSts"}',
    ],
    'outside of a payment': [status(group('') + single('E-1', 'AC04')), '1: misplaced {"what":"TxInfAndSts"}'],
    'that is longer': [
      status(group('<GrpSts>ACCPX</GrpSts>')),
      '1: not_valid {"what":"OrgnlGrpInfAndSts/GrpSts","value":"ACCPX"}',
    ],
    'that begins earlier': [
      status(group('<GrpSts>XACCP</GrpSts>')),
      '1: not_valid {"what":"OrgnlGrpInfAndSts/GrpSts","value":"XACCP"}',
    ],
    'of two files': [status(group('') + group('')), '1: twice {"what":"OrgnlGrpInfAndSts"}'],
    'that is none': [
      status(group('<GrpSts>fine</GrpSts>')),
      '1: not_valid {"what":"OrgnlGrpInfAndSts/GrpSts","value":"fine"}',
    ],
    'cut short': [status(group('<GrpSts>ACCP</GrpSts>')).slice(0, -5), '1: truncated {}'],
    'of another version': [status(group(''), '02'), '1: version_unknown {"version":"pain.002.001.02"}'],
  };
  for (const [what, [content, fault]] of Object.entries(wrong)) {
    test(what, async () => assert.equal(await faultOf(content), fault));
  }
});

suite('MT940', () => {
  // Guarantee: each kind of movement has its direction, its days and its references.
  test('movements', async () => {
    const lines = [
      ':61:2611181117C10,50NTRFE-1//B-1',
      ':86:plain text',
      ':12:30 is a line of it',
      ':61:261118D20,NCHGNONREF',
      'more',
      'of it',
      ':61:2611181118RCR1,00NRTI//B-2',
      ':61:261118RD3,25S103REF',
      ':61:261118EC99,00NTRFX',
      ':61:2601011231C0,25NMSCX//Y',
    ];
    const content = mt940({ lines, closing: 'C261118PLN93,00' });
    for (const piece of [1, 9, 65_536]) {
      const { statements, lines: read_, ends } = await read(content, {}, piece);
      assert.deepEqual(statements, [
        {
          id: 'S1',
          number: '45',
          page: 1,
          account,
          currency: 'PLN',
          from: null,
          to: null,
          copy: null,
          openingOn: '2026-11-17',
          openingMinor: 10_000n,
        },
      ]);
      assert.deepEqual(
        read_.map((line) => [
          line.entry,
          line.amountMinor,
          line.bookedOn,
          line.valueOn,
          line.isReversal,
          line.kind,
          line.batchId,
          line.bankReference,
          line.text,
        ]),
        [
          [1, 1_050n, '2026-11-17', '2026-11-18', false, 'NTRF', 'E-1', 'B-1', 'plain text :12:30 is a line of it'],
          [2, -2_000n, '2026-11-18', '2026-11-18', false, 'NCHG', null, null, 'more of it'],
          [3, -100n, '2026-11-18', '2026-11-18', true, 'NRTI', null, 'B-2', ''],
          [4, 325n, '2026-11-18', '2026-11-18', true, 'S103', 'REF', null, ''],
          [5, 25n, '2025-12-31', '2026-01-01', false, 'NMSC', 'X', 'Y', ''],
        ],
      );
      assert.deepEqual(ends, [
        { closingMinor: 9_300n, closingOn: '2026-11-18', entries: 5, sumMinor: -700n, notBooked: 1 },
      ]);
    }
  });

  // Guarantee: nothing is made up that the bank did not write.
  test('a movement alone', async () => {
    const head = [':20:S1', ':25P:10901014 / 0000', ':28:7'];
    const content = mt940({
      head,
      opening: 'D261117PLN5,00',
      closing: 'D261118PLN6,00',
      lines: [':61:261118D1,00NTRFNOTPROVIDED'],
    });
    const { statements, lines } = await read(content);
    assert.deepEqual(statements, [
      {
        id: 'S1',
        number: '7',
        page: 1,
        account: '10901014/0000',
        currency: 'PLN',
        from: null,
        to: null,
        copy: null,
        openingOn: '2026-11-17',
        openingMinor: -500n,
      },
    ]);
    assert.deepEqual(lines, [
      {
        entry: 1,
        part: 0,
        amountMinor: -100n,
        isReversal: false,
        bookedOn: '2026-11-18',
        valueOn: '2026-11-18',
        bankReference: null,
        endToEndId: null,
        batchId: null,
        payments: 1,
        text: '',
        partyName: null,
        partyAccount: null,
        returnReason: null,
        kind: 'NTRF',
      },
    ]);
  });

  // Guarantee: numbers of statements and their parts are the bank's.
  test('numbers', async () => {
    const of = async (...fields: readonly string[]) => {
      const [statement] = (await read(mt940({ head: [':20:S', ':25:X', ...fields] }))).statements;
      return [statement?.number, statement?.page];
    };
    assert.deepEqual(await of(':28C:45/123456789'), ['45', 123_456_789]);
    assert.deepEqual(await of(':28C:45/1234567890'), ['45/1234567890', 1]);
    assert.deepEqual(await of(':28C:01/2023'), ['01/2023', 1]);
    assert.deepEqual(await of(':28C:01/2023/M'), ['01/2023/M', 1]);
    assert.deepEqual(await of(':28C:45/12345'), ['45', 12_345]);
    assert.deepEqual(await of(':28C:45/123'), ['45', 123]);
    assert.deepEqual(await of(':28C:45/x2'), ['45/x2', 1]);
    assert.deepEqual(await of(':28C:45/2x'), ['45/2x', 1]);
    assert.deepEqual(await of(':28C:x45/2'), ['x45/2', 1]);
    assert.deepEqual(await of(':28C:45'), ['45', 1]);
    assert.deepEqual(await of(), [null, 1]);
    // What is not read may come several times.
    assert.deepEqual(await of(':NS:22Jan', ':NS:23Konto'), [null, 1]);
  });

  // Guarantee: a booking date without a year is in the year that is nearest.
  test('days around the end of a year', async () => {
    const booked = async (value: string, day: string) =>
      (await read(mt940({ lines: [`:61:${value}${day}C0,00NTRFX`] }))).lines[0]?.bookedOn;
    assert.deepEqual(
      [await booked('260101', '1231'), await booked('261231', '0101'), await booked('260615', '1215')],
      ['2025-12-31', '2027-01-01', '2026-12-15'],
    );
    assert.deepEqual(
      [await booked('261215', '0615'), await booked('260515', '1215'), await booked('261215', '0515')],
      ['2026-06-15', '2025-12-15', '2027-05-15'],
    );
    assert.deepEqual(
      [await booked('000101', '1231'), await booked('991231', '0101'), await booked('260230', '0228')],
      ['1999-12-31', '2000-01-01', '2026-02-28'],
    );
  });

  test('spaces and zeros that banks write', async () => {
    const lines = [':61:261118C0000000000000000000,00 NTRFX', ':86:urn:iso:20022:tech:xsd:camt.053.'];
    const [line] = (await read(mt940({ lines }))).lines;
    assert.deepEqual([line?.amountMinor, line?.kind], [0n, 'NTRF']);
  });

  test('expected movements', async () => {
    const { ends } = await read(mt940({ lines: [':61:2611181118ED1,00NTRFX', ':61:261118EC1,00NTRFX'] }));
    assert.equal(ends[0]?.notBooked, 2);
  });

  // Guarantee: the dialects of field 86 give the same title, name and account.
  const title = 'GROSZ 01K9Z4M7Q1T4W7A0B2C5E8F9GH';
  const dialects: Readonly<Record<string, readonly string[]>> = {
    '<': [`:86:020<00PRZELEW<20GROSZ 01K9Z4M7Q1T4W7A0B2C5E<218F9GH<32Jan<33 Kowalski<38${account}`],
    '~': [`:86:020~00PRZELEW~20GROSZ 01K9Z4M7Q1T4W7A0B2C5E~218F9GH`, `~32Jan~33 Kowalski~38${account}`],
    '^ broken in a line': [
      `:86:0200^00PRZELEW^20GROSZ 01K9Z4M7Q1T4W7A`,
      `0B2C5E^218F9GH^31${account}^32Jan^33 Kowalski^60x`,
    ],
    '? with a question': [`:86:116?00X?20${title}?31${account}?32Jan?33 Kowalski`],
    '< with the name in other parts': [`:86:020<20${title}<27Jan <28Kow<29alski<38${account}`],
    'words between slashes': [`:86:/IBAN/PL61 1090 1014 0000 0712 1981 2874/NAME/Jan Kowalski/EREF/E-1/REMI/${title}`],
  };
  for (const [what, lines] of Object.entries(dialects)) {
    test(`field 86 with ${what}`, async () => {
      const content = mt940({ lines: [':61:261118D1,00NTRFX', ...lines], closing: 'C261118PLN99,00' });
      const [line] = (await read(content)).lines;
      assert.deepEqual([line?.text, line?.partyName, line?.partyAccount], [title, 'Jan Kowalski', account]);
    });
  }

  const about = async (...lines: readonly string[]) => {
    const content = mt940({ lines: [':61:261118D1,00NTRFX', ...lines], closing: 'C261118PLN99,00' });
    const [line] = (await read(content)).lines;
    return [line?.endToEndId, line?.text, line?.returnReason];
  };

  // Guarantee: the title and the end-to-end id are found where banks write them.
  test('references in field 86', async () => {
    assert.deepEqual(await about(':86:/EREF/E-8/REMI/x'), ['E-8', 'x', null]);
    assert.deepEqual(await about(':86:/EREF/NOTPROVIDED/TXT/y'), [null, 'y', null]);
    assert.deepEqual(await about(':86:a < b', ' and so on'), [null, 'a < b and so on', null]);
    assert.deepEqual(await about(':86:020<20a<b<21c'), [null, 'a<bc', null]);
    assert.deepEqual(await about(':86:020<20a<b21<20d'), [null, 'a<b21d', null]);
    const all = [20, 21, 22, 23, 24, 25, 26].map((number, index) => `<${number}${'abcdefg'[index]}`);
    assert.deepEqual(await about(`:86:020${all.join('')}<27x<60y`), [null, 'abcdefg', null]);
    assert.deepEqual(await about(':86:cena ~20 zl'), [null, 'cena ~20 zl', null]);
    assert.deepEqual(await about(':86:a', 'x:86:b', '-', ':20:c', '-}d'), [null, 'a x:86:b - :20:c -}d', null]);
    assert.deepEqual(await about(':86:x /REMI/y'), [null, 'x /REMI/y', null]);
    for (const text of ['020/REMI/y', '0200/REMI/y', '/TXT/y', '<20y', '020<20y']) {
      assert.deepEqual(await about(`:86:${text}`), [null, 'y', null]);
    }
    assert.deepEqual(await about(':86:02000/REMI/y'), [null, '02000/REMI/y', null]);
    assert.deepEqual(await about(':86:/NAME/y'), [null, '/NAME/y', null]);
    assert.deepEqual(await about(':86:/EREF/E-', '8/REMI/FV 12/2026'), ['E-8', 'FV 12/2026', null]);
    assert.deepEqual(await about(':86:/EREF/ /REMI/y'), [null, 'y', null]);
    assert.deepEqual(await about(':86:/ORDP/x/y/EREF/E/REMI/y'), ['E', 'y', null]);
  });

  // Guarantee: only the bank says that a payment came back: in field 61 that it did, and why, before a stranger's words.
  test('reasons of returns', async () => {
    const reasonOf = async (movement: string, text: string) =>
      (await read(mt940({ lines: [`:61:261118${movement}`, `:86:${text}`] }))).lines[0]?.returnReason;
    const reason = '/RTRN/AC04/EREF/E-8/REMI/x';
    for (const movement of ['C0,00NRTIX', 'C0,00FRTIX', 'RC0,00NTRFX', 'RD0,00NTRFX']) {
      assert.equal(await reasonOf(movement, reason), 'AC04', movement);
    }
    for (const movement of ['C0,00NTRFX', 'D0,00NTRFX', 'C0,00NTRFRTI', 'C0,00RTINX']) {
      assert.equal(await reasonOf(movement, reason), null, movement);
    }
    const all: Readonly<Record<string, string | null>> = {
      '/RETN/AC01/TXT/x': 'AC01',
      '/TRTP/SEPA/TRCD/108/IBAN/PL1/BIC/B/RTRN/AC04': 'AC04',
      '/RTRN//RETN/AC01/REMI/x': 'AC01',
      '020/RTRN/AC04/REMI/x': 'AC04',
      '/EREF/E-8/RTRN/AC04/REMI/x': null,
      '/NAME/Jan/RTRN/AC04/REMI/x': null,
      '/ULTD/Jan/RTRN/AC04/REMI/x': null,
      '/REMI/x/RTRN/AC04': null,
      '020<20x/RTRN/AC04': null,
      'RTRN AC04': null,
    };
    for (const [text, expected] of Object.entries(all))
      assert.equal(await reasonOf('C0,00NRTIX', text), expected, text);
  });

  // Guarantee: a name says nothing but itself: it brings no account, no second name and no end-to-end id with it.
  test('names that pretend', async () => {
    const of = async (text: string) => {
      const lines = [':61:261118C0,00NTRFX', `:86:${text}`];
      const [line] = (await read(mt940({ lines }))).lines;
      return [line?.partyName, line?.partyAccount, line?.endToEndId];
    };
    assert.deepEqual(await of('/IBAN/PL1/NAME/Mallory/IBAN/PL2/REMI/x'), ['Mallory', 'PL1', null]);
    assert.deepEqual(await of('/IBAN/PL1/BIC/B/NAME/Jan/REMI/x'), ['Jan', 'PL1', null]);
    assert.deepEqual(await of('/NAME/Mallory/IBAN/PL2/REMI/x'), ['Mallory', null, null]);
    assert.deepEqual(await of('/EREF/E-1/NAME/Alice/NAME/Mallory/REMI/x'), [null, null, 'E-1']);
    assert.deepEqual(await of('/NAME/Mallory/EREF/E-1/EREF/E-2/REMI/x'), ['Mallory', null, null]);
    assert.deepEqual(await of('020<20x<31PL1<32Mallory<38PL2'), ['Mallory', null, null]);
    assert.deepEqual(await of('020<20x<31PL2<32Mallory<38PL1'), ['Mallory', null, null]);
    assert.deepEqual(await of('020<20x<32Mallory<38PL2<38PL1'), [null, null, null]);
    assert.deepEqual(await of('020<20x<27Alice<27Mallory<38PL1'), [null, null, null]);
    assert.deepEqual(await of('020<20x<31PL2<31PL1<32Mallory'), [null, null, null]);
    // Many banks write the account in both parts.
    assert.deepEqual(await of('020<20x<31109010<32Jan<38PL61 109010'), ['Jan', 'PL61109010', null]);
    assert.deepEqual(await of('020<20x<31PL61109010<32Jan<38109010'), ['Jan', '109010', null]);
  });

  // Guarantee: the bank's reference is the bank's: none that the payer writes before it is taken for it.
  test('references that pretend', async () => {
    const of = async (text: string) => {
      const [line] = (await read(mt940({ lines: [`:61:261118C0,00NTRF${text}`] }))).lines;
      return [line?.batchId, line?.bankReference];
    };
    assert.deepEqual(await of('E-1//B-1'), ['E-1', 'B-1']);
    assert.deepEqual(await of('E-1//FAKE//B-1'), ['E-1//FAKE', 'B-1']);
    assert.deepEqual(await of('//B-1'), [null, 'B-1']);
    assert.deepEqual(await of('E-1/B-1'), ['E-1/B-1', null]);
    assert.deepEqual(await of('E-1//'), ['E-1', null]);
  });

  // Guarantee: only what ends the file's lines ends a line, so that a title with another line break adds no movement.
  test('line breaks in a title', async () => {
    const lines = [':61:261118C0,00NTRFX', ':86:x#:61:261118C9,00NTRFX#:61:261118D9,00NTRFX'];
    const content = (own: string, other: string) =>
      mt940({ lines }).replaceAll('\r\n', '@').replaceAll('#', other).replaceAll('@', own);
    for (const piece of [1, 2, 65_536]) {
      for (const [own, other] of [
        ['\r\n', '\r'],
        ['\r\n', '\n'],
        ['\n', '\r'],
        ['\r', '\n'],
      ] as const) {
        assert.equal(await faultOf(content(own, other), {}, piece), '6: line_break_other {}');
      }
      for (const [other, character] of [
        ['\v', 'U+000B'],
        ['\f', 'U+000C'],
        ['\u0085', 'U+0085'],
      ] as const) {
        const fault = `6: character_not_valid {"character":"${character}"}`;
        assert.equal(await faultOf(content('\n', other), {}, piece), fault);
      }
      for (const other of ['\u2028', '\u2029']) {
        assert.equal((await read(content('\r\n', other), {}, piece)).lines.length, 1);
      }
    }
  });

  // Guarantee: no letter of a title or a reference hides the field that it is in.
  test('a line separator within a field', async () => {
    const lines = [':61:261118C1,00NTRFX', ':86:020<20a\u2028b<32Jan', ':61:261118D1,00NTRFE\u20291//B', ':86:c'];
    const found = (await read(mt940({ lines }))).lines;
    assert.deepEqual(
      found.map(({ amountMinor, text, partyName, batchId }) => [amountMinor, text, partyName, batchId]),
      [
        [100n, 'a\u2028b', 'Jan', 'X'],
        [-100n, 'c', null, 'E\u20291'],
      ],
    );
  });

  // Guarantee: a title whose line looks like a field books nothing: the file is refused, and says where.
  test('lines of a title that look like fields', async () => {
    const of = (...title: readonly string[]) =>
      faultOf(
        mt940({
          lines: [':61:261118C0,01NTRFX', ':86:020<20x', ...title, '<32Mallory', ':61:261118D0,01NTRFX', ':86:y'],
        }),
      );
    assert.equal(await of(':60F', ':611:261118C9,00NTRFX', ' :61:261118C9,00NTRFX', '{4:', ':20:S2', '-}'), 'no fault');
    assert.match(await of(':61:261118C9,00NTRFX'), /^11: sums_differ/);
    assert.match(await of(':61:Invoice'), /^7: not_valid/);
    assert.match(await of(':86:Invoice'), /^7: misplaced/);
    assert.match(await of(':60F:C261117PLN100,01'), /^7: not_valid/);
    assert.match(await of(':60F:C261117PLN100,01', ':86:y'), /^7: missing/);
    assert.match(await of(':62F:C261117PLN100,01'), /^7: not_valid/);
    assert.match(await of(':62F:C261118PLN100,01', ':86:y'), /^10: missing/);
  });

  // Guarantee: a payer's title says nothing but itself, whatever it looks like.
  test('titles that pretend', async () => {
    const of = async (text: string) => {
      const lines = [':61:261118C0,00NTRFX', `:86:${text}`];
      const [line] = (await read(mt940({ lines }))).lines;
      return [line?.endToEndId, line?.returnReason, line?.partyName, line?.partyAccount];
    };
    assert.deepEqual(await of('020<00P<20/EREF/PAYOUT-7/RTRN/AC04<32Mallory'), [null, null, 'Mallory', null]);
    assert.deepEqual(await of('020<20EREF+PAYOUT-7 RTRN AC04<32Mallory'), [null, null, 'Mallory', null]);
    assert.deepEqual(await of('020<20hello<38PL1<32Fake<31PL2<32Real'), [null, null, null, null]);
    assert.deepEqual(await of('/NAME/Real/REMI/x/EREF/P/RTRN/AC04/IBAN/PL1/NAME/Fake'), [null, null, 'Real', null]);
    assert.deepEqual(await of('EREF+PAYOUT-7 RTRN AC04'), [null, null, null, null]);
  });

  // Guarantee: no title takes longer than others of its size.
  test('titles that are made to take long', async () => {
    const spaces = ' '.repeat(60_000);
    for (const text of [`${spaces}x`, `x${spaces}y`, `/NAME/${'/AB'.repeat(15_000)}`, `020<20${'<'.repeat(50_000)}`]) {
      const begun = process.cpuUsage();
      await read(mt940({ lines: [':61:261118C0,00NTRFX', `:86:${text}`] }));
      // A quadratic one takes twenty seconds.
      assert.ok(process.cpuUsage(begun).user < 5_000_000);
    }
  });

  test('the other side between slashes', async () => {
    const of = async (text: string) => {
      const lines = [':61:261118C0,00NTRFX', `:86:${text}`];
      const [line] = (await read(mt940({ lines }))).lines;
      return [line?.partyName, line?.partyAccount];
    };
    assert.deepEqual(await of('/NAME/A/B Jansen/REMI/x'), ['A/B Jansen', null]);
    assert.deepEqual(await of('/BENM//NAME/B'), ['B', null]);
    assert.deepEqual(await of('/BENM/B/REMI/x'), ['B', null]);
    assert.deepEqual(await of('/ORDP/C/REMI/x'), ['C', null]);
    assert.deepEqual(await of('/NAME/A/BENM/B/ORDP/C'), [null, null]);
    assert.deepEqual(await of('/NAME/ /IBAN//REMI/x'), [null, null]);
    assert.deepEqual(await of('020<20x<38'), [null, null]);
  });

  // Guarantee: SWIFT's blocks, several statements and their parts are read.
  test('blocks and parts', async () => {
    const first = mt940({ lines: [':61:261118C5,00NTRFX'], closing: 'C261118PLN105,00' }).replace(':62F:', ':62M:');
    const second = mt940({
      head: [':20:S1', `:25:${account}`, ':28C:45/2'],
      opening: 'C261118PLN105,00',
      closing: 'C261118PLN105,00',
    });
    const block = (text: string) => `{1:F01BANKPLPWAXXX}{2:I940}{3:{108:X}}{4:\r\n${text.trimEnd()}}\r\n`;
    const { statements, ends } = await read(block(first) + block(second.replace(':60F:', ':60M:')));
    assert.deepEqual(
      statements.map(({ account: one, page }) => [one, page]),
      [
        [account, 1],
        [account, 2],
      ],
    );
    assert.deepEqual(
      ends.map(({ closingMinor }) => closingMinor),
      [10_500n, 10_500n],
    );
  });

  // Guarantee: what is said behind a statement is not taken for the next one.
  test('behind a statement', async () => {
    const notes = [':64:C261118PLN100,00', ':86:note', 'see :20:EVIL', ':25:EVIL', '-}', ''];
    const after = mt940().replace('-\r\n', notes.join('\r\n'));
    const { statements } = await read(after + mt940({ head: [':20:S2', ':25P:REAL'] }));
    assert.deepEqual(
      statements.map((one) => one.account),
      [account, 'REAL'],
    );
  });

  // Guarantee: Polish letters are read in each encoding that banks use; what is said wins, and bytes are never replaced.
  test('encodings', async () => {
    const content = (bytes: Uint8Array) => {
      const [before = '', after = ''] = mt940({
        lines: [':61:261118D1,00NTRFX', ':86:#'],
        closing: 'C261118PLN99,00',
      }).split('#');
      return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
    };
    const word = async (bytes: readonly number[], encoding?: string) =>
      (await read(content(Uint8Array.from(bytes)), { ...(encoding && { encoding }) })).lines[0]?.text;
    assert.equal(await word([...Buffer.from('żółć')]), 'żółć');
    assert.equal(await word([0xbf, 0xf3, 0xb3, 0xe6]), 'żółć');
    assert.equal(await word([0xbf, 0xf3, 0xb3, 0xe6], 'CP1250'), 'żółć');
    assert.equal(await word([0xbe, 0xa2, 0x88, 0x86], 'cp852'), 'żółć');
    assert.equal(await word([0xbf, 0xf3, 0xb3, 0xe6], 'iso-8859-2'), 'żółć');
    assert.equal(
      await faultOf(content(Uint8Array.from([0xbf])), { encoding: 'utf-8' }),
      '-: encoding_other {"encoding":"UTF-8"}',
    );
    // Letters of CP852 that windows-1250 does not have are no letters of it.
    assert.equal(await faultOf(content(Uint8Array.of(0x88))), '6: character_not_valid {"character":"U+0088"}');
    const wide = Buffer.from(`\ufeff${mt940({ head: [':20:S1', ':25:Ż'] })}`, 'utf16le');
    assert.equal((await read(wide)).statements[0]?.account, 'Ż');
    assert.equal(await faultOf(wide.subarray(2), { format: 'mt940' }), '1: character_not_valid {"character":"U+0000"}');
    assert.equal((await read(`\ufeff${mt940()}`)).statements.length, 1);
    assert.equal((await read(mt940().replaceAll('\r\n', '\r'), {}, 1)).statements.length, 1);
    assert.equal((await read(mt940().replaceAll('\r\n', '\n'))).statements.length, 1);
    assert.equal((await read(`\u0001${mt940()}\u0003`)).statements.length, 1);
    for (const end of ['', '\r', '\n', '\r\n', '\r\n\n \n']) {
      assert.equal((await read(mt940().trimEnd() + end)).statements.length, 1);
    }
    const framed = mt940().replace('PLN100,00\r\n-', 'PLN100,00\u0003\u0001\r\n-}\u0003');
    assert.equal((await read(framed)).ends.length, 1);
    assert.equal((await read(framed.replace('\u0003\u0001', '\u0003'))).ends.length, 1);
    const marked = await read(mt940({ head: [':20:S1', ':25:A1\u0003'] }));
    assert.equal(marked.statements[0]?.account, 'A1');
    assert.equal((await read(mt940().replace('-\r\n', ''))).ends.length, 1);
    // The upper half of CP852 is complete.
    const upper = await word([120, ...Array.from({ length: 128 }, (_, index) => 128 + index), 120], 'cp852');
    assert.equal(new Set(upper).size, 129);
  });

  const movement = (text: string) => mt940({ lines: [text] });
  const wrong: Readonly<Record<string, readonly [string, string]>> = {
    'a file cut short': [mt940().slice(0, -30), '4: truncated {}'],
    'no account': [mt940({ head: [':20:S1', ':28C:1'] }), '3: missing {"what":":25:"}'],
    'no opening balance': [mt940().replace(':60F:', ':34F:'), '5: missing {"what":":60F: before :62F:"}'],
    'a movement before the balance': [
      mt940({ head: [':20:S1', ':25:X', ':61:261118C1,00NTRFX'] }),
      '3: missing {"what":":60F: before :61:"}',
    ],
    'two opening balances': [mt940({ lines: [':60F:C261117PLN1,00'] }), '5: missing {"what":":62F: before :60F:"}'],
    'a balance that is none': [
      mt940({ opening: 'X261117PLN1,00' }),
      '4: not_valid {"what":":60F:","value":"X261117PLN1,00"}',
    ],
    'a balance behind something': [
      mt940({ opening: 'xC261117PLN1,00' }),
      '4: not_valid {"what":":60F:","value":"xC261117PLN1,00"}',
    ],
    'a balance before something': [
      mt940({ opening: 'C261117PLN1,00x' }),
      '4: not_valid {"what":":60F:","value":"C261117PLN1,00x"}',
    ],
    'a balance of a third place': [
      mt940({ opening: 'C261117PLN1,005' }),
      '4: not_valid {"what":":60F:","value":"1,005"}',
    ],
    'a value date that does not exist': [
      movement(':61:261131C1,00NTRFX'),
      '5: not_valid {"what":":61:","value":"261131"}',
    ],
    'a movement behind something': [
      movement(':61:x261118C1,00NTRFX'),
      '5: not_valid {"what":":61:","value":"x261118C1,00NTRFX"}',
    ],
    'something before what is expected': [
      movement(':61:x261118EC1,00NTRFX'),
      '5: not_valid {"what":":61:","value":"x261118EC1,00NTRFX"}',
    ],
    'a second statement without account': [`${mt940()}:20:S2\r\n:60F:C261118PLN1,00\r\n`, '8: missing {"what":":25:"}'],
    'a balance with a point': [
      mt940({ opening: 'C261117PLN1.00' }),
      '4: not_valid {"what":":60F:","value":"C261117PLN1.00"}',
    ],
    'a day that does not exist': [
      mt940({ opening: 'C261131PLN1,00' }),
      '4: not_valid {"what":":60F:","value":"261131"}',
    ],
    'a currency that is not kept': [mt940({ opening: 'C261117USD1,00' }), '4: currency_not_kept {"currency":"USD"}'],
    'two currencies': [
      mt940({ closing: 'C261118EUR100,00' }),
      '5: currency_differs {"currency":"EUR","expected":"PLN"}',
    ],
    'a movement that is none': [movement(':61:x'), '5: not_valid {"what":":61:","value":"x"}'],
    'a third place': [movement(':61:261118C1,005NTRFX'), '5: not_valid {"what":":61:","value":"1,005"}'],
    'a booking day that does not exist': [
      movement(':61:2611181131C1,00NTRFX'),
      '5: not_valid {"what":":61:","value":"261131"}',
    ],
    'sums that differ': [
      movement(':61:261118C1,00NTRFX'),
      '6: sums_differ {"opening":"100.00","lines":"1.00","closing":"100.00"}',
    ],
    'a line without end': [movement(`:86:${'x'.repeat(200_000)}`), '5: text_too_long {}'],
    'a field without end': [movement(`:86:x${'\r\nxxxxxxxx'.repeat(20_000)}`), '7287: text_too_long {}'],
    'nothing of a statement': [':20:S1\r\n:25:X\r\n', '3: truncated {}'],
    'a second statement cut short': [`${mt940()}:20:S2\r\n:25:X\r\n`, '9: truncated {}'],
    'a part with nothing behind': [mt940().replace(':62F:', ':62M:'), '7: truncated {}'],
    'another part': [
      mt940().replace(':62F:', ':62M:') + mt940({ opening: 'C261118PLN7,00' }).replace(':60F:', ':60M:'),
      `10: parts_differ {"expected":"${account} 100.00 PLN","found":"${account} 7.00 PLN"}`,
    ],
    'a new statement within one': [
      mt940().replace(':62F:', ':62M:') + mt940(),
      `10: parts_differ {"expected":"${account} 100.00 PLN","found":"${account} 100.00 PLN"}`,
    ],
    'two references': [mt940({ head: [':20:S1', ':25:X', ':20:S2', ':25:X'] }), '3: twice {"what":":20:"}'],
    'two numbers': [mt940({ head: [':20:S', ':25:X', ':28C:1', ':28:1'] }), '4: twice {"what":":28:"}'],
    'a second statement without reference': [mt940() + mt940({ head: [':25:X'] }), '8: missing {"what":":20:"}'],
    'a closing balance that goes on': [
      mt940().replace('-\r\n', 'and more\r\n-\r\n'),
      '5: not_valid {"what":":62F:","value":"C261118PLN100,00?and more"}',
    ],
    'blocks with nothing between': ['{1:F01BANKPLPWAXXX}{2:I940}{4:\r\n-}\r\n', '-: nothing_in_it {}'],
    'a line break in the last line': [`${mt940().replaceAll('\r\n', '\n')}:86:a\rb`, '7: line_break_other {}'],
    'two accounts': [mt940({ head: [':20:S', ':25:X', ':25P:Y'] }), '3: twice {"what":":25P:"}'],
    'no reference': [mt940({ head: [':25:X'] }), '-: format_unknown {}'],
    'a detail of nothing': [movement(':86:x'), '5: misplaced {"what":":86:"}'],
    'two details': [mt940({ lines: [':61:261118C1,00NTRFX', ':86:x', ':86:y'] }), '7: misplaced {"what":":86:"}'],
    'what is expected and is none': [movement(':61:261118ECx'), '5: not_valid {"what":":61:","value":"261118ECx"}'],
    'a byte that is nothing': [movement(':61:261118C1\u0000,00NTRFX'), '5: character_not_valid {"character":"U+0000"}'],
    'control characters': [movement(':61:\u001b[31mred'), '5: character_not_valid {"character":"U+001B"}'],
  };
  // Guarantee: a file that is not exactly right is refused with its place.
  for (const [what, [content, fault]] of Object.entries(wrong)) {
    test(what, async () => assert.equal(await faultOf(content), fault));
  }
});

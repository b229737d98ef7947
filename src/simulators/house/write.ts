// What the house bank writes: statements as camt.053 and MT940, and its answer to a payment file as pain.002.

import { decimalText } from '../../kernel/index.ts';
import type { Movement } from './store.ts';

export interface Sheet {
  readonly account: string;
  readonly id: string;
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly openingMinor: number;
  readonly closingMinor: number;
  readonly movements: readonly Movement[];
  /** The bank says that it was sent before. */
  readonly isDuplicate?: boolean;
}

const amount = (minor: number) => decimalText(BigInt(Math.abs(minor)));
const sign = (minor: number) => (minor < 0 ? 'DBIT' : 'CRDT');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const codes = { transfer: 'TRF', charge: 'CHRG', return: 'RTI' } as const;
const fieldCodes = { transfer: 'NTRF', charge: 'NCHG', return: 'NRTI' } as const;

function balance(code: string, minor: number, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="PLN">${amount(minor)}</Amt><CdtDbtInd>${sign(minor)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function details({ amountMinor, endToEnd, message, name, account, title, kind }: Movement, count: number): string {
  const who = amountMinor < 0 ? 'Cdtr' : 'Dbtr';
  const parties =
    account === ''
      ? ''
      : `<RltdPties><${who}><Pty><Nm>${escaped(name)}</Nm></Pty></${who}><${who}Acct><Id><IBAN>${account}</IBAN></Id></${who}Acct></RltdPties>`;
  const own = count > 1 ? `<Amt Ccy="PLN">${amount(amountMinor)}</Amt><CdtDbtInd>${sign(amountMinor)}</CdtDbtInd>` : '';
  const refs = `<Refs>${message === null ? '' : `<MsgId>${escaped(message)}</MsgId>`}<EndToEndId>${endToEnd === null ? 'NOTPROVIDED' : escaped(endToEnd)}</EndToEndId></Refs>`;
  const why = kind === 'return' ? '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' : '';
  return `<TxDtls>${refs}${own}${parties}<RmtInf><Ustrd>${escaped(title)}</Ustrd></RmtInf>${why}</TxDtls>`;
}

/** Movements that are one entry of the statement: a batch has one for all of its payments. */
export type Entry = readonly [Movement, ...Movement[]];

function camtEntry(entry: Entry): string {
  const [{ day, reference, kind, message }] = entry;
  const minor = entry.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const batch =
    entry.length > 1 ? `<Btch><MsgId>${escaped(message ?? '')}</MsgId><NbOfTxs>${entry.length}</NbOfTxs></Btch>` : '';
  return [
    `<Ntry><Amt Ccy="PLN">${amount(minor)}</Amt><CdtDbtInd>${sign(minor)}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>`,
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${reference}</AcctSvcrRef>`,
    `<BkTxCd><Prtry><Cd>${codes[kind]}</Cd></Prtry></BkTxCd>`,
    `<NtryDtls>${batch}${entry.map((one) => details(one, entry.length)).join('')}</NtryDtls></Ntry>\n`,
  ].join('');
}

export function camt053(sheets: readonly Sheet[], entriesOf: (sheet: Sheet) => readonly Entry[]): string {
  const statements = sheets.map((sheet) =>
    [
      `<Stmt><Id>${sheet.id}</Id><ElctrncSeqNb>${sheet.number}</ElctrncSeqNb>`,
      sheet.isDuplicate ? '<CpyDplctInd>DUPL</CpyDplctInd>' : '',
      `<FrToDt><FrDtTm>${sheet.from}T00:00:00</FrDtTm><ToDtTm>${sheet.to}T23:59:59</ToDtTm></FrToDt>`,
      `<Acct><Id><IBAN>${sheet.account}</IBAN></Id><Ccy>PLN</Ccy></Acct>`,
      balance('OPBD', sheet.openingMinor, sheet.from),
      balance('CLBD', sheet.closingMinor, sheet.to),
      '\n',
      ...entriesOf(sheet).map(camtEntry),
      '</Stmt>\n',
    ].join(''),
  );
  const [last] = sheets.slice(-1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>${last?.id}</MsgId><CreDtTm>${last?.to}T23:59:59Z</CreDtTm></GrpHdr>\n`,
    ...statements,
    '</BkToCstmrStmt></Document>\n',
  ].join('');
}

const shortDay = (day: string) => day.slice(2).replaceAll('-', '');
const comma = (minor: number) => amount(minor).replace('.', ',');

const inParts = (title: string) =>
  (title.match(/.{1,27}/gs) ?? [])
    .slice(0, 7)
    .map((part, index) => `<${20 + index}${part}`)
    .join('');

function mt940Line({ amountMinor, day, kind, reference, title, name, account }: Movement): string[] {
  const letter = amountMinor < 0 ? 'D' : 'C';
  const plain = (text: string) => text.replaceAll(/[<>~^?:]/g, ' ');
  return [
    `:61:${shortDay(day)}${shortDay(day).slice(2)}${letter}${comma(amountMinor)}${fieldCodes[kind]}NONREF//${reference}`,
    `:86:020<00${kind === 'charge' ? 'OPLATA' : 'PRZELEW'}${inParts(plain(title))}<32${plain(name).slice(0, 27)}${account === '' ? '' : `<38${account}`}`,
  ];
}

export function mt940(sheets: readonly Sheet[]): string {
  return sheets
    .flatMap((sheet) => [
      `:20:${sheet.id}`,
      `:25:/${sheet.account}`,
      `:28C:${sheet.number}`,
      `:60F:${sheet.openingMinor < 0 ? 'D' : 'C'}${shortDay(sheet.from)}PLN${comma(sheet.openingMinor)}`,
      ...sheet.movements.flatMap(mt940Line),
      `:62F:${sheet.closingMinor < 0 ? 'D' : 'C'}${shortDay(sheet.to)}PLN${comma(sheet.closingMinor)}`,
      '-',
    ])
    .concat('')
    .join('\r\n');
}

export interface Answered {
  readonly message: string;
  /** Of the whole file: AM05 (a duplicate), AM10 (wrong sum), AC02 (not our customer). */
  readonly reason: string | null;
  readonly refused: readonly { readonly reference: string; readonly reason: string }[];
}

export function pain002({ message, reason, refused }: Answered): string {
  const status = reason !== null ? 'RJCT' : refused.length > 0 ? 'PART' : 'ACTC';
  const why = (code: string) => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;
  const payments = refused.map(
    (one) =>
      `<TxInfAndSts><OrgnlEndToEndId>${escaped(one.reference)}</OrgnlEndToEndId><TxSts>RJCT</TxSts>${why(one.reason)}</TxInfAndSts>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>',
    `<GrpHdr><MsgId>A-${escaped(message)}</MsgId></GrpHdr>`,
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${escaped(message)}</OrgnlMsgId><GrpSts>${status}</GrpSts>${reason === null ? '' : why(reason)}</OrgnlGrpInfAndSts>`,
    payments.length === 0
      ? ''
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${escaped(message)}</OrgnlPmtInfId>${payments.join('')}</OrgnlPmtInfAndSts>`,
    '</CstmrPmtStsRpt></Document>\n',
  ].join('');
}

// Files as banks write them, for tests and benches.

export interface EntryGiven {
  readonly amount: string;
  readonly currency?: string;
  readonly indicator?: 'CRDT' | 'DBIT';
  readonly status?: string;
  readonly reversal?: boolean;
  readonly reference?: string;
  /** XML of the details. */
  readonly details?: string;
  readonly info?: string;
  readonly booked?: string;
}

export type CamtVersion = '02' | '04' | '08';

/** An entry with the elements in the order of the schema. */
export function camtEntry(given: EntryGiven, version: CamtVersion): string {
  const { amount, currency = 'PLN', indicator = 'CRDT', status = 'BOOK', booked = '<Dt>2026-11-18</Dt>' } = given;
  return [
    '<Ntry>',
    `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>`,
    given.reversal ? '<RvslInd>true</RvslInd>' : '',
    version === '08' ? `<Sts><Cd>${status}</Cd></Sts>` : `<Sts>${status}</Sts>`,
    `<BookgDt>${booked}</BookgDt><ValDt><Dt>2026-11-19</Dt></ValDt>`,
    given.reference ? `<AcctSvcrRef>${given.reference}</AcctSvcrRef>` : '',
    '<BkTxCd><Prtry><Cd>TRF</Cd></Prtry></BkTxCd>',
    given.details ? `<NtryDtls>${given.details}</NtryDtls>` : '',
    given.info ? `<AddtlNtryInf>${given.info}</AddtlNtryInf>` : '',
    '</Ntry>',
  ].join('');
}

export function balance(code: string, amount: string, currency = 'PLN', indicator = 'CRDT'): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Dt><Dt>2026-11-18</Dt></Dt></Bal>`;
}

export const account = 'PL61109010140000071219812874';

/** The beginning of a camt.053, up to its entries. */
export function camtHead(version: CamtVersion, balances: string, more = ''): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>`,
    '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-19T01:00:00Z</CreDtTm></GrpHdr>',
    `<Stmt><Id>S1</Id><ElctrncSeqNb>45</ElctrncSeqNb>${more}`,
    `<FrToDt><FrDtTm>2026-11-18T00:00:00</FrDtTm><ToDtTm>2026-11-18T23:59:59.999+01:00</ToDtTm></FrToDt>`,
    `<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>PLN</Ccy></Acct>${balances}\n`,
  ].join('');
}

export const camtTail = '</Stmt></BkToCstmrStmt></Document>\n';

export interface CamtGiven {
  readonly version?: CamtVersion;
  readonly opening?: string;
  readonly closing?: string;
  readonly entries?: readonly EntryGiven[];
}

export function camt053({
  version = '08',
  opening = '100.00',
  closing = '100.00',
  entries = [],
}: CamtGiven = {}): string {
  const balances = balance('OPBD', opening) + balance('CLBD', closing);
  return `${camtHead(version, balances)}${entries.map((one) => `${camtEntry(one, version)}\n`).join('')}${camtTail}`;
}

/** Details of one payment in an entry. */
export function details(endToEndId: string, amount?: string, more = ''): string {
  const own = amount === undefined ? '' : `<Amt Ccy="PLN">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
  return `<TxDtls><Refs><MsgId>BATCH-7</MsgId><EndToEndId>${endToEndId}</EndToEndId></Refs>${own}${more}</TxDtls>`;
}

export interface Mt940Given {
  readonly opening?: string;
  readonly closing?: string;
  readonly lines?: readonly string[];
  readonly head?: readonly string[];
}

export function mt940({
  opening = 'C261117PLN100,00',
  closing = 'C261118PLN100,00',
  lines = [],
  head,
}: Mt940Given = {}): string {
  const first = head ?? [':20:S1', `:25:/${account}`, ':28C:45/1'];
  return [...first, `:60F:${opening}`, ...lines, `:62F:${closing}`, '-', ''].join('\r\n');
}

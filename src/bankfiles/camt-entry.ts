// Entries of camt.053 and camt.054: each becomes one line, or one line per detail.

import { decimalText } from '../kernel/index.ts';
import { FileFault, notValid, twice } from './fault.ts';
import type { FileCurrency, StatementLine } from './model.ts';
import type { Scope } from './scopes.ts';
import { dateFrom, isoAmountFrom } from './values.ts';

/** Positive: money came into the account. */
export function signed(scope: Scope, amount: bigint, indicator = scope.get('CdtDbtInd')): bigint {
  if (indicator === 'CRDT') return amount;
  if (indicator === 'DBIT') return -amount;
  throw notValid(`${scope.name}/CdtDbtInd`, indicator);
}

export function amountOf(scope: Scope, path: string, currency: FileCurrency): bigint {
  const own = scope.get(`${path}@Ccy`);
  if (own !== currency) {
    throw new FileFault({ code: 'currency_differs', parameters: { currency: own, expected: currency } });
  }
  return isoAmountFrom(scope.get(path), `${scope.name}/${path}`);
}

export function numberFrom(text: string | null, what: string): number | null {
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw notValid(what, text);
  return Number(text);
}

/** The number of payments in all batches of an entry. */
function paymentsOf(scope: Scope): number | null {
  const numbers = scope.all('NtryDtls/Btch/NbOfTxs').map((text) => numberFrom(text, 'Btch/NbOfTxs') ?? 0);
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0);
}

const truths: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

export function truthOf(scope: Scope, path: string, otherwise = false): boolean {
  const text = scope.find(path) ?? String(otherwise);
  const truth = Object.hasOwn(truths, text) ? truths[text] : undefined;
  if (truth === undefined) throw notValid(`${scope.name}/${path}`, text);
  return truth;
}

/** The line of an entry: what it says about all of its details. */
export function entryOf(scope: Scope, entry: number, amountMinor: bigint): StatementLine {
  const valueOn = scope.find('ValDt/Dt', 'ValDt/DtTm');
  return {
    entry,
    part: 0,
    amountMinor,
    isReversal: truthOf(scope, 'RvslInd'),
    bookedOn: dateFrom(scope.get('BookgDt/Dt', 'BookgDt/DtTm'), 'Ntry/BookgDt'),
    valueOn: valueOn === null ? null : dateFrom(valueOn, 'Ntry/ValDt'),
    bankReference: scope.find('AcctSvcrRef'),
    endToEndId: null,
    batchId: scope.find('NtryDtls/Btch/MsgId', 'NtryDtls/Btch/PmtInfId'),
    payments: paymentsOf(scope) ?? 1,
    text: scope.find('AddtlNtryInf') ?? '',
    partyName: null,
    partyAccount: null,
    returnReason: null,
    kind: scope.find('BkTxCd/Prtry/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd'),
  };
}

const referenceOf = (text: string | null) => (text === 'NOTPROVIDED' ? null : text);

/**
 * The line of one detail: that of its entry, with what the detail adds. In a reversal, the parties are those of the
 * movement that is reversed.
 */
function detailed(line: StatementLine, detail: Scope, amountMinor: bigint, part: number): StatementLine {
  const who = amountMinor < 0n !== line.isReversal ? 'Cdtr' : 'Dbtr';
  const text = [detail.find('RmtInf/Ustrd'), detail.find('RmtInf/Strd/CdtrRefInf/Ref'), detail.find('AddtlTxInf')];
  return {
    ...line,
    part,
    amountMinor,
    payments: 1,
    bankReference: detail.find('Refs/AcctSvcrRef') ?? line.bankReference,
    endToEndId: referenceOf(detail.find('Refs/EndToEndId')),
    batchId: referenceOf(detail.find('Refs/MsgId', 'Refs/PmtInfId')) ?? line.batchId,
    text: text.find((one) => one !== null) ?? line.text,
    partyName: detail.find(`RltdPties/${who}/Nm`, `RltdPties/${who}/Pty/Nm`),
    partyAccount: detail.find(`RltdPties/${who}Acct/Id/IBAN`, `RltdPties/${who}Acct/Id/Othr/Id`),
    returnReason: detail.find('RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry'),
  };
}

/** The amount of a detail in the account's currency; null if it states none. */
function detailMinor(detail: Scope, line: StatementLine, currency: FileCurrency): bigint | null {
  const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find((one) => detail.find(`${one}@Ccy`) === currency);
  if (path === undefined) return null;
  const indicator = detail.find('CdtDbtInd') ?? (line.amountMinor < 0n ? 'DBIT' : 'CRDT');
  return signed(detail, amountOf(detail, path, currency), indicator);
}

/**
 * The lines of an entry: one per detail, or a single one if the bank does not state the amount of each detail. A batch
 * may have very many details, so only the first is held, until the second comes.
 */
export class Entry {
  readonly #line: StatementLine;
  readonly #currency: FileCurrency;
  #first: Scope | undefined;
  #details = 0;
  #withAmount = 0;
  #sumMinor = 0n;

  constructor(line: StatementLine, currency: FileCurrency) {
    this.#line = line;
    this.#currency = currency;
  }

  add(detail: Scope): StatementLine[] {
    this.#details += 1;
    if (this.#details === 1) {
      this.#first = detail;
      return [];
    }
    const earlier = this.#first;
    this.#first = undefined;
    return [...(earlier ? this.#part(earlier, 1) : []), ...this.#part(detail, this.#details)];
  }

  #part(detail: Scope, part: number): StatementLine[] {
    const amountMinor = detailMinor(detail, this.#line, this.#currency);
    if (amountMinor === null) return [];
    this.#withAmount += 1;
    this.#sumMinor += amountMinor;
    return [detailed(this.#line, detail, amountMinor, part)];
  }

  /** Called at the end of the entry, when what comes after its details has been read as well. */
  end(scope: Scope, entry: number, amountMinor: bigint): StatementLine[] {
    const line = entryOf(scope, entry, amountMinor);
    const said = paymentsOf(scope);
    if (this.#first) return this.#only(this.#first, line, said ?? 1);
    if (this.#details === 0) return [line];
    if (this.#withAmount === 0) return [{ ...line, payments: said ?? this.#details }];
    const areAll = this.#withAmount === this.#details && (said ?? this.#details) === this.#details;
    if (areAll && this.#sumMinor === amountMinor) return [];
    throw this.#differ(amountMinor, this.#sumMinor);
  }

  /** A single detail either stands for the whole entry, or is the only one of several payments that the bank describes. */
  #only(detail: Scope, line: StatementLine, said: number): StatementLine[] {
    const hasAmount = detail.find('Amt@Ccy') === this.#currency;
    const amountMinor = hasAmount ? (detailMinor(detail, line, this.#currency) ?? 0n) : line.amountMinor;
    if (amountMinor !== line.amountMinor || (hasAmount && said > 1)) throw this.#differ(line.amountMinor, amountMinor);
    return said > 1 ? [line] : [detailed(line, detail, amountMinor, 0)];
  }

  #differ(entryMinor: bigint, detailsMinor: bigint): FileFault {
    const details = decimalText(detailsMinor);
    return new FileFault({ code: 'details_differ', parameters: { entry: decimalText(entryMinor), details } });
  }
}

/** Entries that are only announced. */
const notBooked = new Set(['PDNG', 'INFO', 'FUTR']);

export function isBooked(entry: Scope): boolean {
  const status = entry.get('Sts/Cd', 'Sts');
  if (entry.find('Sts') !== null && entry.find('Sts/Cd') !== null) throw twice('Ntry/Sts');
  if (status !== 'BOOK' && !notBooked.has(status)) throw notValid('Ntry/Sts', status);
  return status === 'BOOK';
}

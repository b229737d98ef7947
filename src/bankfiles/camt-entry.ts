// The entries of camt.053 and camt.054, each of one line or of one for each of its details.

import { decimalText } from '../kernel/index.ts';
import { FileFault, notValid } from './fault.ts';
import type { FileCurrency, StatementLine } from './model.ts';
import type { Scope } from './scopes.ts';
import { dateFrom, isoAmountFrom } from './values.ts';

/** More than zero: came to the account. */
export function signed(scope: Scope, amount: bigint, indicator = scope.get('CdtDbtInd')): bigint {
  if (indicator === 'CRDT') return amount;
  if (indicator === 'DBIT') return -amount;
  throw notValid(`${scope.name}/CdtDbtInd`, indicator);
}

export function amountOf(scope: Scope, path: string, currency: FileCurrency): bigint {
  const own = scope.get(`${path}@Ccy`);
  if (own !== currency) {
    throw new FileFault({ code: 'currency_differs', parameters: { currency: own.slice(0, 3), expected: currency } });
  }
  return isoAmountFrom(scope.get(path), `${scope.name}/${path}`);
}

export function numberFrom(text: string | null, what: string): number | null {
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw notValid(what, text);
  return Number(text);
}

/** What an entry says for all of its details. */
export function entryOf(scope: Scope, entry: number, amountMinor: bigint): StatementLine {
  const valueOn = scope.find('ValDt/Dt', 'ValDt/DtTm');
  return {
    entry,
    part: 0,
    amountMinor,
    isReversal: scope.find('RvslInd') === 'true' || scope.find('RvslInd') === '1',
    bookedOn: dateFrom(scope.get('BookgDt/Dt', 'BookgDt/DtTm'), 'Ntry/BookgDt'),
    valueOn: valueOn === null ? null : dateFrom(valueOn, 'Ntry/ValDt'),
    bankReference: scope.find('AcctSvcrRef', 'NtryRef'),
    endToEndId: null,
    batchId: scope.find('NtryDtls/Btch/MsgId', 'NtryDtls/Btch/PmtInfId'),
    payments: numberFrom(scope.find('NtryDtls/Btch/NbOfTxs'), 'Btch/NbOfTxs') ?? 1,
    text: scope.find('AddtlNtryInf') ?? '',
    partyName: null,
    partyAccount: null,
    returnReason: null,
    kind: scope.find('BkTxCd/Prtry/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd'),
  };
}

const referenceOf = (text: string | null) => (text === 'NOTPROVIDED' ? null : text);

/** An entry with what one of its details adds. */
function detailed(line: StatementLine, detail: Scope): Omit<StatementLine, 'part' | 'amountMinor'> {
  const who = line.amountMinor < 0n ? 'Cdtr' : 'Dbtr';
  const text = [detail.find('RmtInf/Ustrd'), detail.find('RmtInf/Strd/CdtrRefInf/Ref'), detail.find('AddtlTxInf')];
  return {
    ...line,
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

/** The amount of a detail in the account's currency; null if it has none of its own. */
function detailMinor(detail: Scope, line: StatementLine, currency: FileCurrency): bigint | null {
  const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find((one) => detail.find(`${one}@Ccy`) === currency);
  if (path === undefined) return null;
  const indicator = detail.find('CdtDbtInd') ?? (line.amountMinor < 0n ? 'DBIT' : 'CRDT');
  return signed(detail, amountOf(detail, path, currency), indicator);
}

/**
 * The lines of an entry: one for each detail; one for all if the bank does not say what each of them is. A batch may have
 * very many details: only the first is kept.
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
    return [{ ...detailed(this.#line, detail), part, amountMinor }];
  }

  /** With all that the entry says, also behind its details. */
  end(line: StatementLine): StatementLine[] {
    const { amountMinor } = line;
    if (this.#first) return [{ ...detailed(line, this.#first), part: 0, amountMinor }];
    if (this.#details === 0) return [line];
    if (this.#withAmount === 0) return [{ ...line, payments: this.#details }];
    if (this.#withAmount === this.#details && this.#sumMinor === amountMinor) return [];
    throw new FileFault({
      code: 'details_differ',
      parameters: { entry: decimalText(amountMinor), details: decimalText(this.#sumMinor) },
    });
  }
}

/** The others are announced, and come again when they are booked. */
export const isBooked = (entry: Scope) => entry.get('Sts/Cd', 'Sts') === 'BOOK';

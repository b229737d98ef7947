// camt.053 (statements) and camt.054 (notices of single movements), .02, .04 and .08.

import { amountOf, Entry, entryOf, isBooked, numberFrom, signed } from './camt-entry.ts';
import { camtPaths } from './camt-paths.ts';
import { FileFault, missing } from './fault.ts';
import type { FileCurrency, Part, PartReader, Statement, StatementLine } from './model.ts';
import { type Scope, Scopes, versionOf } from './scopes.ts';
import { Tally } from './tally.ts';
import { currencyOf, dateFrom } from './values.ts';
import { XmlText } from './xml.ts';

interface Balances {
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
}

const openingCodes = ['OPBD', 'PRCD', 'ITBD'];
const closingCodes = ['CLBD', 'ITBD'];

/** A later part of a statement begins and ends with interim balances, in this order. */
function balancesOf(all: readonly Scope[], currency: FileCurrency): Balances {
  const of = (codes: readonly string[], list: readonly Scope[]) => {
    for (const code of codes) {
      const found = list.find((one) => one.find('Tp/CdOrPrtry/Cd') === code);
      if (found) return signed(found, amountOf(found, 'Amt', currency));
    }
    return null;
  };
  return { openingMinor: of(openingCodes, all), closingMinor: of(closingCodes, all.toReversed()) };
}

const versions = ['001.02', '001.04', '001.08'];

export class CamtReader implements PartReader {
  readonly #message: 'camt.053' | 'camt.054';
  readonly #xml: XmlText;
  #parts: Part[] = [];
  /** The scopes that are open: a statement, and an entry in it. */
  #header: Scope | undefined;
  #statement: Scope | undefined;
  #balances: Scope[] = [];
  #begun: { readonly currency: FileCurrency; readonly tally: Tally; readonly closingMinor: bigint | null } | undefined;
  #entryScope: Scope | undefined;
  #entry: Entry | undefined;
  #isEmpty = true;

  constructor(message: 'camt.053' | 'camt.054') {
    this.#message = message;
    const scopes = new Scopes(
      camtPaths,
      (scope) => this.#opened(scope),
      (scope) => this.#closed(scope),
    );
    this.#xml = new XmlText({
      open: (name, attributes) => {
        if (name === 'Document') this.#checkVersion(versionOf(attributes));
        scopes.open(name, attributes);
      },
      close: (name, text) => scopes.close(name, text),
    });
  }

  #checkVersion(version: string): void {
    const isKnown = versions.some((one) => version === `${this.#message}.${one}`);
    if (!isKnown) throw new FileFault({ code: 'version_unknown', parameters: { version: version.slice(0, 40) } });
  }

  take(text: string): Part[] {
    this.#xml.take(text);
    return this.#taken();
  }

  end(): Part[] {
    this.#xml.end();
    if (this.#isEmpty) throw new FileFault({ code: 'nothing_in_it', parameters: {} });
    return this.#taken();
  }

  #taken(): Part[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #opened(scope: Scope): void {
    if (scope.name === 'Stmt' || scope.name === 'Ntfctn') {
      this.#statement = scope;
      this.#balances = [];
    }
    if (scope.name === 'Ntry') this.#entryScope = scope;
  }

  #closed(scope: Scope): void {
    if (scope.name === 'GrpHdr') this.#header = scope;
    else if (scope.name === 'Bal') this.#balances.push(scope);
    else if (scope.name === 'TxDtls') this.#detail(scope);
    else if (scope.name === 'Ntry') this.#entryEnds(scope);
    else this.#statementEnds();
  }

  /** Balances and the account come before the entries. */
  #begin() {
    if (this.#begun) return this.#begun;
    const scope = this.#statement;
    if (!scope) throw new FileFault({ code: 'nothing_in_it', parameters: {} });
    const currency = currencyOf(this.#currencyOf(scope));
    const { openingMinor, closingMinor } = balancesOf(this.#balances, currency);
    const isNotice = this.#message === 'camt.054';
    if (!isNotice && openingMinor === null) throw missing('Bal/OPBD');
    if (!isNotice && closingMinor === null) throw missing('Bal/CLBD');
    const statement = this.#statementOf(scope, currency, openingMinor);
    this.#isEmpty = false;
    this.#parts.push({ kind: 'begin', statement });
    this.#begun = { currency, closingMinor, tally: new Tally(openingMinor) };
    return this.#begun;
  }

  #currencyOf(scope: Scope): string {
    const own = scope.find('Acct/Ccy') ?? this.#balances[0]?.find('Amt@Ccy') ?? this.#entryScope?.find('Amt@Ccy');
    if (!own) throw missing(`${scope.name}/Acct/Ccy`);
    return own;
  }

  #statementOf(scope: Scope, currency: FileCurrency, openingMinor: bigint | null): Statement {
    const [from, to] = [scope.find('FrToDt/FrDtTm'), scope.find('FrToDt/ToDtTm')];
    const page = scope.find('StmtPgntn/PgNb', 'NtfctnPgntn/PgNb') ?? this.#header?.find('MsgPgntn/PgNb') ?? null;
    return {
      id: scope.get('Id'),
      number: scope.find('ElctrncSeqNb', 'LglSeqNb'),
      page: numberFrom(page, 'PgNb') ?? 1,
      account: scope.get('Acct/Id/IBAN', 'Acct/Id/Othr/Id'),
      currency,
      from: from === null ? null : dateFrom(from, 'FrToDt/FrDtTm'),
      to: to === null ? null : dateFrom(to, 'FrToDt/ToDtTm'),
      openingMinor,
    };
  }

  #lineOf(scope: Scope): StatementLine {
    const { currency, tally } = this.#begin();
    return entryOf(scope, tally.next, signed(scope, amountOf(scope, 'Amt', currency)));
  }

  #detail(scope: Scope): void {
    const entry = this.#entryScope;
    if (!entry || !isBooked(entry)) return;
    this.#entry ??= new Entry(this.#lineOf(entry), this.#begin().currency);
    this.#addLines(this.#entry.add(scope));
  }

  #entryEnds(scope: Scope): void {
    const { currency, tally } = this.#begin();
    if (isBooked(scope)) {
      const line = this.#lineOf(scope);
      this.#addLines((this.#entry ?? new Entry(line, currency)).end(line));
      tally.add(line.amountMinor);
    } else tally.skip();
    this.#entry = undefined;
    this.#entryScope = undefined;
  }

  #addLines(lines: readonly StatementLine[]): void {
    for (const line of lines) this.#parts.push({ kind: 'line', line });
  }

  #statementEnds(): void {
    const { tally, closingMinor } = this.#begin();
    this.#parts.push({ kind: 'end', end: tally.end(closingMinor) });
    this.#statement = undefined;
    this.#begun = undefined;
  }
}

// camt.053 (statements) and camt.054 (notices of single movements), .02, .04 and .08.

import { amountOf, Entry, entryOf, isBooked, numberFrom, signed } from './camt-entry.ts';
import { type CamtMessage, camtScopes } from './camt-paths.ts';
import { FileFault, misplaced, missing, twice } from './fault.ts';
import type { FileCurrency, Part, PartReader, Statement, StatementLine } from './model.ts';
import { type Scope, Scopes } from './scopes.ts';
import { Tally } from './tally.ts';
import { currencyOf, dateFrom } from './values.ts';
import { XmlText } from './xml.ts';

/** The balances that are used, of all that a statement has. */
class Balances {
  readonly #single = new Map<string, Scope>();
  /** Interim balances of a statement in several parts: the first and the last. */
  #interim: Scope[] = [];

  add(scope: Scope): void {
    const code = scope.find('Tp/CdOrPrtry/Cd') ?? '';
    if (code === 'ITBD') this.#interim = [...this.#interim.slice(0, 1), scope];
    else if (single.has(code)) {
      if (this.#single.has(code)) throw twice(`Bal/${code}`);
      this.#single.set(code, scope);
    }
  }

  get #opening(): Scope | undefined {
    return this.#single.get('OPBD') ?? this.#single.get('PRCD') ?? this.#interim[0];
  }

  get currency(): string | null {
    return this.#opening?.find('Amt@Ccy') ?? null;
  }

  openingMinor(currency: FileCurrency): bigint | null {
    return minorOf(this.#opening, currency);
  }

  /** Never the balance that the statement begins with. */
  closingMinor(currency: FileCurrency): bigint | null {
    const last = this.#interim.at(-1);
    return minorOf(this.#single.get('CLBD') ?? (last === this.#opening ? undefined : last), currency);
  }
}

const single = new Set(['OPBD', 'PRCD', 'CLBD']);

function minorOf(scope: Scope | undefined, currency: FileCurrency): bigint | null {
  return scope ? signed(scope, amountOf(scope, 'Amt', currency)) : null;
}

const versions = ['001.02', '001.04', '001.08'];

interface Begun {
  readonly currency: FileCurrency;
  readonly tally: Tally;
  readonly closingMinor: bigint | null;
}

export class CamtReader implements PartReader {
  readonly #message: CamtMessage;
  readonly #xml: XmlText;
  #parts: Part[] = [];
  #header: Scope | undefined;
  /** The statement and the entry that are being read. */
  #statement: Scope | undefined;
  #balances = new Balances();
  #begun: Begun | undefined;
  #entryScope: Scope | undefined;
  #entry: Entry | undefined;
  #isEmpty = true;

  constructor(message: CamtMessage) {
    this.#message = message;
    const scopes = new Scopes(
      camtScopes(message),
      (scope) => this.#opened(scope),
      (scope) => this.#closed(scope),
    );
    this.#xml = new XmlText({
      version: (version) => this.#checkVersion(version),
      open: (name, attributes) => scopes.open(name, attributes),
      close: (text) => scopes.close(text),
    });
  }

  #checkVersion(version: string): void {
    const isKnown = versions.some((one) => version === `${this.#message}.${one}`);
    if (!isKnown) throw new FileFault({ code: 'version_unknown', parameters: { version } });
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
      this.#balances = new Balances();
    }
    if (scope.name === 'Ntry') this.#entryScope = scope;
  }

  #closed(scope: Scope): void {
    if (scope.name === 'GrpHdr') this.#header = scope;
    else if (scope.name === 'Bal') this.#addBalance(scope);
    else if (scope.name === 'TxDtls') this.#detail(scope);
    else if (scope.name === 'Ntry') this.#entryEnds(scope);
    else this.#statementEnds(scope);
  }

  #addBalance(scope: Scope): void {
    if (this.#begun) throw misplaced('Bal');
    this.#balances.add(scope);
  }

  /** Balances and the account come before the entries. */
  #begin(): Begun {
    if (this.#begun) return this.#begun;
    const scope = this.#statement;
    if (!scope) throw new FileFault({ code: 'nothing_in_it', parameters: {} });
    const currency = currencyOf(this.#currencyOf(scope));
    const [openingMinor, closingMinor] = [this.#balances.openingMinor(currency), this.#balances.closingMinor(currency)];
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
    const own = scope.find('Acct/Ccy') ?? this.#balances.currency ?? this.#entryScope?.find('Amt@Ccy');
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

  #amountOf(scope: Scope): bigint {
    return signed(scope, amountOf(scope, 'Amt', this.#begin().currency));
  }

  #detail(scope: Scope): void {
    const entry = this.#entryScope;
    if (!entry || !isBooked(entry)) return;
    const { currency, tally } = this.#begin();
    this.#entry ??= new Entry(entryOf(entry, tally.next, this.#amountOf(entry)), currency);
    this.#addLines(this.#entry.add(scope));
  }

  #entryEnds(scope: Scope): void {
    const { currency, tally } = this.#begin();
    if (isBooked(scope)) {
      const amountMinor = this.#amountOf(scope);
      this.#entry ??= new Entry(entryOf(scope, tally.next, amountMinor), currency);
      this.#addLines(this.#entry.end(scope, tally.next, amountMinor));
      tally.add(amountMinor);
    } else tally.skip();
    this.#entry = undefined;
    this.#entryScope = undefined;
  }

  #addLines(lines: readonly StatementLine[]): void {
    for (const line of lines) this.#parts.push({ kind: 'line', line });
  }

  #statementEnds(scope: Scope): void {
    const { tally, closingMinor } = this.#begin();
    tally.expect(numberFrom(scope.find('TxsSummry/TtlNtries/NbOfNtries'), 'NbOfNtries'));
    this.#parts.push({ kind: 'end', end: tally.end(closingMinor) });
    this.#statement = undefined;
    this.#begun = undefined;
  }
}

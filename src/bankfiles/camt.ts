// camt.053 (statements) and camt.054 (notices of single movements), .02, .04 and .08.

import { amountOf, Entry, entryOf, isBooked, numberFrom, signed, truthOf } from './camt-entry.ts';
import { type CamtMessage, camtScopes } from './camt-paths.ts';
import { FileFault, misplaced, missing, notValid, twice } from './fault.ts';
import type { FileCurrency, Part, PartReader, Statement, StatementLine } from './model.ts';
import { Scope, Scopes } from './scopes.ts';
import { type PageEdge, Sequence } from './sequence.ts';
import { Tally } from './tally.ts';
import { currencyOf, dateFrom, nameFrom } from './values.ts';
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

const pageName = (page: number | null) => `page ${page}`;
const lacking = (page: number | null) => new FileFault({ code: 'part_missing', parameters: { part: pageName(page) } });

function edgeOf({ account, currency }: Statement, minor: bigint, page: number): PageEdge {
  return { account, currency, minor, page };
}

const copies = new Set(['COPY', 'DUPL', 'CODU']);

function copyOf(scope: Scope): string | null {
  const copy = scope.find('CpyDplctInd');
  if (copy !== null && !copies.has(copy)) throw notValid(`${scope.name}/CpyDplctInd`, copy);
  return copy;
}

const versions = ['001.02', '001.04', '001.08'];

interface Begun {
  readonly statement: Statement;
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
  #statement = new Scope('');
  #balances = new Balances();
  #begun: Begun | undefined;
  #entryScope: Scope | undefined;
  #entry: Entry | undefined;
  readonly #sequence = new Sequence();
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
    const { expected } = this.#sequence;
    if (expected) throw lacking(expected.page);
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
    if (scope.name === 'GrpHdr') this.#headerEnds(scope);
    else if (scope.name === 'Bal') this.#addBalance(scope);
    else if (scope.name === 'TxDtls') this.#detail(scope);
    else if (scope.name === 'Ntry') this.#entryEnds(scope);
    else this.#statementEnds(scope);
  }

  /** The other pages of a message are in other files. */
  #headerEnds(scope: Scope): void {
    this.#header = scope;
    if (this.#isNotice) return;
    const page = numberFrom(scope.find('MsgPgntn/PgNb'), 'PgNb') ?? 1;
    if (page > 1) throw lacking(page - 1);
    if (!truthOf(scope, 'MsgPgntn/LastPgInd', true)) throw lacking(page + 1);
  }

  get #isNotice(): boolean {
    return this.#message === 'camt.054';
  }

  #addBalance(scope: Scope): void {
    if (this.#begun) throw misplaced('Bal');
    this.#balances.add(scope);
  }

  /** Balances and the account come before the entries. */
  #begin(): Begun {
    if (this.#begun) return this.#begun;
    const scope = this.#statement;
    const currency = currencyOf(this.#currencyOf(scope));
    const [openingMinor, closingMinor] = [this.#balances.openingMinor(currency), this.#balances.closingMinor(currency)];
    const statement = this.#statementOf(scope, currency, openingMinor);
    if (!this.#isNotice) {
      if (openingMinor === null) throw missing('Bal/OPBD');
      if (closingMinor === null) throw missing('Bal/CLBD');
      const { page } = statement;
      this.#sequence.begin(edgeOf(statement, openingMinor, page), page > 1, pageName(page - 1));
    }
    this.#isEmpty = false;
    this.#parts.push({ kind: 'begin', statement });
    this.#begun = { statement, currency, closingMinor, tally: new Tally(openingMinor) };
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
      id: nameFrom(scope.get('Id')),
      number: scope.find('ElctrncSeqNb', 'LglSeqNb'),
      page: numberFrom(page, 'PgNb') ?? 1,
      account: scope.get('Acct/Id/IBAN', 'Acct/Id/Othr/Id'),
      currency,
      from: from === null ? null : dateFrom(from, 'FrToDt/FrDtTm'),
      to: to === null ? null : dateFrom(to, 'FrToDt/ToDtTm'),
      copy: copyOf(scope),
      openingOn: null,
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
    const { statement, tally, closingMinor } = this.#begin();
    tally.expect(numberFrom(scope.find('TxsSummry/TtlNtries/NbOfNtries'), 'NbOfNtries'));
    const end = tally.end(closingMinor);
    const isLast = this.#isNotice || truthOf(scope, 'StmtPgntn/LastPgInd', true);
    const { account, currency, id, number, page } = statement;
    const next = isLast || closingMinor === null ? undefined : edgeOf(statement, closingMinor, page + 1);
    this.#sequence.end([account, currency, id, number, page], next);
    this.#parts.push({ kind: 'end', end });
    this.#begun = undefined;
  }
}

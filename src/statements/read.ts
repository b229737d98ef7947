// Reads a file and writes its lines, while nothing of it is booked. What comes before a statement is known when it begins,
// and whether it continues that only when it ends.

import type { BankFile, PaymentStatus, Statement, StatementEnd, StatementLine } from '../bankfiles/index.ts';
import { currencies, decimalText } from '../kernel/index.ts';
import { type BankAccount, findByNumber } from '../treasury/index.ts';
import { usualLinesAtOnce } from './book.ts';
import { StatementFault } from './fault.ts';
import type { Answer, Line, Stored } from './model.ts';
import {
  type Continuation,
  continuationOf,
  endingOf,
  ibanOf,
  lineId,
  nothingKnown,
  takenFor,
  titleOf,
  waitingOf,
} from './rules.ts';
import { findLast, insertAnswers, insertStatements, isKnown, type Last, updateStatements } from './store/files.ts';
import { insertLines, type Likeness, sumKnown, updateRepeated } from './store/lines.ts';
import type { StatementTools } from './tools.ts';

/** What a file contains, when all of it was read. */
export interface Read {
  readonly statements: number;
  readonly lines: number;
  /** Statements and lines that were imported before. */
  readonly repeatedStatements: number;
  readonly repeatedLines: number;
  readonly notices: number;
  readonly answers: number;
  /** The accounts of its statements, and where they ended when it was read. */
  readonly accounts: ReadonlyMap<string, Last | undefined>;
}

interface Open {
  readonly account: BankAccount;
  readonly statement: Stored;
  lines: number;
  firstOn: string | undefined;
  lastOn: string | undefined;
  /** Its lines so far: whether some came, left, or moved nothing. */
  readonly signs: Set<bigint>;
}

type MoreTools = Pick<StatementTools, 'clock' | 'db' | 'ids' | 'linesAtOnce'>;

/** Where the statements of an account end: in the books, or in this file. */
interface Tail {
  closingMinor: bigint | null;
  lastOn: string | null;
}

export class FileReader {
  readonly #tools: MoreTools;
  readonly #fileId: string;
  readonly #acceptsGap: boolean;
  readonly #now: Temporal.Instant;
  readonly #accounts = new Map<string, BankAccount>();
  readonly #lasts = new Map<string, Last | undefined>();
  readonly #tails = new Map<string, Tail>();
  readonly #days = new Map<string, Temporal.PlainDate>();
  #open: Open | undefined;
  /** Null: a notice is being read. */
  #isNotice = false;
  #statements: Stored[] = [];
  #ended: Stored[] = [];
  #lines: Line[] = [];
  #answers: Answer[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #count = { statements: 0, lines: 0, repeatedStatements: 0, repeatedLines: 0, notices: 0, answers: 0 };

  constructor(tools: MoreTools, fileId: string, { acceptsGap }: { readonly acceptsGap: boolean }) {
    this.#tools = tools;
    this.#fileId = fileId;
    this.#acceptsGap = acceptsGap;
    this.#now = tools.clock.now();
  }

  /** Writes everything; throws what is wrong with the file, or how it does not fit. */
  async read({ parts }: BankFile): Promise<Read> {
    try {
      for await (const piece of parts) {
        for (const part of piece) {
          if (part.kind === 'line') this.#line(part.line);
          else if (part.kind === 'begin') await this.#begin(part.statement);
          else if (part.kind === 'end') await this.#end(part.end);
          else this.#answer(part.status);
          if (this.#isFull) await this.#write();
        }
      }
      await this.#write();
    } finally {
      await this.#writing.catch(() => undefined);
    }
    await this.#writing;
    return { ...this.#count, accounts: this.#lasts };
  }

  get #isFull(): boolean {
    const rows = this.#lines.length + this.#statements.length + this.#answers.length;
    return rows >= (this.#tools.linesAtOnce ?? usualLinesAtOnce);
  }

  #day(text: string): Temporal.PlainDate {
    let day = this.#days.get(text);
    if (!day) {
      // A file of a bank has few days; one that was made up must not fill the memory.
      if (this.#days.size > 1_000) this.#days.clear();
      day = Temporal.PlainDate.from(text);
      this.#days.set(text, day);
    }
    return day;
  }

  async #begin(statement: Statement): Promise<void> {
    this.#isNotice = statement.openingMinor === null;
    const account = await this.#accountOf(statement);
    if (statement.openingMinor === null) {
      this.#count.notices += 1;
      return;
    }
    const day = (text: string | null) => (text === null ? null : this.#day(text));
    const stored: Stored = {
      id: this.#tools.ids.ulid(this.#now),
      fileId: this.#fileId,
      place: this.#count.statements + 1,
      bankAccountId: account.id,
      position: null,
      reference: statement.id,
      number: statement.number,
      page: statement.page,
      fromOn: day(statement.from),
      toOn: day(statement.to),
      openingOn: day(statement.openingOn),
      closingOn: null,
      openingMinor: statement.openingMinor,
      closingMinor: null,
      beforeMinor: null,
      broughtMinor: 0n,
      entries: 0,
      lines: 0,
      sumMinor: 0n,
      repeatedLines: 0,
      repeatedMinor: 0n,
      firstOn: null,
      lastOn: null,
      acceptedAt: null,
      bookedLines: 0,
      bookedAt: null,
    };
    this.#open = { account, statement: stored, lines: 0, firstOn: undefined, lastOn: undefined, signs: new Set() };
    this.#statements.push(stored);
  }

  async #accountOf({ account: number, currency }: Statement): Promise<BankAccount> {
    const iban = ibanOf(number);
    const ending = endingOf(iban) ?? '';
    let account = this.#accounts.get(iban);
    if (!account) {
      account = await findByNumber(this.#tools.db.sql, iban);
      if (!account) throw new StatementFault({ code: 'account_unknown', parameters: { account: ending } });
      this.#accounts.set(iban, account);
    }
    if (currency !== account.currency || !(currencies as readonly string[]).includes(currency))
      throw new StatementFault({ code: 'account_in_other_currency', parameters: { account: ending, currency } });
    if (!this.#tails.has(account.id)) {
      const last = await findLast(this.#tools.db.sql, account.id);
      this.#lasts.set(account.id, last);
      this.#tails.set(account.id, { closingMinor: last?.closingMinor ?? null, lastOn: last?.lastOn ?? null });
    }
    return account;
  }

  #line(line: StatementLine): void {
    const open = this.#open;
    this.#count.lines += 1;
    if (!open || this.#isNotice) return;
    open.lines += 1;
    open.signs.add(line.amountMinor > 0n ? 1n : line.amountMinor < 0n ? -1n : 0n);
    if (open.firstOn === undefined || line.bookedOn < open.firstOn) open.firstOn = line.bookedOn;
    if (open.lastOn === undefined || line.bookedOn > open.lastOn) open.lastOn = line.bookedOn;
    const { state, target } = takenFor(line);
    this.#lines.push({
      id: lineId(open.statement.id, open.lines),
      statementId: open.statement.id,
      entry: line.entry,
      part: line.part,
      amountMinor: line.amountMinor,
      bookedOn: this.#day(line.bookedOn),
      valueOn: line.valueOn === null ? null : this.#day(line.valueOn),
      bankReference: line.bankReference,
      endToEnd: line.endToEndId,
      batch: line.batchId,
      payments: Math.max(line.payments, 1),
      isReversal: line.isReversal,
      kind: line.kind,
      returnReason: line.returnReason,
      title: titleOf(line.text),
      partyName: line.partyName,
      partyAccount: endingOf(line.partyAccount),
      state,
      target,
      ...waitingOf(state, line.amountMinor, this.#now),
    });
  }

  async #end({ closingMinor, closingOn, entries, sumMinor }: StatementEnd): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (!open || closingMinor === null) return;
    const { statement } = open;
    const day = (text: string | null | undefined) => (text ? this.#day(text) : null);
    const ended: Stored = {
      ...statement,
      closingOn: day(closingOn),
      closingMinor,
      entries,
      lines: open.lines,
      sumMinor,
      firstOn: day(open.firstOn),
      lastOn: day(open.lastOn ?? statement.toOn?.toString() ?? closingOn),
    };
    await this.#continue(ended, closingMinor, canCancelOut(open.signs));
    this.#count.statements += 1;
  }

  async #continue(statement: Stored, closingMinor: bigint, canCancelOut: boolean): Promise<void> {
    const tail = this.#tails.get(statement.bankAccountId) ?? { closingMinor: null, lastOn: null };
    const certain = statement.openingMinor === tail.closingMinor;
    const firstOn = statement.firstOn?.toString() ?? null;
    // Nearly every statement: it begins where the last one ended, and on a later day.
    const mayRepeat = tail.lastOn !== null && (!certain || (firstOn ?? '9') <= tail.lastOn);
    const { db } = this.#tools;
    const isSame = mayRepeat && (await isKnown(db.sql, statement));
    // Lines that begin where the last ones ended and come to something are new: nothing is to be looked for.
    const isSearched = mayRepeat && (!certain || isSame || canCancelOut);
    if (isSearched) await this.#write(statement);
    if (isSearched) await this.#writing;
    let likeness: Likeness = certain && !isSame ? 'referenced' : 'all';
    const count = () => db.atomic((sql) => sumKnown(sql, statement, likeness));
    let known = isSearched ? await count() : nothingKnown;
    if (isSame && known.lines !== statement.lines)
      throw new StatementFault({ code: 'statement_changed', parameters: { statement: nameOf(statement) } });
    const decide = (acceptsGap: boolean): Continuation =>
      isSame
        ? { kind: 'repeated' }
        : continuationOf(tail.closingMinor, { ...statement, closingMinor }, known, acceptsGap);
    let continuation = decide(false);
    if (continuation.kind === 'gap') {
      const isNew = known.lines === 0;
      likeness = 'other_format';
      known = isSearched ? await count() : nothingKnown;
      continuation = decide(this.#acceptsGap && isNew);
    }
    if (continuation.kind === 'gap') throw this.#gap(statement, tail);
    if (continuation.kind === 'repeated') {
      this.#count.repeatedStatements += 1;
      this.#count.repeatedLines += statement.lines;
      this.#keep({ ...statement, repeatedLines: statement.lines, repeatedMinor: statement.sumMinor });
      return;
    }
    if (continuation.repeated) {
      await db.atomic((sql) => updateRepeated(sql, statement, likeness));
      this.#count.repeatedLines += known.lines;
    }
    const repeated = continuation.repeated ? known : nothingKnown;
    this.#keep({
      ...statement,
      beforeMinor: tail.closingMinor ?? 0n,
      broughtMinor: continuation.broughtMinor,
      repeatedLines: repeated.lines,
      repeatedMinor: repeated.minor,
    });
    const lastOn = statement.lastOn?.toString() ?? null;
    const later = lastOn !== null && (tail.lastOn === null || lastOn > tail.lastOn) ? lastOn : tail.lastOn;
    this.#tails.set(statement.bankAccountId, { closingMinor, lastOn: later });
  }

  #gap(statement: Stored, { closingMinor }: Tail): StatementFault {
    const account = [...this.#accounts.values()].find(({ id }) => id === statement.bankAccountId);
    return new StatementFault({
      code: 'statement_gap',
      parameters: {
        account: endingOf(account?.number ?? null) ?? '',
        statement: nameOf(statement),
        expected: decimalText(closingMinor ?? 0n),
        opening: decimalText(statement.openingMinor),
      },
    });
  }

  /** One that was written while it was read is changed; any other is written as it is. */
  #keep(statement: Stored): void {
    const index = this.#statements.findIndex(({ id }) => id === statement.id);
    if (index >= 0) this.#statements[index] = statement;
    else this.#ended.push(statement);
  }

  #answer({ messageId, paymentId, endToEndId, status, reason, text }: PaymentStatus): void {
    this.#count.answers += 1;
    this.#answers.push({
      fileId: this.#fileId,
      number: this.#count.answers,
      message: messageId,
      payment: paymentId,
      endToEnd: endToEndId,
      status,
      reason,
      words: text,
    });
  }

  /** Writes what was read so far, while the next is read. `ended`: written as it is known by now. */
  async #write(ended?: Stored): Promise<void> {
    if (ended) this.#keep(ended);
    const [statements, finished, lines, answers] = [this.#statements, this.#ended, this.#lines, this.#answers];
    [this.#statements, this.#ended, this.#lines, this.#answers] = [[], [], [], []];
    if (statements.length + finished.length + lines.length + answers.length === 0) return;
    await this.#writing;
    this.#writing = this.#tools.db.atomic(async (sql) => {
      if (statements.length > 0) await insertStatements(sql, statements);
      if (lines.length > 0) await insertLines(sql, lines);
      if (answers.length > 0) await insertAnswers(sql, answers);
      if (finished.length > 0) await updateStatements(sql, finished);
    });
    // Thrown where it is awaited next.
    this.#writing.catch(() => undefined);
  }
}

/** Whether some of its lines can come to nothing together: not if all of them came, or all of them left. */
function canCancelOut(signs: ReadonlySet<bigint>): boolean {
  return signs.size > 1 || signs.has(0n);
}

/** What the bank calls it. */
export function nameOf({ number, reference }: Pick<Stored, 'number' | 'reference'>): string {
  return number ?? reference;
}

// MT940 statements, with or without SWIFT's blocks, and with the separators of Polish banks in field 86.

import { FileFault, located, misplaced, missing, tooLong, twice } from './fault.ts';
import type { FileCurrency, Part, PartReader, Statement } from './model.ts';
import { type Details, detailsFrom } from './mt940-details.ts';
import { type Balance, balanceFrom, type Movement, movementFrom } from './mt940-fields.ts';
import { type PageEdge, Sequence } from './sequence.ts';
import { Tally } from './tally.ts';
import { nameFrom } from './values.ts';

/** Any other line continues the field before it, even if it begins with a colon. */
const anyField = /^:(13D|20|21|25|25P|28|28C|34F|60F|60M|61|62F|62M|64|65|86|90C|90D|NS):(.*)/s;
/** The only tags that begin a field inside a statement. */
const innerField = /^:(60F|60M|61|62F|62M|86):(.*)/s;
const charactersAtMost = 65_536;
/** Of the fields before the balance, those that are read, each of them once. */
const headFields = new Set(['20', '25', '28']);

interface Field {
  readonly tag: string;
  readonly line: number;
  text: string;
}

const nothingMore: Details = { endToEndId: null, text: '', partyName: null, partyAccount: null, returnReason: null };

interface Open {
  readonly statement: Statement;
  readonly currency: FileCurrency;
  readonly tally: Tally;
}

/** SWIFT marks the beginning and the end of a message with these. */
const isFrame = (character: string | undefined) => character === '\u0001' || character === '\u0003';

/** An expression that looks for marks at the end takes quadratic time for a line of them. */
function unframed(line: string): string {
  let [from, to] = [0, line.length];
  while (isFrame(line[from])) from += 1;
  while (isFrame(line[to - 1])) to -= 1;
  return line.slice(from, to);
}

/** The next message has begun, and not come to its field 20: `{1:`, `{2:` and so on, or a part of `:20:`. */
const cutBeginning = /^(?:\{(?:[1-4].*)?|:2?0?)$/;

function edgeOf(account: string, { currency, minor }: Balance): PageEdge {
  return { account, currency, minor, page: null };
}

/** Banks write no control characters: a file that has any is damaged, or in another encoding. */
function checkCharacters(line: string): void {
  const found = /[\0-\x08\x0a-\x1f\x7f-\x9f\ufeff\ufffd]/.exec(line)?.[0];
  if (found === undefined) return;
  if (found === '\r' || found === '\n') throw new FileFault({ code: 'line_break_other', parameters: {} });
  const character = `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  throw new FileFault({ code: 'character_not_valid', parameters: { character } });
}

export class Mt940Reader implements PartReader {
  #rest = '';
  /** What ends a line of this file. Any other line break is within a text: somebody could have written it into a title. */
  #lineBreak: string | undefined;
  #lines = 0;
  #parts: Part[] = [];
  #field: Field | undefined;
  /** Of the statement that is being read: its fields before the balance, and its movement without details. */
  #head = new Map<string, string>();
  #open: Open | undefined;
  #movement: Movement | undefined;
  readonly #sequence = new Sequence();
  #lastLine = '';
  #isEmpty = true;

  take(text: string): Part[] {
    const whole = this.#rest + text;
    // A piece of text may end in the middle of a line break.
    this.#lineBreak ??= /\r\n|\r(?!$)|\n/.exec(whole)?.[0];
    const lines = this.#lineBreak === undefined ? [whole] : whole.split(this.#lineBreak);
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > charactersAtMost) throw tooLong(this.#lines + 1);
    for (const line of lines) this.#line(line);
    return this.#taken();
  }

  end(): Part[] {
    this.#line(this.#rest.trimEnd());
    const isBegun = !this.#isInside && cutBeginning.test(this.#lastLine);
    if (!isBegun) this.#finishField();
    const isCut = isBegun || this.#open !== undefined || this.#sequence.expected !== undefined || this.#head.has('20');
    if (this.#isEmpty && !isCut) throw new FileFault({ code: 'nothing_in_it', parameters: {} });
    if (isCut) throw new FileFault({ code: 'truncated', parameters: {} }, this.#lines);
    return this.#taken();
  }

  #taken(): Part[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** SWIFT's blocks surround the fields: `{1:...}{4:` in a line before them, `-}` after them. */
  #line(given: string): void {
    this.#lines += 1;
    const line = unframed(given);
    if (line.trim() !== '') this.#lastLine = line.trim();
    located(this.#lines, () => checkCharacters(line));
    const [, tag, value = ''] = (this.#isInside ? innerField : anyField).exec(line) ?? [];
    if (tag !== undefined) {
      this.#finishField();
      this.#field = { tag, line: this.#lines, text: value };
    } else if (!this.#isInside && (line === '-' || line.startsWith('-}'))) this.#finishField();
    else if (this.#field) {
      this.#field.text += `\n${line}`;
      if (this.#field.text.length > charactersAtMost) throw tooLong(this.#lines);
    }
  }

  /** Between the balances, where titles are. */
  get #isInside(): boolean {
    return this.#open !== undefined && this.#field?.tag.startsWith('62') !== true;
  }

  #finishField(): void {
    const field = this.#field;
    this.#field = undefined;
    if (field) located(field.line, () => this.#take(field));
  }

  #take({ tag, text }: Field): void {
    if (tag === '86') {
      this.#detail(text);
      return;
    }
    this.#finishMovement(nothingMore);
    if (tag === '60F' || tag === '60M') this.#begin(balanceFrom(text, tag), tag);
    else if (tag === '61') this.#move(text.trimEnd());
    else if (tag === '62F' || tag === '62M') this.#end(balanceFrom(text, tag), tag);
    else this.#keep(tag, text.trim());
  }

  /** Each message begins with its field 20. What comes after a closing balance belongs to the message that has ended. */
  #keep(tag: string, text: string): void {
    const name = tag.replace(/[CP]$/, '');
    if (!headFields.has(name) || (name !== '20' && !this.#head.has('20'))) return;
    if (this.#head.has(name)) throw twice(`:${tag}:`);
    this.#head.set(name, text);
  }

  #detail(text: string): void {
    if (this.#movement) this.#finishMovement(detailsFrom(text, this.#movement.isReturn));
    else if (this.#open) throw misplaced(':86:');
  }

  #move(text: string): void {
    this.#movement = movementFrom(text, this.#opened('61').tally.next);
  }

  #opened(tag: string): Open {
    if (!this.#open) throw missing(`:60F: before :${tag}:`);
    return this.#open;
  }

  #begin(opening: Balance, tag: string): void {
    if (this.#open) throw missing(`:62F: before :${tag}:`);
    const [id, account] = [this.#head.get('20'), this.#head.get('25')?.replace(/^\//, '').replaceAll(' ', '')];
    if (id === undefined) throw missing(':20:');
    if (!account) throw missing(':25:');
    const statement = this.#statementOf(nameFrom(id), account, opening);
    this.#sequence.begin(edgeOf(account, opening), tag === '60M', ':62M: before :60M:');
    this.#open = { statement, currency: opening.currency, tally: new Tally(opening.minor) };
    this.#isEmpty = false;
    this.#parts.push({ kind: 'begin', statement });
  }

  #statementOf(id: string, account: string, { minor, date, currency }: Balance): Statement {
    const all = this.#head.get('28') ?? '';
    // Some banks write a year or a code after the slash.
    const [, number = all, page = '1'] = /^(\d+)\/(\d{1,3}|\d{5,9})$/.exec(all) ?? [];
    return {
      id,
      number: number === '' ? null : number,
      page: Number(page),
      account,
      currency,
      from: null,
      to: null,
      copy: null,
      openingOn: date,
      openingMinor: minor,
    };
  }

  /** A movement is complete when its field 86 has come, or any other field. */
  #finishMovement(details: Details): void {
    const movement = this.#movement;
    this.#movement = undefined;
    if (!movement) return;
    const { tally } = this.#opened('61');
    const { supplement, isExpected, isReturn: _, ...line } = movement;
    // What is only expected comes again when it is booked.
    if (isExpected) tally.skip();
    else {
      this.#parts.push({ kind: 'line', line: { ...line, ...details, text: details.text || supplement } });
      tally.add(line.amountMinor);
    }
  }

  #end(closing: Balance, tag: string): void {
    const { tally, currency, statement } = this.#opened('62F');
    if (closing.currency !== currency) {
      throw new FileFault({
        code: 'currency_differs',
        parameters: { currency: closing.currency, expected: currency },
      });
    }
    const end = tally.end(closing.minor, closing.date);
    const { account, id, number, page, openingOn, openingMinor } = statement;
    const identity = [account, currency, id, number, page, openingOn, openingMinor, closing.date, closing.minor];
    // Some banks write the same reference and number in all of their statements, so the balances are part of it.
    this.#sequence.end(identity, tag === '62M' ? edgeOf(account, closing) : undefined);
    this.#parts.push({ kind: 'end', end });
    this.#open = undefined;
    this.#head = new Map();
  }
}

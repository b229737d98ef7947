// MT940 statements, with or without SWIFT's blocks, and with the separators of Polish banks in field 86.

import { FileFault, located, missing, notValid, tooLong } from './fault.ts';
import type { FileCurrency, Part, PartReader, StatementLine } from './model.ts';
import { type Details, detailsFrom } from './mt940-details.ts';
import { Tally } from './tally.ts';
import { currencyOf, shortDateFrom, swiftAmountFrom } from './values.ts';

/** Other lines go on with the field before them, also those that begin with a colon. */
const fieldStart = /^:(13D|20|21|25|25P|28|28C|34F|60F|60M|61|62F|62M|64|65|86|90C|90D|NS):(.*)$/;
const charactersAtMost = 65_536;

interface Field {
  readonly tag: string;
  readonly line: number;
  text: string;
}

interface Balance {
  readonly minor: bigint;
  readonly date: string;
  readonly currency: FileCurrency;
}

const balancePattern = /^([CD])(\d{6})([A-Z]{3})(\d+,\d*)$/;

function balanceFrom(text: string, tag: string): Balance {
  const [, sign, date = '', currency = '', amount = ''] = balancePattern.exec(text.trim()) ?? [];
  if (sign === undefined) throw notValid(`:${tag}:`, text);
  const minor = swiftAmountFrom(amount, `:${tag}:`);
  return {
    minor: sign === 'D' ? -minor : minor,
    date: shortDateFrom(date, `:${tag}:`),
    currency: currencyOf(currency),
  };
}

/** Value date, booking date, direction, funds code, amount, kind, our reference, the bank's; below it, more of it. */
const movementPattern =
  /^(\d{6})(\d{4})?(C|D|RC|RD)([A-Z])?(\d+,\d*)([A-Z][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;

/** The booking date has no year: it is the one that is nearest to the value date. */
function bookingDate(valueOn: string, monthAndDay: string | undefined): string {
  if (monthAndDay === undefined) return valueOn;
  const months = Number(monthAndDay.slice(0, 2)) - Number(valueOn.slice(5, 7));
  const year = Number(valueOn.slice(0, 4)) + (months > 6 ? -1 : months < -6 ? 1 : 0);
  return shortDateFrom(`${String(year).slice(2)}${monthAndDay}`, ':61:');
}

const noReference = new Set(['', 'NONREF', 'NOTPROVIDED']);
const referenceOf = (text: string | undefined) =>
  text === undefined || noReference.has(text.trim()) ? null : text.trim();

type Movement = Omit<StatementLine, keyof Details>;

function movementFrom(text: string, entry: number): Movement {
  const [, value = '', booked, sign = '', , amount = '', kind = '', own, theirs] = movementPattern.exec(text) ?? [];
  if (sign === '') throw notValid(':61:', text);
  const valueOn = shortDateFrom(value, ':61:');
  const minor = swiftAmountFrom(amount, ':61:');
  // A reversed credit goes, a reversed debit comes.
  const comes = sign === 'C' || sign === 'RD';
  return {
    entry,
    part: 0,
    amountMinor: comes ? minor : -minor,
    isReversal: sign.startsWith('R'),
    bookedOn: bookingDate(valueOn, booked),
    valueOn,
    bankReference: referenceOf(theirs),
    batchId: referenceOf(own),
    payments: 1,
    kind,
  };
}

const nothingMore: Details = { endToEndId: null, text: '', partyName: null, partyAccount: null, returnReason: null };

interface Open {
  readonly currency: FileCurrency;
  readonly tally: Tally;
}

export class Mt940Reader implements PartReader {
  #rest = '';
  #lines = 0;
  #parts: Part[] = [];
  #field: Field | undefined;
  /** Of the statement that is being read: its fields before the balance, and its movement without details. */
  #head = new Map<string, string>();
  #open: Open | undefined;
  #movement: Movement | undefined;
  #isEmpty = true;

  take(text: string): Part[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > charactersAtMost) throw tooLong(this.#lines + 1);
    for (const line of lines) this.#line(line);
    return this.#taken();
  }

  end(): Part[] {
    this.#line(this.#rest);
    this.#finishField();
    if (this.#open) throw new FileFault({ code: 'truncated', parameters: {} }, this.#lines);
    if (this.#isEmpty) throw new FileFault({ code: 'nothing_in_it', parameters: {} });
    return this.#taken();
  }

  #taken(): Part[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** Blocks of SWIFT are around the fields: `{1:...}{4:` in a line before them, `-}` behind. */
  #line(line: string): void {
    this.#lines += 1;
    const text = line.replaceAll(/[\0-\x1f\x7f-\x9f\ufeff]/g, '');
    const [, tag, value = ''] = fieldStart.exec(text) ?? [];
    if (tag !== undefined) {
      this.#finishField();
      this.#field = { tag, line: this.#lines, text: value };
    } else if (text === '-' || text.startsWith('-}')) this.#finishField();
    else if (this.#field) {
      this.#field.text += `\n${text}`;
      if (this.#field.text.length > charactersAtMost) throw tooLong(this.#lines);
    }
  }

  #finishField(): void {
    const field = this.#field;
    this.#field = undefined;
    if (field) located(field.line, () => this.#take(field));
  }

  #take({ tag, text }: Field): void {
    if (tag !== '86') this.#finishMovement(nothingMore);
    if (tag === '60F' || tag === '60M') this.#begin(balanceFrom(text, tag), tag);
    else if (tag === '61') this.#move(text.trimEnd());
    else if (tag === '86') this.#finishMovement(detailsFrom(text));
    else if (tag === '62F' || tag === '62M') this.#end(balanceFrom(text, tag));
    else this.#head.set(tag, text.trim());
  }

  /** What is only expected (EC, ED) comes again when it is booked. */
  #move(text: string): void {
    const { tally } = this.#opened('61');
    if (/^(?:\d{6}|\d{10})E[CD]/.test(text)) tally.skip();
    else this.#movement = movementFrom(text, tally.next);
  }

  #opened(tag: string): Open {
    if (!this.#open) throw missing(`:60F: before :${tag}:`);
    return this.#open;
  }

  #begin(opening: Balance, tag: string): void {
    if (this.#open) throw missing(`:62F: before :${tag}:`);
    const head = this.#head;
    const account = head.get('25') ?? head.get('25P');
    if (!account) throw missing(':25:');
    const [number = '', page] = (head.get('28C') ?? head.get('28') ?? '').split('/');
    this.#open = { currency: opening.currency, tally: new Tally(opening.minor) };
    this.#isEmpty = false;
    this.#parts.push({
      kind: 'begin',
      statement: {
        id: head.get('20') ?? '',
        number: number === '' ? null : number,
        page: page !== undefined && /^\d{1,9}$/.test(page) ? Number(page) : 1,
        account: account.replace(/^\//, '').replaceAll(' ', ''),
        currency: opening.currency,
        from: opening.date,
        to: null,
        openingMinor: opening.minor,
      },
    });
  }

  /** A movement is complete when its field 86 has come, or anything else. */
  #finishMovement(details: Details): void {
    const movement = this.#movement;
    if (!movement) return;
    this.#movement = undefined;
    this.#parts.push({ kind: 'line', line: { ...movement, ...details } });
    this.#open?.tally.add(movement.amountMinor);
  }

  #end(closing: Balance): void {
    const { tally, currency } = this.#opened('62F');
    if (closing.currency !== currency) {
      throw new FileFault({
        code: 'currency_differs',
        parameters: { currency: closing.currency, expected: currency },
      });
    }
    this.#parts.push({ kind: 'end', end: tally.end(closing.minor) });
    this.#open = undefined;
    this.#head = new Map();
  }
}

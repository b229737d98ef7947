// The house bank: our account at a bank. Takes payment files, executes them on bank days, gets what acquirers pay out, and
// writes a statement for each day that is over. What it does depends only on its record, the day and its faults.

import { hash } from 'node:crypto';
import type { Clock } from '../../runtime/index.ts';
import { type Order, OrderFault, readOrder } from './payment-files.ts';
import { type Day, HouseStore, type Movement } from './store.ts';
import { camt053, type Entry, mt940, pain002, type Sheet } from './write.ts';

/** Our account there. */
export const houseAccount = 'PL61109010140000071219812874';

/** How it misbehaves on purpose; each strikes by `hash(seed, name, key)`. */
export const houseFaultNames = [
  /** A payment is refused at once. */
  'refused',
  /** A payment is back two days later. */
  'returned',
  /** The payments of a file are one entry. */
  'batchBooking',
  /** A day is two statements. */
  'split',
  /** The statement begins with the day before. */
  'overlapping',
  /** The file also has the statement of the day before, marked as a duplicate. */
  'duplicate',
  /** The closing balance is wrong. */
  'wrongSum',
  /** MT940 is in windows-1250 and has letters that show it. */
  'encoding',
] as const;
export type HouseFault = (typeof houseFaultNames)[number];

export interface HouseFaults {
  readonly seed?: string | number;
  /** From 0 (never) to 1 (always). */
  readonly faults?: { readonly [Name in HouseFault]?: number };
}

/** What an acquirer paid out to us, or has again. */
export interface Arrived {
  readonly key: string;
  /** Positive: it comes to us. */
  readonly minor: bigint;
  readonly at: Temporal.Instant;
}

export interface HouseOptions {
  /** `house-bank.sqlite`; several processes may share it. */
  readonly file: string;
  readonly clock: Clock;
  /** What acquirers have paid out by now. */
  readonly arrived: () => Promise<readonly Arrived[]>;
}

/** The bank has no statement of that day: it is not over, or the bank did not know us yet. */
export class NoStatement extends Error {}

const returnedAfterDays = 2;
const chargeMinor = 50;
const range = 2 ** 48;

export class HouseBank {
  #open: HouseStore | undefined;
  readonly #options: HouseOptions;

  constructor(options: HouseOptions) {
    this.#options = options;
  }

  setFaults(faults: HouseFaults): void {
    this.#store.saveFaults(JSON.stringify(faults));
  }

  faults(): HouseFaults {
    return JSON.parse(this.#store.faults()) as HouseFaults;
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  /** Opened by the first who needs it: a command that only looks leaves no file behind. */
  get #store(): HouseStore {
    this.#open ??= new HouseStore(this.#options.file);
    return this.#open;
  }

  get #today(): Temporal.PlainDate {
    return this.#options.clock.now().toZonedDateTimeISO('Europe/Warsaw').toPlainDate();
  }

  #strikes(name: HouseFault, key: string): boolean {
    const { seed = 1, faults = {} } = this.faults();
    const digest = hash('sha256', `${seed}\n${name}\n${key}`, 'buffer');
    return digest.readUIntBE(0, 6) / range < (faults[name] ?? 0);
  }

  /** Takes a payment file; returns the answer as pain.002. The same file, or the same payment, is executed once. */
  take(bytes: Uint8Array): string {
    const order = readOrder(bytes, `ELX-${hash('sha256', bytes, 'hex').slice(0, 16)}`);
    if (order.payments.length === 0) throw new OrderFault('The file has no payment.');
    return this.#store.atomic(() => {
      const reason = this.#refusalOf(order);
      if (reason !== null) return pain002({ message: order.message, reason, refused: [] });
      const refused = order.payments.flatMap((payment) => {
        const why = this.#strikes('refused', payment.reference) ? 'AC01' : null;
        const executeOn = bankDay(later(order.executeOn, this.#today));
        const back = this.#strikes('returned', payment.reference)
          ? bankDay(executeOn.add({ days: returnedAfterDays }))
          : null;
        const isNew = this.#store.insertTransfer({
          reference: payment.reference,
          message: order.message,
          amountMinor: Number(payment.minor),
          account: payment.account,
          name: payment.name,
          title: payment.title,
          executeOn: executeOn.toString(),
          refusal: why,
          backOn: back?.toString() ?? null,
        });
        const refusal = isNew ? why : 'AM05';
        return refusal === null ? [] : [{ reference: payment.reference, reason: refusal }];
      });
      return pain002({ message: order.message, reason: null, refused });
    });
  }

  /** Of the whole file. */
  #refusalOf({ message, payer, payments, said }: Order): string | null {
    if (payer !== houseAccount) return 'AC02';
    const minor = payments.reduce((sum, one) => sum + one.minor, 0n);
    if (said && (said.payments !== payments.length || said.minor !== minor)) return 'AM10';
    return this.#store.insertMessage(message, this.#today.toString()) ? null : 'AM05';
  }

  /** The statement of a day that is over. The same day is always the same. */
  async statement(day: string, format: 'camt053' | 'mt940'): Promise<Uint8Array> {
    await this.#endDays(day);
    const found = this.#store.findDay(day);
    if (!found) throw new NoStatement(day);
    const sheets = this.#sheetsOf(found);
    if (format === 'camt053') return Buffer.from(camt053(sheets, (sheet) => this.#entriesOf(sheet)));
    const text = mt940(sheets);
    return this.#strikes('encoding', day) ? windows1250(text.replaceAll('OPLATA', 'OPŁATA')) : Buffer.from(text);
  }

  /** Ends all days up to this one that are over, each with everything that belongs to it by then. */
  async #endDays(day: string): Promise<void> {
    const until = Temporal.PlainDate.from(day);
    if (Temporal.PlainDate.compare(until, this.#today) >= 0) return;
    const arrived = await this.#options.arrived();
    this.#store.atomic(() => {
      const last = this.#store.lastDay();
      let next = last ? Temporal.PlainDate.from(last.day).add({ days: 1 }) : until;
      let before = last;
      for (; Temporal.PlainDate.compare(next, until) <= 0; next = next.add({ days: 1 }))
        before = this.#endDay(next, before, arrived);
    });
  }

  #endDay(day: Temporal.PlainDate, before: Day | undefined, arrived: readonly Arrived[]): Day {
    const text = day.toString();
    const end = day.add({ days: 1 }).toZonedDateTime('Europe/Warsaw').toInstant();
    const movements: Movement[] = [];
    const add = (one: Omit<Movement, 'day' | 'number' | 'reference'>) => {
      const number = movements.length + 1;
      movements.push({
        ...one,
        day: text,
        number,
        reference: `${text.replaceAll('-', '')}${String(number).padStart(6, '0')}`,
      });
    };
    for (const { key, minor, at } of arrived) {
      if (Temporal.Instant.compare(at, end) >= 0 || !this.#store.insertIncoming(`${key} ${minor}`)) continue;
      const party = { name: 'Acquirer', account: 'PL27114020040000300201355387', message: null, endToEnd: key };
      add({ ...party, amountMinor: Number(minor), title: `PAYOUT ${key}`, kind: 'transfer' });
    }
    const due = bankDay(day).equals(day) ? this.#store.takeDue(text) : [];
    for (const one of due)
      add({ ...partyOf(one), amountMinor: -one.amountMinor, title: one.title, kind: 'transfer', message: one.message });
    for (const message of new Set(due.map((one) => one.message)))
      add({ ...nobody, amountMinor: -chargeMinor, title: `OPLATA ${message}`, kind: 'charge' });
    for (const one of this.#store.takeReturned(text))
      add({
        ...partyOf(one),
        amountMinor: one.amountMinor,
        title: `ZWROT ${one.title}`,
        kind: 'return',
        message: null,
      });
    const openingMinor = before?.closingMinor ?? 0;
    const closingMinor = movements.reduce((sum, { amountMinor }) => sum + amountMinor, openingMinor);
    for (const movement of movements) this.#store.insertMovement(movement);
    const ended = { day: text, number: (before?.number ?? 0) + 1, openingMinor, closingMinor };
    this.#store.insertDay(ended);
    return ended;
  }

  #sheetsOf(day: Day): Sheet[] {
    const before = this.#store.findDay(Temporal.PlainDate.from(day.day).subtract({ days: 1 }).toString());
    const own = this.#sheetOf(day);
    const sheets =
      before && this.#strikes('overlapping', day.day)
        ? [
            {
              ...own,
              id: `${own.id}W`,
              from: before.day,
              openingMinor: before.openingMinor,
              movements: [...this.#store.movementsOf(before.day), ...own.movements],
            },
          ]
        : this.#strikes('split', day.day) && own.movements.length > 1
          ? halves(own)
          : [own];
    const wrong = this.#strikes('wrongSum', day.day)
      ? sheets.map((sheet) => ({ ...sheet, closingMinor: sheet.closingMinor + 1 }))
      : sheets;
    return before && this.#strikes('duplicate', day.day)
      ? [{ ...this.#sheetOf(before), isDuplicate: true }, ...wrong]
      : wrong;
  }

  #sheetOf({ day, number, openingMinor, closingMinor }: Day): Sheet {
    const movements = this.#store.movementsOf(day);
    const id = `H${day.replaceAll('-', '')}`;
    return { account: houseAccount, id, number, from: day, to: day, openingMinor, closingMinor, movements };
  }

  /** Payments of one message are one entry if the bank books them as a batch. */
  #entriesOf({ movements }: Sheet): Entry[] {
    const entries = new Map<string, [Movement, ...Movement[]]>();
    for (const movement of movements) {
      const isBatched = movement.message !== null && this.#strikes('batchBooking', movement.message);
      const key = isBatched ? `${movement.day} ${movement.message}` : `${movement.day} ${movement.number}`;
      const entry = entries.get(key);
      if (entry) entry.push(movement);
      else entries.set(key, [movement]);
    }
    return [...entries.values()];
  }
}

const nobody = { name: '', account: '', message: null, endToEnd: null } as const;

function partyOf({
  reference,
  name,
  account,
}: {
  readonly reference: string;
  readonly name: string;
  readonly account: string;
}) {
  return { endToEnd: reference, name, account };
}

function later(one: string, other: Temporal.PlainDate): Temporal.PlainDate {
  const day = Temporal.PlainDate.from(one);
  return Temporal.PlainDate.compare(day, other) > 0 ? day : other;
}

/** This day, or the next on which banks work. */
function bankDay(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.dayOfWeek <= 5 ? day : bankDay(day.add({ days: 1 }));
}

function halves(sheet: Sheet): Sheet[] {
  const middle = Math.ceil(sheet.movements.length / 2);
  const [first, second] = [sheet.movements.slice(0, middle), sheet.movements.slice(middle)];
  const between = first.reduce((sum, { amountMinor }) => sum + amountMinor, sheet.openingMinor);
  return [
    { ...sheet, id: `${sheet.id}A`, movements: first, closingMinor: between },
    { ...sheet, id: `${sheet.id}B`, movements: second, openingMinor: between },
  ];
}

const polish: Readonly<Record<string, number>> = {
  Ą: 0xa5,
  ą: 0xb9,
  Ć: 0xc6,
  ć: 0xe6,
  Ę: 0xca,
  ę: 0xea,
  Ł: 0xa3,
  ł: 0xb3,
  Ń: 0xd1,
  ń: 0xf1,
  Ó: 0xd3,
  ó: 0xf3,
  Ś: 0x8c,
  ś: 0x9c,
  Ź: 0x8f,
  ź: 0x9f,
  Ż: 0xaf,
  ż: 0xbf,
};

function windows1250(text: string): Uint8Array {
  return Uint8Array.from(
    text,
    (character) => polish[character] ?? (character.charCodeAt(0) < 128 ? character.charCodeAt(0) : 63),
  );
}

// All SQL of the house bank. Its record is a file of its own, apart from our database, so that the two can be compared.
// Amounts are in minor units, days texts such as 2026-11-18.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../embedded/index.ts';

export interface Transfer {
  readonly reference: string;
  readonly message: string;
  readonly amountMinor: number;
  readonly account: string;
  readonly name: string;
  readonly title: string;
  readonly executeOn: string;
  /** Why the bank refuses it. */
  readonly refusal: string | null;
  /** When it will be back. */
  readonly backOn: string | null;
}

export interface Movement {
  readonly day: string;
  readonly number: number;
  readonly amountMinor: number;
  /** The bank's own. */
  readonly reference: string;
  readonly endToEnd: string | null;
  readonly message: string | null;
  readonly title: string;
  readonly name: string;
  readonly account: string;
  readonly kind: 'transfer' | 'charge' | 'return';
}

export interface Day {
  readonly day: string;
  readonly number: number;
  readonly openingMinor: number;
  readonly closingMinor: number;
}

const schema = `
  create table if not exists transfer (
    reference text primary key, message text not null, amountMinor integer not null, account text not null, name text not null,
    title text not null, executeOn text not null, refusal text, backOn text, bookedOn text, returnedOn text
  ) strict;
  create table if not exists message (message text primary key, day text not null) strict;
  create table if not exists movement (
    day text not null, number integer not null, amountMinor integer not null, reference text not null, endToEnd text, message text,
    title text not null, name text not null, account text not null, kind text not null, primary key (day, number)
  ) strict;
  create table if not exists incoming (key text primary key) strict;
  create table if not exists day (
    day text primary key, number integer not null, openingMinor integer not null, closingMinor integer not null
  ) strict;
  create table if not exists faults (only_row integer primary key check (only_row = 1), faults text not null) strict;`;

const lockedMilliseconds = 10_000;

export class HouseStore {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      makePrivateFile(file);
    }
    this.#db = new DatabaseSync(file, { timeout: lockedMilliseconds });
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
    this.#db.exec(`begin immediate; ${schema} commit;`);
  }

  /** All or nothing; processes that share the file take turns. */
  atomic<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }

  faults(): string {
    const row = this.#db.prepare('select faults from faults').get();
    return row ? String(row.faults) : '{}';
  }

  saveFaults(faults: string): void {
    this.#db.prepare('insert or replace into faults values (1, ?)').run(faults);
  }

  /** False: the bank has seen this message before. */
  insertMessage(message: string, day: string): boolean {
    return this.#db.prepare('insert into message values (?, ?) on conflict do nothing').run(message, day).changes === 1;
  }

  /** False: it has seen this payment before. */
  insertTransfer(one: Transfer): boolean {
    const { changes } = this.#db
      .prepare(
        `insert into transfer (reference, message, amountMinor, account, name, title, executeOn, refusal, backOn)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
      )
      .run(
        one.reference,
        one.message,
        one.amountMinor,
        one.account,
        one.name,
        one.title,
        one.executeOn,
        one.refusal,
        one.backOn,
      );
    return changes === 1;
  }

  takeDue(day: string): Transfer[] {
    return this.#rows<Transfer>(
      `update transfer set bookedOn = ?1 where bookedOn is null and refusal is null and executeOn <= ?1 returning *`,
      day,
    ).toSorted(byReference);
  }

  takeReturned(day: string): Transfer[] {
    return this.#rows<Transfer>(
      `update transfer set returnedOn = ?1
        where bookedOn < ?1 and returnedOn is null and backOn is not null and backOn <= ?1 returning *`,
      day,
    ).toSorted(byReference);
  }

  /** False: it is on the account already. */
  insertIncoming(key: string): boolean {
    return this.#db.prepare('insert into incoming values (?) on conflict do nothing').run(key).changes === 1;
  }

  insertMovement(one: Movement): void {
    this.#db
      .prepare('insert into movement values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        one.day,
        one.number,
        one.amountMinor,
        one.reference,
        one.endToEnd,
        one.message,
        one.title,
        one.name,
        one.account,
        one.kind,
      );
  }

  insertDay({ day, number, openingMinor, closingMinor }: Day): void {
    this.#db.prepare('insert into day values (?, ?, ?, ?)').run(day, number, openingMinor, closingMinor);
  }

  lastDay(): Day | undefined {
    return this.#rows<Day>('select * from day order by day desc limit 1')[0];
  }

  findDay(day: string): Day | undefined {
    return this.#rows<Day>('select * from day where day = ?', day)[0];
  }

  movementsOf(day: string): Movement[] {
    return this.#rows<Movement>('select * from movement where day = ? order by number', day);
  }

  close(): void {
    this.#db.close();
  }

  #rows<Row>(query: string, ...values: readonly string[]): Row[] {
    return this.#db.prepare(query).all(...values) as unknown as Row[];
  }
}

function byReference(one: Transfer, other: Transfer): number {
  return one.reference < other.reference ? -1 : 1;
}

// Orders, and every notification that arrived about them, in one SQLite file.

import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Transaction } from './grosz.ts';

/** `paid` and `refunded` come from notifications only; `declined` is what the payer is told at once. */
export type OrderStatus = 'new' | 'declined' | 'paid' | 'refunded' | 'failed';

export interface Order {
  readonly id: string;
  readonly createdAt: string;
  readonly email: string;
  readonly items: string;
  readonly totalGrosz: number;
  readonly way: string;
  readonly status: OrderStatus;
  readonly transactionId: string | null;
  /** The transaction's title: notifications name it as `tr_id`. */
  readonly title: string | null;
  /** Where the payer can pay, or try again. */
  readonly paymentUrl: string | null;
  readonly note: string | null;
}

export interface Arrived {
  readonly id: string;
  readonly orderId: string;
  readonly arrivedAt: string;
  readonly status: string;
  /** Which signatures were checked. */
  readonly checks: string;
  readonly body: string;
}

/** Whether a notification says that this whole sum was paid. */
export function isPaid(fields: Readonly<Record<string, string>>, grosz: number): boolean {
  return fields.tr_paid === (grosz / 100).toFixed(2);
}

const schema = (name: string) => `
  create table if not exists ${name}orders (
    id text primary key, createdAt text not null, email text not null, items text not null,
    totalGrosz integer not null, way text not null, status text not null,
    transactionId text, title text, paymentUrl text, note text) strict;
  create table if not exists ${name}arrived (
    id text primary key, orderId text not null, arrivedAt text not null, status text not null,
    checks text not null, body text not null) strict;
`;

export class Orders {
  readonly #db: DatabaseSync;
  readonly #orders: string;
  readonly #arrived: string;

  /** `name` begins the names of the tables: the market has its own. */
  constructor(db: DatabaseSync, name: '' | 'market_' = '') {
    this.#db = db;
    this.#orders = `${name}orders`;
    this.#arrived = `${name}arrived`;
    db.exec(schema(name));
  }

  /** Once: a form that is sent twice changes nothing. */
  insert(order: Pick<Order, 'id' | 'createdAt' | 'email' | 'items' | 'totalGrosz' | 'way'>): void {
    const { id, createdAt, email, items, totalGrosz, way } = order;
    const statement = this.#db.prepare(
      `insert into ${this.#orders} (id, createdAt, email, items, totalGrosz, way, status) values (?, ?, ?, ?, ?, ?, 'new')
       on conflict do nothing`,
    );
    statement.run(id, createdAt, email, items, totalGrosz, way);
  }

  find(id: string): Order | undefined {
    return this.#db.prepare(`select * from ${this.#orders} where id = ?`).get(id) as Order | undefined;
  }

  list(): Order[] {
    const statement = this.#db.prepare(`select * from ${this.#orders} order by createdAt desc, id limit 50`);
    return statement.all() as unknown as Order[];
  }

  saveTransaction(id: string, made: Pick<Transaction, 'transactionId' | 'title' | 'transactionPaymentUrl'>): void {
    this.#db
      .prepare(`update ${this.#orders} set transactionId = ?, title = ?, paymentUrl = ? where id = ?`)
      .run(made.transactionId, made.title, made.transactionPaymentUrl, id);
  }

  /** Another transaction instead of one that was canceled. What comes about the former no longer fits the order. */
  replaceTransaction(id: string, made: Parameters<Orders['saveTransaction']>[1]): void {
    this.saveTransaction(id, made);
    this.#db
      .prepare(
        `update ${this.#orders} set status = 'new', note = null where id = ? and status in ('declined', 'failed')`,
      )
      .run(id);
  }

  /** A payment that stands is never called declined, whatever comes later. */
  saveDeclined(id: string, note: string): void {
    this.#db
      .prepare(
        `update ${this.#orders} set status = 'declined', note = ? where id = ? and status in ('new', 'declined')`,
      )
      .run(note, id);
  }

  /** Until its notification arrives. */
  saveRefundAsked(id: string): void {
    this.#db
      .prepare(`update ${this.#orders} set note = 'A refund was requested.' where id = ? and status = 'paid'`)
      .run(id);
  }

  /** Keeps a notification once, with what it makes of its order; false when it came before. */
  applyNotification(arrived: Arrived, status: OrderStatus | undefined): boolean {
    this.#db.exec('begin immediate');
    try {
      const { id, orderId, arrivedAt, status: shown, checks, body } = arrived;
      const inserted = this.#db
        .prepare(`insert into ${this.#arrived} values (?, ?, ?, ?, ?, ?) on conflict do nothing`)
        .run(id, orderId, arrivedAt, shown, checks, body);
      if (inserted.changes === 1 && status) {
        // Notifications may overtake each other: a decline that comes late takes nothing back.
        const open = status === 'failed' ? "and status not in ('paid', 'refunded')" : '';
        this.#db
          .prepare(`update ${this.#orders} set status = ?, note = null where id = ? ${open}`)
          .run(status, orderId);
      }
      this.#db.exec('commit');
      return inserted.changes === 1;
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }

  listArrived(orderId: string): Arrived[] {
    const from = `select * from ${this.#arrived} where orderId = ? order by arrivedAt, id limit 50`;
    return this.#db.prepare(from).all(orderId) as unknown as Arrived[];
  }
}

/** Ten letters and digits that nobody guesses. */
export function newOrderId(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('');
}

// Orders, and every notification that arrived about them, in one SQLite file.

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

const schema = `
  create table if not exists orders (
    id text primary key, createdAt text not null, email text not null, items text not null,
    totalGrosz integer not null, way text not null, status text not null,
    transactionId text, title text, paymentUrl text, note text) strict;
  create table if not exists arrived (
    id text primary key, orderId text not null, arrivedAt text not null, status text not null,
    checks text not null, body text not null) strict;
`;

export class Orders {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(schema);
  }

  /** Once: a form that is sent twice changes nothing. */
  insert(order: Pick<Order, 'id' | 'createdAt' | 'email' | 'items' | 'totalGrosz' | 'way'>): void {
    const { id, createdAt, email, items, totalGrosz, way } = order;
    const statement = this.#db.prepare(
      `insert into orders (id, createdAt, email, items, totalGrosz, way, status) values (?, ?, ?, ?, ?, ?, 'new')
       on conflict do nothing`,
    );
    statement.run(id, createdAt, email, items, totalGrosz, way);
  }

  find(id: string): Order | undefined {
    return this.#db.prepare('select * from orders where id = ?').get(id) as Order | undefined;
  }

  list(): Order[] {
    return this.#db.prepare('select * from orders order by createdAt desc, id limit 50').all() as unknown as Order[];
  }

  saveTransaction(id: string, { transactionId, title, transactionPaymentUrl }: Transaction): void {
    const statement = this.#db.prepare('update orders set transactionId = ?, title = ?, paymentUrl = ? where id = ?');
    statement.run(transactionId, title, transactionPaymentUrl, id);
  }

  /** A payment that stands is never called declined, whatever comes later. */
  saveDeclined(id: string, note: string): void {
    this.#db
      .prepare(`update orders set status = 'declined', note = ? where id = ? and status in ('new', 'declined')`)
      .run(note, id);
  }

  /** Keeps a notification once, with what it makes of its order; false when it came before. */
  take(arrived: Arrived, status: OrderStatus | undefined): boolean {
    this.#db.exec('begin immediate');
    try {
      const { id, orderId, arrivedAt, status: shown, checks, body } = arrived;
      const inserted = this.#db
        .prepare('insert into arrived values (?, ?, ?, ?, ?, ?) on conflict do nothing')
        .run(id, orderId, arrivedAt, shown, checks, body);
      if (inserted.changes === 1 && status) {
        this.#db.prepare('update orders set status = ?, note = null where id = ?').run(status, orderId);
      }
      this.#db.exec('commit');
      return inserted.changes === 1;
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }

  listArrived(orderId: string): Arrived[] {
    const statement = this.#db.prepare('select * from arrived where orderId = ? order by arrivedAt, id limit 50');
    return statement.all(orderId) as unknown as Arrived[];
  }
}

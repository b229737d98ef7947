// All SQL of the bank. Its record is a file apart from our database, so that the two can be compared. Instants are in
// milliseconds since 1970, amounts in minor units. Only the last four digits of a card are stored.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RefundDeclineReason } from '../../../contract/codes/refund-declines.ts';
import type { DeclineReason, FurtherLine, Instrument } from '../../acquirer/index.ts';
import { makePrivateFile } from '../../embedded/index.ts';
import type { Faults } from './faults.ts';

export type ChargeState = 'waiting' | 'approved' | 'declined' | 'canceled';
export type RefundState = 'waiting' | 'approved' | 'declined';

export interface ChargeRow {
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** `unheard`: canceled before it arrived. */
  readonly kind: Instrument['kind'] | 'unheard';
  readonly cardTail: string | null;
  readonly description: string;
  readonly returnUrl: string;
  /** What the page of the bank shows. Null if the request did not say. */
  readonly merchantName: string | null;
  readonly language: string | null;
  readonly bank: string | null;
  readonly linkId: string | null;
  readonly state: ChargeState;
  readonly reason: DeclineReason | null;
  readonly createdAt: number;
  readonly capturedAt: number | null;
  readonly canceledAt: number | null;
  /** When the bank will decide by itself, and what. */
  readonly dueAt: number | null;
  readonly dueState: 'approved' | 'declined' | null;
  readonly dueReason: DeclineReason | null;
}

export interface RefundRow {
  readonly key: string;
  readonly chargeKey: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly state: RefundState;
  readonly createdAt: number;
  readonly refundedAt: number | null;
  readonly dueAt: number | null;
  readonly dueState: 'approved' | 'declined' | null;
  /** Why it is declined, or will be. */
  readonly why: RefundDeclineReason | null;
}

export interface MoveRow {
  readonly kind: FurtherLine['kind'];
  readonly key: string;
  readonly chargeKey: string | null;
  readonly owedMinor: number;
  readonly currency: string;
  readonly what: string | null;
  readonly at: number;
}

export interface DisputeRow {
  readonly key: string;
  readonly state: 'planned' | 'spared' | 'opened' | 'won' | 'lost';
  readonly amountMinor: number;
  readonly dueAt: number | null;
  readonly dueState: 'opened' | 'won' | 'lost' | null;
}

export interface CallbackRow {
  readonly id: number;
  readonly key: string;
  /** The callback as JSON, as it was first written. */
  readonly body: string;
  readonly tries: number;
}

export interface AliasRow {
  /** The merchant that the payer registered it for. */
  readonly merchant: string;
  readonly value: string;
  readonly type: 'UID' | 'PAYID';
  readonly label: string;
  readonly chargeKey: string;
}

const schema = `
  create table if not exists charge (
    key text primary key,
    amount_minor integer not null,
    currency text not null,
    kind text not null,
    card_tail text,
    description text not null,
    return_url text not null,
    link_id text,
    state text not null check (state in ('waiting', 'approved', 'declined', 'canceled')),
    reason text,
    created_at integer not null,
    captured_at integer,
    canceled_at integer,
    due_at integer,
    due_state text check (due_state in ('approved', 'declined')),
    due_reason text,
    merchant_name text,
    language text,
    bank text,
    check ((state = 'approved') = (captured_at is not null)),
    check ((state = 'declined') = (reason is not null)),
    check ((due_at is null) = (due_state is null))
  ) strict, without rowid;
  create unique index if not exists charge_link on charge (link_id) where link_id is not null;
  create index if not exists charge_captured on charge (captured_at, key) where captured_at is not null;
  create index if not exists charge_due on charge (due_at) where due_at is not null;

  create table if not exists refund (
    key text primary key,
    charge_key text not null,
    amount_minor integer not null,
    currency text not null,
    state text not null check (state in ('waiting', 'approved', 'declined')),
    created_at integer not null,
    refunded_at integer,
    due_at integer,
    due_state text check (due_state in ('approved', 'declined')),
    why text,
    check ((state = 'approved') = (refunded_at is not null))
  ) strict, without rowid;
  create index if not exists refund_charge on refund (charge_key);
  create index if not exists refund_paid on refund (refunded_at, key) where refunded_at is not null;
  create index if not exists refund_due on refund (due_at) where due_at is not null;

  create table if not exists callback (
    id integer primary key,
    key text not null,
    body text not null,
    due_at integer not null,
    tries integer not null default 0,
    claimed_until integer,
    delivered_at integer
  ) strict;
  create index if not exists callback_due on callback (due_at, id) where delivered_at is null;
  create index if not exists callback_key on callback (key) where delivered_at is null;

  create table if not exists mishap (
    name text not null,
    key text not null,
    first_at integer not null,
    primary key (name, key)
  ) strict, without rowid;

  create table if not exists merchant_alias (
    value text not null,
    merchant text not null,
    type text not null,
    label text not null,
    charge_key text not null,
    registered_at integer not null,
    primary key (value, merchant)
  ) strict, without rowid;

  create table if not exists payout (
    key text primary key,
    gross_minor integer not null check (gross_minor > 0),
    fee_minor integer not null check (fee_minor between 0 and gross_minor),
    currency text not null,
    at integer not null unique
  ) strict, without rowid;

  create table if not exists move (
    kind text not null check (kind in ('fee', 'refundReturned', 'dispute', 'disputeWon', 'payoutReturned', 'other')),
    key text not null,
    charge_key text,
    -- What it adds to what the bank owes us; negative: takes from it.
    owed_minor integer not null,
    currency text not null,
    what text,
    -- It may be in the future: then it has not happened yet.
    at integer not null,
    primary key (kind, key)
  ) strict, without rowid;
  create index if not exists move_at on move (at);

  create table if not exists dispute (
    -- That of the charge.
    key text primary key,
    -- planned: the payer's bank has not asked yet. spared: nothing was left to ask for.
    state text not null check (state in ('planned', 'spared', 'opened', 'won', 'lost')),
    amount_minor integer not null,
    due_at integer,
    due_state text check (due_state in ('opened', 'won', 'lost')),
    check ((due_at is null) = (due_state is null))
  ) strict, without rowid;
  create index if not exists dispute_due on dispute (due_at) where due_at is not null;

  create table if not exists faults (one integer primary key check (one = 1), body text not null) strict;
`;

const chargeColumns = `key, amount_minor as amountMinor, currency, kind, card_tail as cardTail, description,
  return_url as returnUrl, link_id as linkId, state, reason, created_at as createdAt, captured_at as capturedAt,
  canceled_at as canceledAt, due_at as dueAt, due_state as dueState, due_reason as dueReason,
  merchant_name as merchantName, language, bank`;

const refundColumns = `key, charge_key as chargeKey, amount_minor as amountMinor, currency, state,
  created_at as createdAt, refunded_at as refundedAt, due_at as dueAt, due_state as dueState, why`;

const lockedMilliseconds = 10_000;

/** Opens the file and creates it if necessary. Several processes may open it; writers take turns. */
export function openFile(file: string): DatabaseSync {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makePrivateFile(file);
  }
  const db = new DatabaseSync(file, { timeout: lockedMilliseconds });
  // WAL with NORMAL: commits survive a killed process; only a power failure can lose the latest ones.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  db.exec(`begin immediate; ${schema} commit;`);
  addColumns(db);
  return db;
}

/** A file that an earlier version created lacks the columns that came later. */
function addColumns(db: DatabaseSync): void {
  db.exec('begin immediate');
  for (const [table, columns] of Object.entries({ charge: ['merchant_name', 'language', 'bank'], refund: ['why'] })) {
    const known = db.prepare(`select name from pragma_table_info('${table}')`).all();
    for (const column of columns)
      if (!known.some(({ name }) => name === column)) db.exec(`alter table ${table} add column ${column} text`);
  }
  db.exec('commit');
}

/** Every statement, prepared once. */
const prepareAll = (db: DatabaseSync) => ({
  ...chargeStatements(db),
  ...refundStatements(db),
  ...callbackStatements(db),
  ...disputeStatements(db),
  ...otherStatements(db),
});

function chargeStatements(db: DatabaseSync) {
  return {
    insertCharge: db.prepare(
      `insert into charge (key, amount_minor, currency, kind, card_tail, description, return_url, link_id, state, reason,
         created_at, captured_at, canceled_at, due_at, due_state, due_reason, merchant_name, language, bank)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (key) do nothing`,
    ),
    findCharge: db.prepare(`select ${chargeColumns} from charge where key = ?`),
    findChargeByLink: db.prepare(`select ${chargeColumns} from charge where link_id = ?`),
    updateCharge: db.prepare(
      `update charge set state = ?, reason = ?, captured_at = ?, canceled_at = ?, due_at = ?, due_state = ?, due_reason = ?
       where key = ?`,
    ),
    listDueCharges: db.prepare(`select ${chargeColumns} from charge where due_at <= ? order by due_at, key limit ?`),
    listCharges: db.prepare(`select ${chargeColumns} from charge order by created_at, key`),
  };
}

function refundStatements(db: DatabaseSync) {
  return {
    insertRefund: db.prepare(
      `insert into refund (key, charge_key, amount_minor, currency, state, created_at, refunded_at, due_at, due_state, why)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (key) do nothing`,
    ),
    findRefund: db.prepare(`select ${refundColumns} from refund where key = ?`),
    updateRefund: db.prepare(
      'update refund set state = ?, refunded_at = ?, due_at = null, due_state = null where key = ?',
    ),
    listDueRefunds: db.prepare(`select ${refundColumns} from refund where due_at <= ? order by due_at, key limit ?`),
    // Waiting refunds count too: their money is promised.
    sumRefunds: db.prepare(
      `select coalesce(sum(amount_minor), 0) as sumMinor from refund where charge_key = ?1 and state <> 'declined'
          and not exists (select 1 from move where move.kind = 'refundReturned' and move.key = refund.key and move.at <= ?2)`,
    ),
    listRefunds: db.prepare(`select ${refundColumns} from refund order by created_at, key`),
  };
}

function callbackStatements(db: DatabaseSync) {
  const claim = (which: string) =>
    db.prepare(
      `update callback set claimed_until = ?1 where id in (
         select id from callback
         where delivered_at is null and due_at <= ?2 and (claimed_until is null or claimed_until <= ?2) ${which}
         order by due_at, id limit ?3)
       returning id, key, body, tries, due_at as dueAt`,
    );
  return {
    findNextDue: db.prepare(
      `select min(due_at) as dueAt from (
         select min(due_at) as due_at from charge where due_at is not null
         union all select min(due_at) from refund where due_at is not null
         union all select min(due_at) from dispute
         union all select min(due_at) from callback where delivered_at is null)`,
    ),
    insertCallback: db.prepare('insert into callback (key, body, due_at) values (?, ?, ?)'),
    claimCallbacks: claim(''),
    claimCallbacksOf: claim('and key = ?4'),
    saveDelivered: db.prepare('update callback set delivered_at = ?, tries = tries + 1 where id = ?'),
    saveFailed: db.prepare(
      `update callback set tries = tries + 1, due_at = ?, claimed_until = null where id = ? and delivered_at is null`,
    ),
  };
}

function disputeStatements(db: DatabaseSync) {
  const columns = 'key, state, amount_minor as amountMinor, due_at as dueAt, due_state as dueState';
  return {
    saveDispute: db.prepare(
      `insert into dispute (key, state, amount_minor, due_at, due_state) values (?, ?, ?, ?, ?)
       on conflict (key) do update set state = excluded.state, amount_minor = excluded.amount_minor,
         due_at = excluded.due_at, due_state = excluded.due_state`,
    ),
    listDueDisputes: db.prepare(`select ${columns} from dispute where due_at <= ? order by due_at, key limit ?`),
    findDisputed: db.prepare(`select amount_minor as minor from dispute where key = ? and state in ('opened', 'lost')`),
  };
}

function otherStatements(db: DatabaseSync) {
  return {
    insertAlias: db.prepare(
      `insert or replace into merchant_alias (value, merchant, type, label, charge_key, registered_at)
       values (?, ?, ?, ?, ?, ?)`,
    ),
    listAliases: db.prepare(
      'select merchant, value, type, label, charge_key as chargeKey from merchant_alias order by value, merchant',
    ),
    listAliasMerchants: db.prepare('select merchant from merchant_alias where value = ?'),
    insertMishap: db.prepare(
      'insert into mishap (name, key, first_at) values (?, ?, ?) on conflict (name, key) do nothing',
    ),
    findMishap: db.prepare('select first_at as firstAt from mishap where name = ? and key = ?'),
    insertMove: db.prepare(
      `insert into move (kind, key, charge_key, owed_minor, currency, what, at) values (?, ?, ?, ?, ?, ?, ?)
       on conflict do nothing`,
    ),
    findMove: db.prepare('select at from move where kind = ? and key = ? and at <= ?'),
    findFaults: db.prepare('select body from faults where one = 1'),
    saveFaults: db.prepare(
      'insert into faults (one, body) values (1, ?) on conflict (one) do update set body = excluded.body',
    ),
  };
}

export class Store {
  readonly #statements: ReturnType<typeof prepareAll>;

  constructor(db: DatabaseSync) {
    this.#statements = prepareAll(db);
  }

  /** Returns false and changes nothing if the key exists. */
  insertCharge(row: ChargeRow): boolean {
    const { changes } = this.#statements.insertCharge.run(
      row.key,
      row.amountMinor,
      row.currency,
      row.kind,
      row.cardTail,
      row.description,
      row.returnUrl,
      row.linkId,
      row.state,
      row.reason,
      row.createdAt,
      row.capturedAt,
      row.canceledAt,
      row.dueAt,
      row.dueState,
      row.dueReason,
      row.merchantName,
      row.language,
      row.bank,
    );
    return changes === 1;
  }

  findCharge(key: string): ChargeRow | undefined {
    return this.#statements.findCharge.get(key) as ChargeRow | undefined;
  }

  findChargeByLink(linkId: string): ChargeRow | undefined {
    return this.#statements.findChargeByLink.get(linkId) as ChargeRow | undefined;
  }

  updateCharge(row: ChargeRow): void {
    const { state, reason, capturedAt, canceledAt, dueAt, dueState, dueReason, key } = row;
    this.#statements.updateCharge.run(state, reason, capturedAt, canceledAt, dueAt, dueState, dueReason, key);
  }

  listDueCharges(now: number, limit: number): ChargeRow[] {
    return this.#statements.listDueCharges.all(now, limit) as unknown as ChargeRow[];
  }

  insertRefund(row: RefundRow): boolean {
    const { key, chargeKey, amountMinor, currency, state, createdAt, refundedAt, dueAt, dueState, why } = row;
    const { changes } = this.#statements.insertRefund.run(
      key,
      chargeKey,
      amountMinor,
      currency,
      state,
      createdAt,
      refundedAt,
      dueAt,
      dueState,
      why,
    );
    return changes === 1;
  }

  findRefund(key: string): RefundRow | undefined {
    return this.#statements.findRefund.get(key) as RefundRow | undefined;
  }

  updateRefund(key: string, state: RefundState, refundedAt: number | null): void {
    this.#statements.updateRefund.run(state, refundedAt, key);
  }

  listDueRefunds(now: number, limit: number): RefundRow[] {
    return this.#statements.listDueRefunds.all(now, limit) as unknown as RefundRow[];
  }

  /** Without those that came back. */
  sumRefunds(chargeKey: string, now: number): number {
    return (this.#statements.sumRefunds.get(chargeKey, now) as { sumMinor: number }).sumMinor;
  }

  /** An alias of the payer's account; the latest registration wins. */
  insertAlias(alias: AliasRow, registeredAt: number): void {
    this.#statements.insertAlias.run(
      alias.value,
      alias.merchant,
      alias.type,
      alias.label,
      alias.chargeKey,
      registeredAt,
    );
  }

  /** The merchants for which payers registered this alias. */
  listAliasMerchants(value: string): string[] {
    return this.#statements.listAliasMerchants.all(value).map((row) => String(row.merchant));
  }

  listAliases(): AliasRow[] {
    return this.#statements.listAliases.all() as unknown as AliasRow[];
  }

  /** When the bank next acts by itself. */
  findNextDue(): number | null {
    return (this.#statements.findNextDue.get() as { dueAt: number | null }).dueAt;
  }

  insertCallback(key: string, body: string, dueAt: number): void {
    this.#statements.insertCallback.run(key, body, dueAt);
  }

  /** Claims due callbacks until the claim expires, longest due first; only those of `key` if given. */
  claimCallbacks(now: number, claimedUntil: number, limit: number, key?: string): CallbackRow[] {
    const rows =
      key === undefined
        ? this.#statements.claimCallbacks.all(claimedUntil, now, limit)
        : this.#statements.claimCallbacksOf.all(claimedUntil, now, limit, key);
    const claimed = rows as unknown as (CallbackRow & { dueAt: number })[];
    return claimed.sort((left, right) => left.dueAt - right.dueAt || left.id - right.id);
  }

  saveDelivered(id: number, now: number): void {
    this.#statements.saveDelivered.run(now, id);
  }

  saveFailed(id: number, dueAt: number): void {
    this.#statements.saveFailed.run(dueAt, id);
  }

  /** Replaces what was known of it. */
  saveDispute({ key, state, amountMinor, dueAt, dueState }: DisputeRow): void {
    this.#statements.saveDispute.run(key, state, amountMinor, dueAt, dueState);
  }

  listDueDisputes(now: number, limit: number): DisputeRow[] {
    return this.#statements.listDueDisputes.all(now, limit) as unknown as DisputeRow[];
  }

  /** What the payer's bank has of a charge. */
  findDisputed(key: string): number {
    return (this.#statements.findDisputed.get(key) as { minor: number } | undefined)?.minor ?? 0;
  }

  /** What moves besides captures, refunds and payouts; perhaps later. Once per kind and key. */
  insertMove({ kind, key, chargeKey, owedMinor, currency, what, at }: MoveRow): void {
    this.#statements.insertMove.run(kind, key, chargeKey, owedMinor, currency, what, at);
  }

  /** Whether it has moved by now. */
  hasMove(kind: MoveRow['kind'], key: string, now: number): boolean {
    return this.#statements.findMove.get(kind, key, now) !== undefined;
  }

  /** When this fault first struck the key, and whether that is now. */
  meetMishap(name: string, key: string, now: number): { first: boolean; firstAt: number } {
    const first = this.#statements.insertMishap.run(name, key, now).changes === 1;
    return first
      ? { first, firstAt: now }
      : { first, firstAt: (this.#statements.findMishap.get(name, key) as { firstAt: number }).firstAt };
  }

  findFaults(): string {
    return (this.#statements.findFaults.get() as { body: string } | undefined)?.body ?? '{}';
  }

  saveFaults(faults: Faults): void {
    this.#statements.saveFaults.run(JSON.stringify(faults));
  }

  listCharges(): ChargeRow[] {
    return this.#statements.listCharges.all() as unknown as ChargeRow[];
  }

  listRefunds(): RefundRow[] {
    return this.#statements.listRefunds.all() as unknown as RefundRow[];
  }
}

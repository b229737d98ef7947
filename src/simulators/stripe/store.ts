// All SQL of the fake, in a file of its own or in memory. Objects are documents with the two values that lists filter by
// beside them. Instants are in milliseconds since 1970, `created` in seconds, as in the API.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { makePrivateFile } from '../../embedded/index.ts';
import type { DueAction, HiddenOf, ObjectKind, Objects, Row } from './model.ts';

const schema = `
  create table if not exists object (
    seq integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    scope text not null,
    created integer not null,
    changed integer not null,
    first text,
    second text,
    body text not null,
    hidden text not null
  ) strict;
  create index if not exists object_kind on object (scope, kind, seq);
  create index if not exists object_first on object (scope, kind, first, seq) where first is not null;
  create index if not exists object_second on object (scope, kind, second, seq) where second is not null;

  create table if not exists due (
    id integer primary key,
    at integer not null,
    scope text not null,
    body text not null
  ) strict;
  create index if not exists due_at on due (at, id);

  create table if not exists used_key (
    scope text not null,
    key text not null,
    endpoint text not null,
    parameters text not null,
    used_at integer not null,
    request_id text not null,
    status integer,
    body text,
    primary key (scope, key)
  ) strict, without rowid;

  create table if not exists webhook_try (
    id integer primary key,
    endpoint text not null,
    event text not null,
    due_at integer not null,
    place integer not null,
    tries integer not null default 0,
    ended_at integer
  ) strict;
  create index if not exists webhook_try_due on webhook_try (due_at, place) where ended_at is null;

  create table if not exists memory (name text primary key, body text not null) strict, without rowid;
`;

export interface UsedKey {
  readonly endpoint: string;
  readonly parameters: string;
  readonly usedAt: number;
  readonly requestId: string;
  /** Null while the first request runs. */
  readonly status: number | null;
  readonly body: string | null;
}

export interface WebhookTry {
  readonly id: number;
  readonly endpoint: string;
  readonly event: string;
  readonly tries: number;
}

export interface ListQuery {
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** `created` at least and less than. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly olderThan?: number | undefined;
  readonly newerThan?: number | undefined;
  readonly limit: number;
}

export function openFile(file: string): DatabaseSync {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makePrivateFile(file);
  }
  const db = new DatabaseSync(file);
  // WAL with NORMAL: commits survive a killed process.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  db.exec(`begin immediate; ${schema} commit;`);
  // Their requests ended with the process, and what they did was not committed.
  db.exec('delete from used_key where status is null');
  return db;
}

const prepareAll = (db: DatabaseSync) => ({
  insert: db.prepare(
    `insert into object (id, kind, scope, created, changed, first, second, body, hidden)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  save: db.prepare('update object set changed = ?, first = ?, second = ?, body = ?, hidden = ? where id = ?'),
  find: db.prepare('select seq, body, hidden from object where id = ? and scope = ? and kind = ?'),
  findScope: db.prepare('select scope from object where id = ?'),
  findAny: db.prepare('select body from object where id = ? and scope = ?'),
  findLink: db.prepare(
    `select id, scope, kind from object where kind in ('payment_intent', 'setup_intent')
     and json_extract(hidden, '$.link') = ? limit 1`,
  ),
  search: db.prepare(
    `select body from object where scope = ? and kind = ? and changed <= ? and json_extract(body, ?) = ?
     order by seq desc limit ?`,
  ),
  waiting: db.prepare(
    `select body, hidden from object where kind = 'payment_intent'
     and json_extract(body, '$.status') = 'requires_action' order by seq desc limit 50`,
  ),
  sumBalance: db.prepare(
    `select coalesce(sum(json_extract(body, '$.net')) filter (where json_extract(body, '$.available_on') <= ?), 0)
       as available,
       coalesce(sum(json_extract(body, '$.net')) filter (where json_extract(body, '$.available_on') > ?), 0) as pending
     from object where scope = ? and kind = 'balance_transaction'`,
  ),
  notPaidOut: db.prepare(
    `select body from object where scope = ? and kind = 'balance_transaction' and first is null
     and json_extract(body, '$.available_on') <= ? and json_extract(body, '$.type') not like 'payout%'`,
  ),
  insertDue: db.prepare('insert into due (at, scope, body) values (?, ?, ?)'),
  claimDue: db.prepare(
    'delete from due where id = (select id from due where at <= ? order by at, id limit 1) returning at, scope, body',
  ),
  nextDue: db.prepare('select min(at) as at from due'),
  findKey: db.prepare(
    `select endpoint, parameters, used_at as usedAt, request_id as requestId, status, body from used_key
     where scope = ? and key = ?`,
  ),
  insertKey: db.prepare(
    `insert or replace into used_key (scope, key, endpoint, parameters, used_at, request_id) values (?, ?, ?, ?, ?, ?)`,
  ),
  endKey: db.prepare('update used_key set status = ?, body = ? where scope = ? and key = ?'),
  deleteKey: db.prepare('delete from used_key where scope = ? and key = ?'),
  insertTry: db.prepare('insert into webhook_try (endpoint, event, due_at, place) values (?, ?, ?, ?)'),
  listTries: db.prepare(
    `select id, endpoint, event, tries from webhook_try where ended_at is null and due_at <= ?
     and endpoint in (select value from json_each(?)) order by place, id limit ?`,
  ),
  endTry: db.prepare('update webhook_try set ended_at = ?, tries = tries + 1 where id = ?'),
  putOffTry: db.prepare('update webhook_try set due_at = ?, tries = tries + 1 where id = ?'),
  remember: db.prepare('insert or replace into memory (name, body) values (?, ?)'),
  recall: db.prepare('select body from memory where name = ?'),
});

/** The values that lists of a kind filter by. */
const linksOf: { readonly [Kind in ObjectKind]?: (row: Row<Kind>) => readonly [unknown, unknown] } = {
  payment_intent: ({ object }) => [object.customer, null],
  payment_method: ({ object }) => [object.customer, object.type],
  charge: ({ object }) => [object.payment_intent, object.customer],
  refund: ({ object }) => [object.payment_intent, object.charge],
  dispute: ({ object }) => [object.payment_intent, object.charge],
  payout: ({ object }) => [object.status, null],
  balance_transaction: ({ object, hidden }) => [hidden.payout, object.type],
  event: ({ object }) => [null, object.type],
};

function links<Kind extends ObjectKind>(kind: Kind, row: Row<Kind>): [string | null, string | null] {
  const [first, second] = linksOf[kind]?.(row) ?? [null, null];
  return [typeof first === 'string' ? first : null, typeof second === 'string' ? second : null];
}

export class Store {
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof prepareAll>;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = prepareAll(db);
  }

  /** All or nothing; work that ends with a failure of `keeps` is kept. */
  atomic<Result>(work: () => Result, keeps: (error: unknown) => boolean = () => false): Result {
    this.#db.exec('begin immediate');
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      this.#db.exec(keeps(error) ? 'commit' : 'rollback');
      throw error;
    }
  }

  insert<Kind extends ObjectKind>(kind: Kind, scope: string, row: Row<Kind>, now: number): void {
    const { object, hidden } = row;
    const created = 'created' in object ? object.created : now;
    const texts = [...links(kind, row), JSON.stringify(object), JSON.stringify(hidden)] as const;
    this.#sql.insert.run(object.id, kind, scope, created ?? now, now, ...texts);
  }

  save<Kind extends ObjectKind>(kind: Kind, row: Row<Kind>, now: number): void {
    const { object, hidden } = row;
    this.#sql.save.run(now, ...links(kind, row), JSON.stringify(object), JSON.stringify(hidden), object.id);
  }

  find<Kind extends ObjectKind>(kind: Kind, scope: string, id: string): Row<Kind> | undefined {
    return rowFrom<Kind>(this.#sql.find.get(id, scope, kind));
  }

  findSeq(kind: ObjectKind, scope: string, id: string): number | undefined {
    return this.#sql.find.get(id, scope, kind)?.seq as number | undefined;
  }

  /** Whose object it is, whoever asks. */
  findScope(id: string): string | undefined {
    return this.#sql.findScope.get(id)?.scope as string | undefined;
  }

  /** For expanding. */
  findAny(id: string, scope: string): object | undefined {
    const found = this.#sql.findAny.get(id, scope);
    return found && (JSON.parse(String(found.body)) as object);
  }

  findLink(link: string): { id: string; scope: string; kind: 'payment_intent' | 'setup_intent' } | undefined {
    return this.#sql.findLink.get(link) as
      | { id: string; scope: string; kind: 'payment_intent' | 'setup_intent' }
      | undefined;
  }

  /** Newest first, or oldest first after `newerThan`. */
  list<Kind extends ObjectKind>(kind: Kind, scope: string, query: ListQuery): Objects[Kind][] {
    const conditions: [string, SQLInputValue | undefined][] = [
      ['first = ?', query.first],
      ['second = ?', query.second],
      ['created >= ?', query.from],
      ['created < ?', query.until],
      ['seq < ?', query.olderThan],
      ['seq > ?', query.newerThan],
    ];
    const given = conditions.flatMap(([text, value]) => (value === undefined ? [] : [{ text, value }]));
    const where = ['scope = ?', 'kind = ?', ...given.map(({ text }) => text)].join(' and ');
    const order = query.newerThan === undefined ? 'desc' : 'asc';
    const rows = this.#db
      .prepare(`select body from object where ${where} order by seq ${order} limit ?`)
      .all(scope, kind, ...given.map(({ value }) => value), query.limit);
    return rows.map(({ body }) => JSON.parse(String(body)) as Objects[Kind]);
  }

  /** Those whose value at the path is this one, and that did not change since. */
  search<Kind extends ObjectKind>(
    kind: Kind,
    scope: string,
    { path, value, before, limit }: { path: string; value: string; before: number; limit: number },
  ): Objects[Kind][] {
    const rows = this.#sql.search.all(scope, kind, before, path, value, limit);
    return rows.map(({ body }) => JSON.parse(String(body)) as Objects[Kind]);
  }

  /** Payments that wait for their payers, in every scope. */
  listWaiting(): Row<'payment_intent'>[] {
    return this.#sql.waiting.all().flatMap((row) => rowFrom<'payment_intent'>(row) ?? []);
  }

  sumBalance(scope: string, now: number): { available: number; pending: number } {
    return this.#sql.sumBalance.get(now, now, scope) as { available: number; pending: number };
  }

  listNotPaidOut(scope: string, now: number): Objects['balance_transaction'][] {
    return this.#sql.notPaidOut.all(scope, now).map(({ body }) => JSON.parse(String(body)));
  }

  insertDue(at: number, scope: string, action: DueAction): void {
    this.#sql.insertDue.run(at, scope, JSON.stringify(action));
  }

  claimDue(now: number): { at: number; scope: string; action: DueAction } | undefined {
    const claimed = this.#sql.claimDue.get(now);
    if (!claimed) return undefined;
    const action = JSON.parse(String(claimed.body)) as DueAction;
    return { at: Number(claimed.at), scope: String(claimed.scope), action };
  }

  findNextDue(): number | null {
    return (this.#sql.nextDue.get() as { at: number | null }).at;
  }

  findKey(scope: string, key: string): UsedKey | undefined {
    return this.#sql.findKey.get(scope, key) as UsedKey | undefined;
  }

  insertKey(scope: string, key: string, used: Omit<UsedKey, 'status' | 'body'>): void {
    this.#sql.insertKey.run(scope, key, used.endpoint, used.parameters, used.usedAt, used.requestId);
  }

  endKey(scope: string, key: string, status: number, body: string): void {
    this.#sql.endKey.run(status, body, scope, key);
  }

  deleteKey(scope: string, key: string): void {
    this.#sql.deleteKey.run(scope, key);
  }

  insertTry(endpoint: string, event: string, dueAt: number, place: number): void {
    this.#sql.insertTry.run(endpoint, event, dueAt, place);
  }

  listTries(now: number, endpoints: readonly string[], limit: number): WebhookTry[] {
    return this.#sql.listTries.all(now, JSON.stringify(endpoints), limit) as unknown as WebhookTry[];
  }

  endTry(id: number, now: number): void {
    this.#sql.endTry.run(now, id);
  }

  putOffTry(id: number, dueAt: number): void {
    this.#sql.putOffTry.run(dueAt, id);
  }

  remember(name: string, value: unknown): void {
    this.#sql.remember.run(name, JSON.stringify(value));
  }

  recall<Value>(name: string, otherwise: Value): Value {
    const found = this.#sql.recall.get(name);
    return found ? (JSON.parse(String(found.body)) as Value) : otherwise;
  }

  close(): void {
    this.#db.close();
  }
}

function rowFrom<Kind extends ObjectKind>(found: Record<string, unknown> | undefined): Row<Kind> | undefined {
  if (!found) return undefined;
  return {
    object: JSON.parse(String(found.body)) as Objects[Kind],
    hidden: JSON.parse(String(found.hidden)) as HiddenOf<Kind>,
  };
}

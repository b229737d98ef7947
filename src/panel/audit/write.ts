// Writes the audit log: what is to be done before it is done, then its outcome.

import { Refusal, Unavailable } from '../../kernel/index.ts';
import type { Call, Database, Route, Sql } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import { type Actor, actorOf, type Person } from '../model.ts';
import { type AuditRow, auditDetails, auditHash, auditStart } from './rules.ts';
import { findEntry, insertEntry, lockLastEntry } from './store.ts';

export interface Deed {
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  readonly asked?: unknown;
}

type AuditTools = Pick<Tools, 'wall'> & { readonly db: Database };

const userAgentAtMost = 300;

async function append(sql: Sql, row: Omit<AuditRow, 'position' | 'hash'>): Promise<bigint> {
  const last = await lockLastEntry(sql);
  const entry = { ...row, position: (last?.position ?? 0n) + 1n };
  await insertEntry(sql, { ...entry, hash: auditHash(last?.hash ?? auditStart, entry) });
  return entry.position;
}

/** Writes what is about to be done; durable when it resolves. */
export function beginDeed({ db, wall }: AuditTools, deed: Deed): Promise<bigint> {
  return db.atomic((sql) => append(sql, rowOf(deed, wall.now())));
}

function rowOf({ actor, action, target, asked }: Deed, at: Temporal.Instant): Omit<AuditRow, 'position' | 'hash'> {
  return {
    ofPosition: null,
    at,
    userId: actor.userId,
    email: actor.email,
    accountId: actor.accountId,
    action,
    target,
    details: auditDetails(asked),
    outcome: null,
    address: actor.client.address,
    userAgent: actor.client.userAgent.slice(0, userAgentAtMost).toWellFormed(),
  };
}

export function endDeed({ db, wall }: AuditTools, position: bigint, outcome: string): Promise<void> {
  return db.atomic(async (sql) => {
    const begun = await findEntry(sql, position);
    if (!begun) throw new Error(`There is no entry ${position} in the audit log.`);
    const { hash: _, position: __, ...row } = begun;
    await append(sql, { ...row, ofPosition: position, at: wall.now(), details: '{}', outcome });
  });
}

/** Writes a deed with its outcome, for what is over in one step. */
export async function writeDeed(tools: AuditTools, deed: Deed, outcome: string): Promise<void> {
  await endDeed(tools, await beginDeed(tools, deed), outcome);
}

function outcomeOf(error: unknown): string {
  return error instanceof Refusal || error instanceof Unavailable ? error.code : 'internal_server_error';
}

/** Runs something that a person does, with entries before and after it. */
export async function audited<T>(tools: AuditTools, deed: Deed, run: () => Promise<T>): Promise<T> {
  const position = await beginDeed(tools, deed);
  let result: T;
  try {
    result = await run();
  } catch (error) {
    await endDeed(tools, position, outcomeOf(error));
    throw error;
  }
  await endDeed(tools, position, 'ok');
  return result;
}

/** The route with an entry in the audit log for each request that changes something; previews change nothing. */
export function auditedRoute(tools: AuditTools, route: Route<Person>): Route<Person> {
  const { endpoint, handle } = route;
  if (endpoint.method === 'GET' || endpoint.access === 'none') return route;
  return {
    ...route,
    handle: (call) => (isPreview(call.query) ? handle(call) : audited(tools, deedOf(call), () => handle(call))),
  };

  function deedOf(call: Call<typeof endpoint, Person, unknown>): Deed {
    const params = (call.params ?? {}) as Record<string, string>;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    const actor = actorOf(call.caller as Person, call.client());
    return { actor, action: endpoint.id, target: `${endpoint.method} ${path.slice(0, 300)}`, asked: call.body };
  }
}

function isPreview(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'dryRun' in query && query.dryRun === true;
}

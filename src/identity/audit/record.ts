// Records actions in the audit log: what is to be done before it is done, then its outcome.

import type { Database } from '../../database/index.ts';
import type { Call, Route } from '../../http/index.ts';
import { Refusal, Unavailable } from '../../kernel/index.ts';
import { StartFault } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { cut, maskedTexts } from '../mask.ts';
import { type Actor, actorOf, type Person } from '../model.ts';
import { subjectOf } from '../subject.ts';
import { type AuditRow, auditDetails } from './rules.ts';
import { appendEntries, type NewEntry } from './store.ts';

export interface AuditedAction {
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  /** The id of what it is about. */
  readonly subjectId?: string | null;
  readonly asked?: unknown;
}

type AuditTools = Pick<Tools, 'wall' | 'log' | 'vault'> & { readonly db: Database };

const userAgentAtMost = 300;

/** Writes what is about to be done; durable when it resolves. */
export function beginAction({ db, wall, vault }: AuditTools, action: AuditedAction): Promise<AuditRow> {
  return db.batch(appendEntries(vault), rowOf(action, wall.now()));
}

/** What is hashed is what is stored: PostgreSQL would replace half a character, and refuses a null. */
const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd');

function rowOf({ actor, action, target, subjectId = null, asked }: AuditedAction, at: Temporal.Instant): NewEntry {
  return {
    ofPosition: null,
    at,
    userId: actor.userId,
    email: storable(maskedTexts(actor.email)),
    accountId: actor.accountId,
    action,
    target: storable(maskedTexts(target)),
    subjectId,
    details: storable(auditDetails(asked)),
    outcome: null,
    address: storable(actor.client.address),
    userAgent: storable(maskedTexts(cut(actor.client.userAgent, userAgentAtMost))),
  };
}

export async function endAction({ db, wall, vault }: AuditTools, begun: AuditRow, outcome: string): Promise<void> {
  const { hash: _, position, ...row } = begun;
  await db.batch(appendEntries(vault), { ...row, ofPosition: position, at: wall.now(), details: '{}', outcome });
}

/** Records an action with its outcome, for what is over in one step. */
export async function recordAction(tools: AuditTools, action: AuditedAction, outcome: string): Promise<void> {
  await endAction(tools, await beginAction(tools, action), outcome);
}

function outcomeOf(error: unknown): string {
  if (error instanceof StartFault) return 'refused';
  return error instanceof Refusal || error instanceof Unavailable ? error.code : 'internal_server_error';
}

/** Runs something that a person does, with entries before and after it. */
export async function audited<T>(tools: AuditTools, action: AuditedAction, run: () => Promise<T>): Promise<T> {
  const begun = await beginAction(tools, action);
  let result: T;
  try {
    result = await run();
  } catch (error) {
    await tryEnding(tools, begun, outcomeOf(error));
    throw error;
  }
  await tryEnding(tools, begun, 'ok');
  return result;
}

/** What was done stays done, and is told so: the entry remains one that was begun. */
async function tryEnding(tools: AuditTools, begun: AuditRow, outcome: string): Promise<void> {
  const { position, action } = begun;
  await endAction(tools, begun, outcome).catch((error: unknown) =>
    tools.log.error(
      { err: error, position: String(position), action, outcome },
      'the outcome of an action was not recorded',
    ),
  );
}

/** The route with an entry in the audit log for each request that changes something; previews change nothing. */
export function auditedRoute(tools: AuditTools, route: Route<Person>): Route<Person> {
  const { endpoint, handle } = route;
  if (endpoint.method === 'GET' || endpoint.access === 'none') return route;
  return {
    ...route,
    handle: (call) => (isPreview(call.query) ? handle(call) : audited(tools, actionOf(call), () => handle(call))),
  };

  function actionOf(call: Call<typeof endpoint, Person, unknown>): AuditedAction {
    const params = (call.params ?? {}) as Record<string, string>;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    const actor = actorOf(call.caller as Person, call.client());
    const target = `${endpoint.method} ${path.slice(0, 300)}`;
    return { actor, action: endpoint.id, target, subjectId: subjectOf(params), asked: call.body };
  }
}

function isPreview(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'dryRun' in query && query.dryRun === 'true';
}

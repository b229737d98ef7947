// What every operation of the fake gets: the record, the time, ids, settings, and whose request it is.

import { lettersOf } from './ids.ts';
import type { DueAction, HiddenOf, ObjectKind, Objects, Row, Scope } from './model.ts';
import { scopeName } from './model.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** The version that the official SDK pins. */
export const currentVersion = '2026-10-28.endive';

export interface Context {
  readonly store: Store;
  readonly seed: string;
  readonly scope: Scope;
  readonly settings: Settings;
  /** In seconds since 1970, as the API says times. */
  readonly now: number;
  readonly version: string;
  /** Null when the provider acts by itself. */
  readonly request: { readonly id: string; readonly idempotency_key: string | null } | null;
  /** The address of its pages. */
  readonly pagesUrl: string;
}

export function newId({ store, seed }: Pick<Context, 'store' | 'seed'>, prefix: string): string {
  const count = store.recall('ids', 0) + 1;
  store.remember('ids', count);
  return `${prefix}_3${lettersOf(23, seed, prefix, count)}`;
}

export function add<Kind extends ObjectKind>(
  context: Context,
  kind: Kind,
  object: Objects[Kind],
  hidden: HiddenOf<Kind>,
): Row<Kind> {
  const row: Row<Kind> = { object, hidden };
  context.store.insert(kind, scopeName(context.scope), row, context.now);
  return row;
}

/** Writes the row with some fields changed, and returns it. */
export function change<Kind extends ObjectKind>(
  context: Context,
  kind: Kind,
  row: Row<Kind>,
  fields: Partial<Objects[Kind]>,
  hidden: Partial<HiddenOf<Kind>> = {},
): Row<Kind> {
  const changed: Row<Kind> = {
    object: { ...row.object, ...fields },
    hidden: (row.hidden === null ? null : { ...row.hidden, ...hidden }) as HiddenOf<Kind>,
  };
  context.store.save(kind, changed, context.now);
  return changed;
}

export function find<Kind extends ObjectKind>(context: Context, kind: Kind, id: string): Row<Kind> | undefined {
  return context.store.find(kind, scopeName(context.scope), id);
}

export function plan(context: Context, seconds: number, action: DueAction): void {
  context.store.insertDue((context.now + seconds) * 1_000, scopeName(context.scope), action);
}

// The audit log's chain of hashes, and what is written into it. Pure.

import { createHash } from 'node:crypto';
import type { RowOf } from '../../database/index.ts';
import { withoutSecrets } from '../mask.ts';
import type { auditTable } from '../table.ts';

export type AuditRow = RowOf<typeof auditTable>;

/** The predecessor of the first entry. */
export const auditStart = new Uint8Array(32);

/** The hash of an entry: over the one before it and all its own columns. */
export function auditHash(before: Uint8Array, row: Omit<AuditRow, 'hash'>): Buffer {
  const own = JSON.stringify([
    String(row.position),
    row.ofPosition === null ? null : String(row.ofPosition),
    // Whole: the database keeps microseconds.
    String(row.at.epochNanoseconds),
    row.userId,
    row.email,
    row.accountId,
    row.action,
    row.target,
    row.subjectId,
    row.details,
    row.outcome,
    row.address,
    row.userAgent,
  ]);
  return createHash('sha256').update(before).update(own).digest();
}

const detailsAtMost = 4_000;

/** How much is kept of long texts and lists, until everything fits. */
const cuts = [
  { characters: 500, items: 100 },
  { characters: 200, items: 50 },
  { characters: 80, items: 10 },
  { characters: 40, items: 3 },
  { characters: 20, items: 1 },
] as const;

/** What was asked for, as JSON without secrets. Long values are shortened; names and short values stay. */
export function auditDetails(asked: unknown): string {
  const plain = withoutSecrets(asked) ?? {};
  const text = textOf(plain);
  if (text.length <= detailsAtMost) return text;
  let shorter: unknown = plain;
  for (const cut of cuts) {
    shorter = shortened(plain, cut);
    if (textOf(shorter).length <= detailsAtMost) return textOf(shorter);
  }
  // Only an object or a list can still be too long.
  return textOf(fitting(shorter as object));
}

function textOf(value: unknown): string {
  return (JSON.stringify(value) ?? '{}').toWellFormed();
}

function shortened(value: unknown, cut: { readonly characters: number; readonly items: number }): unknown {
  if (typeof value === 'string') {
    if (value.length <= cut.characters * 2) return value;
    // A text that was too long to be masked says itself how long it was.
    const note = /… \(\d+ characters\)$/.exec(value)?.[0] ?? `… (${value.length} characters)`;
    return `${value.slice(0, cut.characters)}${note}`;
  }
  if (Array.isArray(value)) {
    const first = value.slice(0, cut.items).map((item) => shortened(item, cut));
    // So does a list that was too long.
    const last: unknown = value.at(-1);
    const note = typeof last === 'string' && /^… \(\d+ items\)$/.test(last) ? last : `… (${value.length} items)`;
    return value.length > cut.items ? [...first, note] : first;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, cut)]));
}

const nameAtMost = 100;
/** What a value costs of which only the length is kept. */
const lengthCosts = 32;

/** Of one that is still too long: its names, with the values that fit, the shortest first; of others the length. */
function fitting(value: object): unknown {
  const all = Object.entries(value).map(([name, inner]) => ({ name: name.slice(0, nameAtMost), inner }));
  let room = detailsAtMost - lengthCosts;
  const shown = new Map<string, unknown>();
  for (const { name, inner } of all) {
    room -= name.length + lengthCosts;
    if (room >= 0) shown.set(name, `… (${textOf(inner).length} characters)`);
  }
  const shortest = all.toSorted((one, other) => textOf(one.inner).length - textOf(other.inner).length);
  for (const { name, inner } of shortest) {
    room -= textOf(inner).length;
    if (room >= 0 && shown.has(name)) shown.set(name, inner);
  }
  const missing = all.length - shown.size;
  return Object.fromEntries([...shown, ...(missing > 0 ? [['omitted', `${missing} fields`]] : [])]);
}

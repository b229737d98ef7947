// The chain of records: what happened to runs, differences and payouts. Each record has the row as it was afterwards, and
// covers the record before it; so a row that is changed, removed or invented contradicts its last record.

import { hash } from 'node:crypto';
import { type ChainReader, moveHead, type Sql } from '../database/index.ts';
import { canonicalRow } from '../kernel/index.ts';
import type { BookedLine, Item, ItemKind, Moves, Payout, RecordStep, Run, StepRecord, Total } from './model.ts';
import { findLastRecord, findRecordHash, insertRecords, lockChain } from './store/records.ts';
import type { ReconciliationTools } from './tools.ts';

export interface NewRecord {
  /** Also the source of the journal that it posts. */
  readonly id: string;
  readonly step: RecordStep;
  readonly acquirer: string;
  readonly runId: string | null;
  readonly itemId: string | null;
  readonly kind: ItemKind | null;
  readonly key: string | null;
  readonly moves: Pick<Moves, 'receivableMinor' | 'unallocatedMinor' | 'suspenseMinor'> | undefined;
  readonly content: string;
}

/** The predecessor of the first record. */
export const chainStart = new Uint8Array(32);

/** The hash of a record: over the one before it and all its own columns. */
export function recordHash(before: Uint8Array, record: Omit<StepRecord, 'hash'>): Buffer {
  const own = JSON.stringify([
    String(record.position),
    record.id,
    record.at.toString(),
    record.acquirer,
    record.runId,
    record.itemId,
    record.kind,
    record.key,
    record.step,
    minorText(record.movedMinor),
    minorText(record.unallocatedMinor),
    record.content,
  ]);
  return hash('sha256', Buffer.concat([before, Buffer.from(own)]), 'buffer');
}

function minorText(minor: bigint | null): string | null {
  return minor === null ? null : String(minor);
}

/** Appends records in the caller's database transaction; the last lock that it takes before it posts. */
export async function appendRecords(
  { clock, vault }: Pick<ReconciliationTools, 'clock' | 'vault'>,
  sql: Sql,
  records: readonly NewRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await lockChain(sql);
  const last = await findLastRecord(sql);
  const at = clock.now();
  let before: Uint8Array = last?.hash ?? chainStart;
  let position = last?.position ?? 0n;
  const rows = records.map(({ moves, ...record }): StepRecord => {
    position += 1n;
    const unallocatedMinor = moves ? moves.unallocatedMinor + moves.suspenseMinor : null;
    const row = { ...record, movedMinor: moves?.receivableMinor ?? null, unallocatedMinor, position, at };
    before = recordHash(before, row);
    return { ...row, hash: before };
  });
  await insertRecords(sql, rows);
  await moveHead(vault, sql, 'reconciliation', last, { position, hash: before });
}

export function recordChain(sql: Sql): ChainReader {
  return { newest: () => findLastRecord(sql), hashAt: (position) => findRecordHash(sql, position) };
}

/** What a record says in a field; undefined: nothing that can be read, as `verify` reports. */
export function fieldOf(content: string, name: string): string | undefined {
  try {
    const value: unknown = JSON.parse(content)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An amount that a record says; null: none. */
export function minorIn(content: string, name: string): bigint | null {
  const text = fieldOf(content, name) ?? '';
  return /^-?\d+$/.test(text) ? BigInt(text) : null;
}

/** The amounts of a difference. */
export function amountsIn(content: string): { readonly bankMinor: bigint | null; readonly ourMinor: bigint | null } {
  return { bankMinor: minorIn(content, 'bankMinor'), ourMinor: minorIn(content, 'ourMinor') };
}

/** A run that has ended, without what changed while it ran. */
export function contentOfRun({ leaseUntil: _lease, ...run }: Run, totals: readonly Total[]): string {
  const sums = totals.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
  return canonicalRow({ ...run, totals: sums });
}

/** What is known of a run when it starts. */
export function contentOfStart({ id, acquirer, fromAt, toAt, startedAt, nodeId }: Run): string {
  return canonicalRow({ id, acquirer, fromAt, toAt, startedAt, nodeId });
}

/** A difference, without the run that saw it last. */
export function contentOfItem({ seenRunId: _seen, ...item }: Item): string {
  return canonicalRow(item);
}

/** A line as it was booked. */
export function contentOfLine({ toldAt: _told, ...line }: BookedLine): string {
  return canonicalRow(line);
}

export function contentOfPayout(payout: Payout): string {
  return canonicalRow(payout);
}

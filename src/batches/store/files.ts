// SQL of payment files and who got them. Owns: payout_file, payout_handover.

import {
  type Row,
  readBoolean,
  readBytes,
  readInstant,
  readInteger,
  readText,
  type Sql,
  SqlText,
} from '../../database/index.ts';
import { type Payout, readPayout } from '../../payouts/index.ts';
import type { Handover, PayoutFile } from '../model.ts';
import { handoverTable, payoutFileTable } from '../table.ts';

/** All columns but the bytes. */
const columns = new SqlText(
  payoutFileTable.columns
    .map(({ name }) => (name === 'bytes' ? 'null::bytea as bytes' : `payout_file.${name}`))
    .join(', '),
);

const readFile = (row: Row): PayoutFile => {
  const { bytes: _none, ...file } = payoutFileTable.read(row);
  return file;
};

export function findFileOf(sql: Sql, batchId: string): Promise<PayoutFile | undefined> {
  return sql.maybeOne(readFile)`select ${columns} from payout_file where batch_id = ${batchId}`;
}

export function findFileById(sql: Sql, id: string): Promise<PayoutFile | undefined> {
  return sql.maybeOne(readFile)`select ${columns} from payout_file where id = ${id}`;
}

/** Of these batches. */
export function listFilesOf(sql: Sql, batchIds: readonly string[]): Promise<PayoutFile[]> {
  return sql.many(readFile)`
    select ${columns} from payout_file where batch_id = any(${batchIds}::text[]) order by id`;
}

/** The number of the next file of this account. The caller has locked the account. */
export function findNextNumber(sql: Sql, payerNumber: string): Promise<number> {
  return sql.one((row) => readInteger(row, 'number'))`
    select coalesce(max(number), 0) + 1 as number from payout_file where payer_number = ${payerNumber}`;
}

export async function insertFile(sql: Sql, file: PayoutFile): Promise<void> {
  await payoutFileTable.copy(sql, [{ ...file, bytes: null }]);
}

/** Another profile, as long as no bytes are written. */
export async function updateProfile(sql: Sql, id: string, profile: string): Promise<void> {
  await sql.run`update payout_file set profile = ${profile} where id = ${id} and sha256 is null`;
}

export interface Written {
  readonly size: bigint;
  readonly sha256: Uint8Array;
  /** Compressed. */
  readonly bytes: Uint8Array;
  readonly mac: string;
}

export async function updateBytes(sql: Sql, id: string, { size, sha256, bytes, mac }: Written): Promise<void> {
  await sql.run`
    update payout_file set size = ${size}, sha256 = ${sha256}, bytes = ${bytes}, mac = ${mac} where id = ${id}`;
}

/** Compressed. */
export function readBytesOf(sql: Sql, id: string): Promise<Uint8Array> {
  return sql.one((row) =>
    readBytes(row, 'bytes'),
  )`select bytes from payout_file where id = ${id} and bytes is not null`;
}

/** Payouts of a batch after this one, in order. */
export function listPayoutsOf(sql: Sql, batchId: string, after: string, atMost: number): Promise<Payout[]> {
  return sql.many(readPayout)`
    select payout.* from payout_batch_item as item join payout on payout.id = item.payout_id
     where item.batch_id = ${batchId} and item.payout_id > ${after} order by item.payout_id limit ${atMost}`;
}

export function insertHandover(sql: Sql, handover: Handover): Promise<void> {
  return handoverTable.copy(sql, [handover]);
}

export async function isHandedOver(sql: Sql, fileId: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'found'))`
    select exists (select from payout_handover where file_id = ${fileId}) as found`;
}

/** The first one first. */
export function listHandovers(sql: Sql, fileId: string): Promise<Handover[]> {
  return sql.many(
    handoverTable.read,
  )`select * from payout_handover where file_id = ${fileId} order by is_copy, id limit 200`;
}

/** When somebody got the file the last time; undefined: nobody did. */
export function findLastHandover(sql: Sql, fileId: string): Promise<Temporal.Instant | undefined> {
  return sql.maybeOne((row) => readInstant(row, 'at'))`
    select at from payout_handover where file_id = ${fileId} order by at desc limit 1`;
}

/** Files that may still be under another name in this folder; those of batches that have ended are shown to no bank. */
export function listUnplaced(sql: Sql, place: string): Promise<Handover[]> {
  return sql.many(handoverTable.read)`
    select handover.* from payout_handover as handover
      join payout_file as file on file.id = handover.file_id
      join payout_batch as batch on batch.id = file.batch_id and batch.state = 'handed_over'
     where handover.way = 'folder' and handover.placed_at is null and handover.place = ${place}
     order by handover.id limit 1000`;
}

export async function isPlaced(sql: Sql, id: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'placed'))`
    select exists (select from payout_handover where id = ${id} and placed_at is not null) as placed`;
}

export async function markPlaced(sql: Sql, id: string, at: Temporal.Instant): Promise<void> {
  await sql.run`update payout_handover set placed_at = ${at} where id = ${id} and placed_at is null`;
}

/** Batches that have a signature and were not handed over, the oldest first. */
export function listToHandOver(sql: Sql): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from payout_batch where state in ('approved', 'made') order by id limit 1000`;
}

// Reads columns and checks their types, so that a wrong type fails here and not somewhere else.

import { type Codes, type Message, readMessage } from '../../contract/codes/message.ts';
import type { Row } from './sql.ts';

function wrong(column: string, value: unknown, expected: string): never {
  throw new Error(`Column ${column} holds ${typeof value}, expected ${expected}.`);
}

export function readText(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : wrong(column, value, 'text');
}

export function readTextOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : readText(row, column);
}

export function readBigint(row: Row, column: string): bigint {
  const value = row[column];
  return typeof value === 'bigint' ? value : wrong(column, value, 'bigint');
}

/** A whole number of any size. */
export function readWhole(row: Row, column: string): bigint {
  const value = row[column];
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : wrong(column, value, 'whole number');
}

export function readInteger(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' && Number.isInteger(value) ? value : wrong(column, value, 'integer');
}

export function readIntegerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : readInteger(row, column);
}

export function readBoolean(row: Row, column: string): boolean {
  const value = row[column];
  return typeof value === 'boolean' ? value : wrong(column, value, 'boolean');
}

export function readInstant(row: Row, column: string): Temporal.Instant {
  const value = row[column];
  return value instanceof Temporal.Instant ? value : wrong(column, value, 'instant');
}

export function readInstantOrNull(row: Row, column: string): Temporal.Instant | null {
  return row[column] === null ? null : readInstant(row, column);
}

/** A day without a time. */
export function readDay(row: Row, column: string): Temporal.PlainDate {
  const value = row[column];
  return value instanceof Temporal.PlainDate ? value : wrong(column, value, 'day');
}

export function readBytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : wrong(column, value, 'bytes');
}

export function readIntegers(row: Row, column: string): number[] {
  const value = row[column];
  if (!Array.isArray(value)) return wrong(column, value, 'array');
  return value.map((item) => (typeof item === 'number' ? item : wrong(column, item, 'integer')));
}

export function readTexts(row: Row, column: string): string[] {
  const value = row[column];
  if (!Array.isArray(value)) return wrong(column, value, 'array');
  return value.map((item) => (typeof item === 'string' ? item : wrong(column, item, 'text')));
}

/** A jsonb value, already parsed by pg. */
export function readJson(row: Row, column: string): unknown {
  const value = row[column];
  return value === null || value === undefined ? wrong(column, value, 'JSON') : value;
}

/** For rows with the columns `code` and `parameters` (jsonb): the message, checked against its list. */
export function messageReader<C extends Codes>(codes: C): (row: Row) => Message<C> {
  return (row) => readMessage(codes, row.code, readJson(row, 'parameters') as object);
}

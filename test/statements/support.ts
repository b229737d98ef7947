// An account of ours at a bank, and statements of it as texts, for tests of the room.

import assert from 'node:assert/strict';
import { statementSentences } from '../../contract/codes/english/statements.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { FileFault } from '../../src/bankfiles/index.ts';
import { readBigint, readInteger } from '../../src/database/index.ts';
import { type GivenFile, type Imported, StatementFault } from '../../src/statements/index.ts';
import { account } from '../bankfiles/files.ts';
import { type RoomWorld, roomsOf } from '../support/service.ts';

export const openOurs = async (world: RoomWorld) =>
  assert.equal(await (await roomsOf(world)).statements.openAccount(account, 'clients'), true);

type More = Partial<Pick<GivenFile, 'acceptsGap' | 'name' | 'encoding'>>;

/** A file of these bytes, in pieces. */
export function fileOf(content: string | Uint8Array, more: More = {}): GivenFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const open = async function* () {
    for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
  };
  return { name: 'statement', open, person: 'anna@example.com', ...more };
}

export async function importInto(world: RoomWorld, content: string | Uint8Array, more?: More): Promise<Imported> {
  return (await roomsOf(world)).statements.importFile(fileOf(content, more));
}

/** Why nothing of it is used, as an operator reads it. */
export async function refusalOf(world: RoomWorld, content: string | Uint8Array, more?: More): Promise<string> {
  try {
    await importInto(world, content, more);
  } catch (error) {
    if (error instanceof FileFault || error instanceof StatementFault)
      return sentenceOf(statementSentences, error.problem);
    throw error;
  }
  throw new assert.AssertionError({ message: 'the file was taken' });
}

export function balanceOf({ db }: RoomWorld, name: string): Promise<bigint> {
  return db.sql.one((row) => readBigint(row, 'minor'))`
    select coalesce(sum(amount_minor), 0)::bigint as minor from entry where account = ${name}`;
}

/** Journals of lines, and lines. */
export async function counts({ db }: RoomWorld): Promise<{ journals: number; lines: number; statements: number }> {
  return db.sql.one((row) => ({
    journals: readInteger(row, 'journals'),
    lines: readInteger(row, 'lines'),
    statements: readInteger(row, 'statements'),
  }))`
    select (select count(*)::integer from journal where kind like 'bank %') as journals,
           (select count(*)::integer from bank_line) as lines,
           (select count(*)::integer from bank_statement) as statements`;
}

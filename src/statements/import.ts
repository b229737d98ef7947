// Imports a file: reads it, accepts it as a whole, and books it in pages. Whatever dies in between, the same file is
// imported once.

import { createHash } from 'node:crypto';
import type { StatementProblem } from '../../contract/codes/statements.ts';
import { FileFault, type Format, openBankFile, type Source } from '../bankfiles/index.ts';
import { brokenUnique, type Sql } from '../database/index.ts';
import { hasDied, leaseFrom, whileLeased } from '../runtime/index.ts';
import { lockBankAccount } from '../treasury/index.ts';
import { bookAll } from './book.ts';
import { StatementFault } from './fault.ts';
import type { File, Line, Stored } from './model.ts';
import { FileReader, type Read } from './read.ts';
import { lineId, waitingOf } from './rules.ts';
import {
  deletePart,
  findLast,
  findUsed,
  insertFile,
  listRead,
  listReading,
  lockReading,
  updateFile,
  updateLease,
  updateStatements,
} from './store/files.ts';
import { insertLines } from './store/lines.ts';
import type { StatementTools } from './tools.ts';

export interface GivenFile {
  readonly name: string;
  readonly open: Source;
  readonly format?: Format | undefined;
  readonly encoding?: string | undefined;
  /** Statements that are missing are parked as one line. */
  readonly acceptsGap?: boolean | undefined;
  readonly person: string;
}

export interface Imported extends Omit<Read, 'accounts'> {
  readonly file: File;
  /** These bytes were imported before. */
  readonly isRepeated: boolean;
  /** How many lines this import booked. */
  readonly booked: number;
}

const nothing = {
  statements: 0,
  lines: 0,
  repeatedStatements: 0,
  repeatedLines: 0,
  notices: 0,
  answers: 0,
} as const;
const namesAtMost = 200;

/** Throws a `FileFault` or a `StatementFault` if nothing of the file is used. */
export async function importFile(tools: StatementTools, given: GivenFile): Promise<Imported> {
  await forgetDead(tools);
  const { sha256, bytes } = await hashOf(given.open);
  const used = await findUsed(tools.db.sql, sha256);
  if (used) return repeated(tools, used);
  const { format, encoding } = given;
  const opened = await openBankFile(given.open, { ...(format && { format }), ...(encoding && { encoding }) });
  const file: File = {
    id: tools.ids.ulid(),
    sha256,
    name: given.name.slice(0, namesAtMost),
    format: opened.format,
    bytes,
    person: given.person,
    importedAt: tools.clock.now(),
    state: 'reading',
    leaseUntil: leaseFrom(tools.wall),
    nodeId: tools.nodes.self,
    statements: 0,
    lines: 0,
    problem: null,
    problemLine: null,
  };
  await insertFile(tools.db.sql, file);
  const extend = (until: Temporal.Instant) => updateLease(tools.db.sql, file.id, until);
  try {
    const { accounts, ...read } = await whileLeased(tools, extend, async () => {
      const found = await new FileReader(tools, file.id, { acceptsGap: given.acceptsGap ?? false }).read(opened);
      await accept(tools, file, found);
      return found;
    });
    if (read.repeatedStatements > 0) await forgetRead(tools, file);
    const booked = await bookAll(tools);
    return { file, ...read, isRepeated: false, booked };
  } catch (error) {
    const other = await usedMeanwhile(tools, sha256, error);
    const problem = other ? ({ code: 'overtaken', parameters: {} } as const) : problemOf(error);
    if (problem) await refuseFile(tools, file, problem, lineOf(error));
    if (other) return repeated(tools, other);
    throw error;
  }
}

/** These bytes were used: what is not booked of them yet is booked. */
async function repeated(tools: StatementTools, file: File): Promise<Imported> {
  const booked = file.state === 'accepted' ? await bookAll(tools) : 0;
  return { ...nothing, file, isRepeated: true, booked };
}

/** Another process has used the same bytes while this one read them. */
async function usedMeanwhile(tools: StatementTools, sha256: Uint8Array, error: unknown): Promise<File | undefined> {
  return brokenUnique(error) === 'bank_file_once' ? findUsed(tools.db.sql, sha256) : undefined;
}

function problemOf(error: unknown): StatementProblem | undefined {
  return error instanceof FileFault || error instanceof StatementFault ? error.problem : undefined;
}

function lineOf(error: unknown): number | undefined {
  return error instanceof FileFault || error instanceof StatementFault ? error.line : undefined;
}

async function hashOf(open: Source): Promise<{ readonly sha256: Uint8Array; readonly bytes: bigint }> {
  const hash = createHash('sha256');
  let bytes = 0n;
  for await (const piece of open()) {
    hash.update(piece);
    bytes += BigInt(piece.length);
  }
  if (bytes === 0n) throw new FileFault({ code: 'empty', parameters: {} });
  return { sha256: hash.digest(), bytes };
}

/** From now on its lines are booked, whoever does it. */
async function accept({ clock, db }: StatementTools, file: File, read: Read): Promise<void> {
  const now = clock.now();
  await db.atomic(async (sql) => {
    if (!(await lockReading(sql, file.id))) throw new StatementFault({ code: 'interrupted', parameters: {} });
    const positions = await lockTails(sql, read);
    const statements = await listRead(sql, file.id);
    const accepted = statements.flatMap((statement): Stored[] => {
      if (statement.beforeMinor === null) return [];
      const position = (positions.get(statement.bankAccountId) ?? 0) + 1;
      positions.set(statement.bankAccountId, position);
      return [{ ...statement, position, acceptedAt: now }];
    });
    const brought = accepted.flatMap((statement) => broughtLine(statement, now));
    if (brought.length > 0) await insertLines(sql, brought);
    if (accepted.length > 0) await updateStatements(sql, accepted);
    const state = read.statements === 0 ? 'noted' : accepted.length === 0 ? 'booked' : 'accepted';
    await updateFile(sql, { ...file, state, statements: read.statements, lines: read.lines });
  });
}

/** Locks the accounts, and throws if one of them has got other statements since. */
async function lockTails(sql: Sql, { accounts }: Read): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for (const [accountId, before] of [...accounts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    await lockBankAccount(sql, accountId);
    const last = await findLast(sql, accountId);
    if (last?.position !== before?.position) throw new StatementFault({ code: 'overtaken', parameters: {} });
    positions.set(accountId, last?.position ?? 0);
  }
  return positions;
}

/** What is in the opening balance and in no statement is a line of its own, about which an operator is asked. */
function broughtLine(statement: Stored, now: Temporal.Instant): Line[] {
  const { id, broughtMinor: amountMinor } = statement;
  if (amountMinor === 0n) return [];
  const day = statement.fromOn ?? statement.openingOn ?? statement.firstOn ?? statement.toOn;
  return [
    {
      id: lineId(id, 0),
      statementId: id,
      entry: 0,
      part: 0,
      amountMinor,
      bookedOn: day ?? now.toZonedDateTimeISO('UTC').toPlainDate(),
      valueOn: null,
      bankReference: null,
      endToEnd: null,
      batch: null,
      payments: 1,
      isReversal: false,
      kind: null,
      returnReason: null,
      title: '',
      partyName: null,
      partyAccount: null,
      state: 'unallocated',
      target: null,
      ...waitingOf('unallocated', amountMinor, now),
    },
  ];
}

const rowsAtOnce = 20_000;

/** Nothing of it was booked: its lines go, and why stays. */
async function refuseFile(tools: StatementTools, file: File, problem: StatementProblem, line?: number): Promise<void> {
  const isOurs = await tools.db.atomic(async (sql) => {
    if (!(await lockReading(sql, file.id))) return false;
    await updateFile(sql, { ...file, state: 'refused', problem, problemLine: line ?? null });
    return true;
  });
  if (isOurs) await forgetRead(tools, file);
}

async function forgetRead({ db }: Pick<StatementTools, 'db'>, { id }: File): Promise<void> {
  while ((await deletePart(db.sql, id, rowsAtOnce)) > 0);
}

/** What a process that died has read is not kept; returns how many files. */
export async function forgetDead(tools: StatementTools): Promise<number> {
  const dead = (await listReading(tools.db.sql)).filter((file) => hasDied(tools, file));
  for (const file of dead) await refuseFile(tools, file, { code: 'interrupted', parameters: {} });
  return dead.length;
}

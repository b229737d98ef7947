// Reads bank files, and says what is wrong with those that cannot be used.

import { FileFault } from '../../src/bankfiles/fault.ts';
import type { Part, Statement, StatementEnd, StatementLine } from '../../src/bankfiles/model.ts';
import { openBankFile, type ReadOptions } from '../../src/bankfiles/read.ts';

interface Whole {
  readonly statements: Statement[];
  readonly lines: StatementLine[];
  readonly ends: StatementEnd[];
  readonly parts: Part[];
}

export type Content = string | Uint8Array;

/** Reads it in pieces of this many bytes. */
export async function read(content: Content, options: ReadOptions = {}, piece = 4_096): Promise<Whole> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  async function* source() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  const file = await openBankFile(source, options);
  const parts: Part[] = [];
  for await (const some of file.parts) parts.push(...some);
  const whole: Whole = { statements: [], lines: [], ends: [], parts };
  for (const part of parts) {
    if (part.kind === 'begin') whole.statements.push(part.statement);
    if (part.kind === 'line') whole.lines.push(part.line);
    if (part.kind === 'end') whole.ends.push(part.end);
  }
  return whole;
}

/** What is said about a file that cannot be used. */
export async function faultOf(content: Content, options: ReadOptions = {}, piece?: number): Promise<string> {
  try {
    await read(content, options, piece);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return `${error.line ?? '-'}: ${error.problem.code} ${JSON.stringify(error.problem.parameters)}`;
  }
  return 'no fault';
}

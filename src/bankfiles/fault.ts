// Why a file cannot be used, and where.

import type { fileFaults } from '../../contract/codes/bank-files.ts';
import type { Message } from '../../contract/codes/message.ts';

export type FileProblem = Message<typeof fileFaults>;

/**
 * How much of a value is shown. Control characters are replaced: those that reverse the direction of text, for one,
 * could mislead the reader.
 */
const shownAtMost = 60;
const shown = (value: unknown) =>
  typeof value === 'string' ? value.slice(0, shownAtMost).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?') : value;

/** The message as people may see it: it quotes what others wrote. */
export function shownIn<Problem extends { readonly code: string; readonly parameters: object }>({
  code,
  parameters,
}: Problem): Problem {
  const entries = Object.entries(parameters).map(([name, value]) => [name, shown(value)]);
  return { code, parameters: Object.fromEntries(entries) } as unknown as Problem;
}

export class FileFault extends Error {
  readonly problem: FileProblem;
  /** From 1; undefined if it concerns the whole file. */
  line: number | undefined;

  constructor(problem: FileProblem, line?: number) {
    super(problem.code);
    this.name = 'FileFault';
    this.problem = shownIn(problem);
    this.line = line;
  }
}

export function missing(what: string): FileFault {
  return new FileFault({ code: 'missing', parameters: { what } });
}

export function misplaced(what: string): FileFault {
  return new FileFault({ code: 'misplaced', parameters: { what } });
}

/** For what may occur only once. */
export function twice(what: string): FileFault {
  return new FileFault({ code: 'twice', parameters: { what } });
}

export function notValid(what: string, value: string): FileFault {
  return new FileFault({ code: 'not_valid', parameters: { what, value } });
}

export function tooLong(line?: number): FileFault {
  return new FileFault({ code: 'text_too_long', parameters: {} }, line);
}

/** Adds the line to a fault that does not name one. */
export function located<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) error.line ??= line;
    throw error;
  }
}

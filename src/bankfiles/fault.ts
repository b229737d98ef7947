// Why a file cannot be used, and where.

import type { fileFaults } from '../../contract/codes/bank-files.ts';
import type { Message } from '../../contract/codes/message.ts';

export type FileProblem = Message<typeof fileFaults>;

export class FileFault extends Error {
  readonly problem: FileProblem;
  /** From 1; undefined if it concerns the whole file. */
  line: number | undefined;

  constructor(problem: FileProblem, line?: number) {
    super(problem.code);
    this.name = 'FileFault';
    this.problem = problem;
    this.line = line;
  }
}

/** What is shown of a value that is not valid: control characters could write to a terminal. */
const shownAtMost = 40;
const shown = (value: string) => value.slice(0, shownAtMost).replaceAll(/[^\P{Cc}]/gu, '?');

export function missing(what: string): FileFault {
  return new FileFault({ code: 'missing', parameters: { what } });
}

export function notValid(what: string, value: string): FileFault {
  return new FileFault({ code: 'not_valid', parameters: { what, value: shown(value) } });
}

export function tooLong(line?: number): FileFault {
  return new FileFault({ code: 'text_too_long', parameters: {} }, line);
}

/** Says where a fault is, unless it knows. */
export function located<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) error.line ??= line;
    throw error;
  }
}

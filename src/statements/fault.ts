// Why nothing of a file is used, or why a line cannot be decided as somebody said.

import type { AllocationFaultReason, StatementProblem } from '../../contract/codes/statements.ts';

export class StatementFault extends Error {
  readonly problem: StatementProblem;
  /** In the file, from 1; undefined if it concerns the whole file. */
  readonly line: number | undefined;

  constructor(problem: StatementProblem, line?: number) {
    super(problem.code);
    this.name = 'StatementFault';
    this.problem = problem;
    this.line = line;
  }
}

/** The decision is not possible; nothing was changed. */
export class AllocationFault extends Error {
  readonly why: AllocationFaultReason;

  constructor(why: AllocationFaultReason) {
    super(why.code);
    this.name = 'AllocationFault';
    this.why = why;
  }
}

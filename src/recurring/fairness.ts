// Fairness between merchants when more is due than one round can do.

/** The merchant after which the next shares start; undefined while a round does everything. */
export interface Turns {
  after: string | undefined;
}

export function openTurns(): Turns {
  return { after: undefined };
}

// Fairness between merchants when more is due than one round can do.

/** After which merchant the next shares are dealt; undefined while a round does all there is. */
export interface Turns {
  after: string | undefined;
}

export function openTurns(): Turns {
  return { after: undefined };
}

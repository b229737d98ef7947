// What a round knows of the one before: whose turn it is when more is due than one round can do, and whether it was full.

export interface Turns {
  /** The merchant after which the next shares start; undefined while a round does everything. */
  after: string | undefined;
  /** A batch of the last round was full: the next round has several batches at once. */
  isFull: boolean;
}

export function openTurns(): Turns {
  return { after: undefined, isFull: false };
}

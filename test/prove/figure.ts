// A figure of the project: what is counted, its goal, and the result.

export interface Seen {
  readonly figure: string;
  readonly goal: string;
  readonly seen: string;
  readonly met: boolean;
}

export interface ProveOptions {
  /** Fraction of the counts in the goal: 1 runs them all. */
  readonly scale: number;
  /** Ends the figure early, by `performance.now()`; the result then covers what was done. */
  readonly until: number;
  readonly seed: string;
  /** Reports progress. */
  readonly print: (text: string) => void;
}

export type Prove = (options: ProveOptions) => Promise<Seen[]>;

/** The scaled count of the goal, at least one. */
export function scaled(count: number, { scale }: ProveOptions): number {
  return Math.max(1, Math.round(count * scale));
}

export function isOver({ until }: ProveOptions): boolean {
  return performance.now() >= until;
}

const grouped = new Intl.NumberFormat('en-US');

/** 200000 -> 200,000. */
export function figureText(count: number): string {
  return grouped.format(count);
}

/** "0 of 1,234": met if nothing was found and something was tried. */
export function noneOf(figure: string, found: number, tried: number, goalCount: number): Seen {
  return {
    figure,
    goal: `0 of ${figureText(goalCount)}`,
    seen: `${figureText(found)} of ${figureText(tried)}`,
    met: found === 0 && tried > 0,
  };
}

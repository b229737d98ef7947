// Statistics of benchmarks, and printing whether a goal was met.

/** The middle value; with an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** Pseudorandom numbers from 0 (inclusive) to 1 (exclusive); the same for the same seed. */
export function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Prints a line for a goal; returns whether it was met. */
export function say(met: boolean, title: string, seen: string): boolean {
  process.stdout.write(`  ${met ? 'met    ' : 'NOT MET'}  ${title.padEnd(56)} ${seen}\n`);
  return met;
}

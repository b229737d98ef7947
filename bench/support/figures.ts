// Small arithmetic of benchmarks, and how they say what came of a goal.

/** The value in the middle; of an even number of them the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** Draws from 0 up to, not including, 1; the same for the same seed. */
export function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A line for a goal; answers whether it was met. */
export function say(met: boolean, title: string, seen: string): boolean {
  process.stdout.write(`  ${met ? 'met    ' : 'NOT MET'}  ${title.padEnd(56)} ${seen}\n`);
  return met;
}

// "Did you mean amount?" for field names that are close to a known one.

/** Longer names are not typos, and comparing takes quadratic time. */
const lengthAtMost = 64;

/** The number of letters added, omitted, replaced, or swapped with their neighbor. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}

function spelled(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The candidate that was probably meant; ignores case, `_` and `-`. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > lengthAtMost) return undefined;
  const tolerance = Math.max(1, Math.floor(name.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.length > lengthAtMost || Math.abs(candidate.length - name.length) > tolerance + 1) continue;
    const distance = editDistance(spelled(name), spelled(candidate));
    if (distance <= tolerance && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { candidate, distance };
  }
  return best?.candidate;
}

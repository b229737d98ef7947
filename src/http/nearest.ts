// "Did you mean POST /transactions?" for paths that do not exist.

import { closest } from './suggest.ts';

export interface KnownPath {
  /** With parameters in braces. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** Longer paths are not typos, and comparing takes time that anybody can ask for. */
const lengthAtMost = 128;
const segmentsAtMost = 8;

/** A segment too many or too few, another word, a misspelled one. Two of the first are another path. */
const moved = 0.8;
const other = 0.9;
const misspelled = 0.3;
const costAtMost = 1;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** The path that was probably meant, preferably one that has the method; undefined if none is near. */
export function nearestPath(method: string, given: string, known: readonly KnownPath[]): KnownPath | undefined {
  const segments = segmentsOf(given);
  if (given.length > lengthAtMost || segments.length > segmentsAtMost) return undefined;
  /** Few different words are in all paths: each pair is compared once. */
  const compared = new Map<string, number>();
  const differ = (left: string, right: string) => {
    if (left === right) return 0;
    const pair = `${left} ${right}`;
    const found = compared.get(pair) ?? (closest(left, [right]) === undefined ? other : misspelled);
    compared.set(pair, found);
    return found;
  };
  let best: { readonly path: KnownPath; readonly cost: number } | undefined;
  for (const path of known) {
    const wanted = segmentsOf(path.path);
    if (Math.abs(wanted.length - segments.length) > 1) continue;
    // Parameters fit anything: at least one word must be the same or nearly so.
    if (!wanted.some((word) => segments.some((segment) => !word.startsWith('{') && differ(segment, word) < other)))
      continue;
    const cost = costOf(segments, wanted, differ) + (path.methods.includes(method) ? 0 : 0.1);
    if (cost <= costAtMost && cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { path, cost };
  }
  return best?.path;
}

/** The usual distance, with segments for letters. A parameter takes any segment, but a word that fits is nearer. */
function costOf(given: readonly string[], wanted: readonly string[], differ: (l: string, r: string) => number): number {
  let last = wanted.map((_, index) => (index + 1) * moved);
  last.unshift(0);
  for (const [row, segment] of given.entries()) {
    const current = [(row + 1) * moved];
    for (const [column, word] of wanted.entries()) {
      const replaced = word.startsWith('{') ? 0.05 : differ(segment, word);
      current.push(
        Math.min((last[column + 1] ?? 0) + moved, (current[column] ?? 0) + moved, (last[column] ?? 0) + replaced),
      );
    }
    last = current;
  }
  return last[wanted.length] ?? 0;
}

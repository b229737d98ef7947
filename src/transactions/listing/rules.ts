// Pure decisions about lists.

import type { Period } from '../../kernel/index.ts';
import type { Edge, Quarters } from './store.ts';

const quarterMilliseconds = 6 * 3_600_000;

/** The beginning of the quarter of a day in which this is, as the database's `quarter_of` has it. */
function quarterOf(instant: Temporal.Instant): Temporal.Instant {
  const { epochMilliseconds } = instant;
  return Temporal.Instant.fromEpochMilliseconds(
    Math.floor(epochMilliseconds / quarterMilliseconds) * quarterMilliseconds,
  );
}

/** Parts a period into whole quarters and the parts of quarters at its ends. */
export function quartersOf({ from, to }: Period): Quarters {
  const begun = from && quarterOf(from);
  const end = to && quarterOf(to);
  const first = from && begun && (begun.equals(from) ? begun : begun.add({ milliseconds: quarterMilliseconds }));
  if (from && to && first && end && Temporal.Instant.compare(first, end) > 0) {
    return { first, end, edges: [{ quarter: end, from, to }] };
  }
  const edges: Edge[] = [];
  if (from && begun && first && !first.equals(from)) edges.push({ quarter: begun, from, to: first });
  if (to && end && !end.equals(to)) edges.push({ quarter: end, from: end, to });
  return { first, end, edges };
}

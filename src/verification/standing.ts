// Which findings stand, and up to when the books were right. Pure: what is known after a run follows from the run and
// from what was known before.

import { commandLine } from '../../contract/codes/actors.ts';
import type { Finding } from '../../contract/codes/findings.ts';
import type { KnownRun } from './store.ts';

type Code = Finding['code'];

/** Only the command line knows what was noted elsewhere. */
const noted: readonly Code[] = ['chain_ends_before_note', 'chain_differs_from_note', 'note_not_ours'];
/** A run with one of these did not verify everything that it was meant to. */
const unread: readonly Code[] = ['part_not_verified', 'verification_failed'];

const hasAny = (run: Pick<KnownRun, 'codes'>, codes: readonly Code[]) => run.codes.some((code) => codes.includes(code));

/** What was known before a run ended. */
export interface Known {
  /** Runs whose findings stand and that can be read. */
  readonly standing: readonly KnownRun[];
  /** The ids of those that cannot be read. */
  readonly lost: readonly string[];
  readonly rightUntil: Temporal.Instant | null;
}

/** What is known after it. */
export function afterRun(
  { standing, lost, rightUntil }: Known,
  run: KnownRun,
): { readonly standing: readonly string[]; readonly rightUntil: Temporal.Instant | null } {
  const left = standing.filter((wrong) => !clears(run, wrong)).map(({ id }) => id);
  const isFound = run.sinceAt === null && !hasAny(run, unread);
  const stillLost = lost.filter((id) => !isFound || !run.reread.includes(id));
  const all = [...left, ...stillLost, ...(run.codes.length > 0 ? [run.id] : [])];
  return { standing: all, rightUntil: all.length > 0 ? rightUntil : reached(rightUntil, run) };
}

/**
 * Whether a run shows that the findings of another one are gone: it began when they stood, covered at least as much, left
 * nothing out, and reread what was named. Clocks do not say which run began first. The finding that a run failed is
 * cleared by any other run.
 */
function clears(run: KnownRun, wrong: KnownRun): boolean {
  if (repeats(run, wrong)) return true;
  if (hasAny(run, unread)) return false;
  if (wrong.codes.every((code) => code === 'verification_failed')) return true;
  if (!run.reread.includes(wrong.id)) return false;
  if (hasAny(wrong, noted) && run.startedBy !== commandLine) return false;
  if (run.sinceAt === null) return true;
  return wrong.sinceAt !== null && !isBefore(wrong.sinceAt, run.sinceAt);
}

/**
 * Whether it found the same and covered at least as much. Then it stands for both, so that a part that cannot be read
 * does not add a run every hour.
 */
function repeats(run: KnownRun, wrong: KnownRun): boolean {
  if (run.problemsHash !== wrong.problemsHash || isBefore(run.startedAt, wrong.startedAt)) return false;
  return run.sinceAt === null || (wrong.sinceAt !== null && !isBefore(wrong.sinceAt, run.sinceAt));
}

/** Reached by a run of everything, and by runs that continued from there without a gap. */
function reached(until: Temporal.Instant | null, { sinceAt, startedAt }: KnownRun): Temporal.Instant | null {
  if (sinceAt === null) return startedAt;
  if (until === null || isBefore(until, sinceAt)) return until;
  return isBefore(until, startedAt) ? startedAt : until;
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

/** What findings name: the texts as a whole, and the ids in them. */
export function namedIn(problems: readonly Finding[]): string[] {
  const texts = problems.flatMap(({ parameters }) =>
    Object.values(parameters).filter((value) => typeof value === 'string'),
  );
  return [...new Set(texts.flatMap((text) => [text, ...(text.match(/[0-9A-HJKMNP-TV-Z]{26}/g) ?? [])]))];
}

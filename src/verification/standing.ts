// Which findings stand, and up to when the books were right. Pure: each run that ends follows from those before it.

import { commandLine } from '../../contract/codes/actors.ts';
import type { Finding } from '../../contract/codes/findings.ts';
import type { KnownRun } from './store.ts';

type Code = Finding['code'];

/** Only the command line knows what was noted elsewhere. */
const noted: readonly Code[] = ['chain_ends_before_note', 'chain_differs_from_note', 'note_not_ours'];
/** It did not look at everything that it was to look at. */
const unread: readonly Code[] = ['part_not_verified', 'verification_failed'];

const hasAny = (run: Pick<KnownRun, 'codes'>, codes: readonly Code[]) => run.codes.some((code) => codes.includes(code));

/** What was known before a run ended. */
export interface Known {
  /** Runs whose findings stand, as far as they can be read. */
  readonly standing: readonly KnownRun[];
  /** Of those that cannot. */
  readonly lost: readonly string[];
  readonly rightUntil: Temporal.Instant | null;
}

/** What is known after it. */
export function afterRun(
  { standing, lost, rightUntil }: Known,
  run: KnownRun,
): { readonly standing: readonly string[]; readonly rightUntil: Temporal.Instant | null } {
  const left = standing.filter((wrong) => !clears(run, wrong)).map(({ id }) => id);
  const stillLost = run.sinceAt === null && !hasAny(run, unread) ? [] : lost;
  const all = [...left, ...stillLost, ...(run.codes.length > 0 ? [run.id] : [])];
  return { standing: all, rightUntil: all.length > 0 ? rightUntil : reached(rightUntil, run) };
}

/**
 * Whether a run says of another's findings that they are gone: it began later, looked at as much, at all of it, and read again
 * what was named. Of a run that failed every later one does.
 */
function clears(run: KnownRun, wrong: KnownRun): boolean {
  if (repeats(run, wrong)) return true;
  if (hasAny(run, unread)) return false;
  if (wrong.codes.every((code) => code === 'verification_failed')) return true;
  if (!isBefore(wrong.startedAt, run.startedAt)) return false;
  if (hasAny(wrong, noted) && run.startedBy !== commandLine) return false;
  if (run.sinceAt === null) return true;
  return wrong.sinceAt !== null && !isBefore(wrong.sinceAt, run.sinceAt) && run.reread.includes(wrong.id);
}

/** Whether it found the same, having looked at as much: then it stands for both, and a part that nobody can read adds no run an hour. */
function repeats(run: KnownRun, wrong: KnownRun): boolean {
  if (run.problemsHash !== wrong.problemsHash || isBefore(run.startedAt, wrong.startedAt)) return false;
  return run.sinceAt === null || (wrong.sinceAt !== null && !isBefore(wrong.sinceAt, run.sinceAt));
}

/** By a run of everything, and runs that went on from there without a gap. */
function reached(until: Temporal.Instant | null, { sinceAt, startedAt }: KnownRun): Temporal.Instant | null {
  if (sinceAt === null) return startedAt;
  if (until === null || isBefore(until, sinceAt)) return until;
  return isBefore(until, startedAt) ? startedAt : until;
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

/** What findings name: whole texts, and the ids that are in them. */
export function namedIn(problems: readonly Finding[]): string[] {
  const texts = problems.flatMap(({ parameters }) =>
    Object.values(parameters).filter((value) => typeof value === 'string'),
  );
  return [...new Set(texts.flatMap((text) => [text, ...(text.match(/[0-9A-HJKMNP-TV-Z]{26}/g) ?? [])]))];
}

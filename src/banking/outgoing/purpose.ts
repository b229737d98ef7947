// What differs by what the money is for. The room that owns the subject hands it in; nothing here knows a room.

import type { Sql } from '../../database/index.ts';
import type { Change, Outgoing, OutgoingResult, OutgoingSettlement, OutgoingStep, Purpose } from './model.ts';
import { movedBy, toldWhy } from './rules.ts';

/** One step of an outgoing refund: `outgoing` and what it is for, before and after it. */
export interface OutgoingMove<Subject, Step extends OutgoingStep> {
  readonly outgoing: Outgoing;
  readonly before: Subject;
  readonly after: Subject;
  readonly step: Change<Step>;
}

export interface OutgoingPurpose<Subject, Step extends OutgoingStep> {
  readonly purpose: Purpose;
  /** What an operator's "not captured" about a parked one means. */
  readonly notPaid: OutgoingResult;
  /** Locks and reads what these are for, by their id. They are locked already, in a statement before. */
  readonly find: (sql: Sql, rows: readonly Outgoing[]) => Promise<ReadonlyMap<string, Subject>>;
  /** The effect of a result. Pure. */
  readonly after: (outgoing: Outgoing, subject: Subject, result: OutgoingResult) => Step;
  /** The subject after a step. Pure. */
  readonly moved: (subject: Subject, step: Change<Step>, now: Temporal.Instant) => Subject;
  /** Writes what the steps mean for the subjects, after the outgoing refunds and in the same database transaction. */
  readonly applySteps: (
    sql: Sql,
    moves: readonly OutgoingMove<Subject, Step>[],
    now: Temporal.Instant,
  ) => Promise<void>;
  /** What changes when they are claimed to be sent for the first time, in the same database transaction. */
  readonly begin?: (sql: Sql, rows: readonly Outgoing[], now: Temporal.Instant) => Promise<void>;
  /** A reason not to send or look it up now. */
  readonly objection?: (outgoing: Outgoing) => Promise<OutgoingResult | undefined>;
  /** Which of these the payer gets by a dispute as well: they are not sent. */
  readonly listDisputed: (sql: Sql, rows: readonly Outgoing[]) => Promise<string[]>;
}

/** A settlement with its row. */
export interface LockedSettlement {
  readonly settlement: OutgoingSettlement;
  readonly outgoing: Outgoing;
}

/** The effects of settlements, decided and not written yet. */
export interface Decided {
  /** In the order of the settlements; undefined: what it is for is gone. */
  readonly settled: readonly ({ readonly outgoing: Outgoing; readonly step: OutgoingStep } | undefined)[];
  readonly changed: readonly Outgoing[];
  apply(): Promise<void>;
}

/** A purpose whose subject nobody else needs to know. */
export interface OpenPurpose
  extends Pick<OutgoingPurpose<unknown, OutgoingStep>, 'purpose' | 'notPaid' | 'begin' | 'listDisputed'> {
  readonly objection?: (outgoing: Outgoing) => Promise<OutgoingResult | undefined>;
  decide(sql: Sql, settlements: readonly LockedSettlement[], now: Temporal.Instant): Promise<Decided>;
}

export function openPurpose<Subject, Step extends OutgoingStep>(room: OutgoingPurpose<Subject, Step>): OpenPurpose {
  const { purpose, notPaid, begin, objection, listDisputed } = room;
  return {
    purpose,
    notPaid,
    listDisputed,
    ...(begin && { begin }),
    ...(objection && { objection }),
    decide: (sql, settlements, now) => decideAll(room, sql, settlements, now),
  };
}

/** Settlements of the same key see the changes made by the previous one. */
async function decideAll<Subject, Step extends OutgoingStep>(
  room: OutgoingPurpose<Subject, Step>,
  sql: Sql,
  settlements: readonly LockedSettlement[],
  now: Temporal.Instant,
): Promise<Decided> {
  const rows = new Map(settlements.map(({ outgoing }) => [outgoing.id, outgoing]));
  const subjects = new Map(await room.find(sql, [...rows.values()]));
  const moves: OutgoingMove<Subject, Step>[] = [];
  const changed = new Map<string, Outgoing>();
  const settled = settlements.map(({ settlement: { key, result, acquirer, lookedAt } }) => {
    const [outgoing, before] = [rows.get(key), subjects.get(key)];
    if (!outgoing || before === undefined) return undefined;
    // Not from its own acquirer; the row is locked.
    if (acquirer !== undefined && acquirer !== outgoing.acquirer) return { outgoing, step: none };
    const step = room.after(outgoing, before, result);
    if (!isChange(step)) return { outgoing, step };
    const [next, after] = [movedBy(toldWhy(outgoing, result), step, now, lookedAt), room.moved(before, step, now)];
    rows.set(key, next);
    subjects.set(key, after);
    changed.set(key, next);
    moves.push({ outgoing: next, before, after, step });
    return { outgoing: next, step };
  });
  const apply = async () => (moves.length > 0 ? room.applySteps(sql, moves, now) : undefined);
  return { settled, changed: [...changed.values()], apply };
}

const none = { kind: 'none' } as const;

function isChange<Step extends OutgoingStep>(step: Step): step is Change<Step> {
  return step.kind !== 'none' && step.kind !== 'refused';
}

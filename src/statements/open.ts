import type { WorkName } from '../../contract/codes/works.ts';
import { DecisionFault, type ParkedItem, type Parking } from '../banking/index.ts';
import type { Nodes, Verifying } from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { openBankAccount } from '../treasury/index.ts';
import { bookPage } from './book.ts';
import { decideLine, type LineDecision, undoDecision } from './decide.ts';
import { forgetDead, type GivenFile, importFile } from './import.ts';
import { matchAcquirerPayouts } from './match.ts';
import { summaries } from './show.ts';
import {
  countWaiting,
  findWaiting,
  listAllocations,
  listProposed,
  listUnderway,
  listWaiting,
  type Waiting,
} from './store/allocations.ts';
import { countUnbooked } from './store/files.ts';
import { listFiles, listStatements } from './store/show.ts';
import { journalKinds } from './store/verify.ts';
import type { PayoutsBelow, StatementTools } from './tools.ts';
import { verifyStatements } from './verify.ts';

const matchedEveryMilliseconds = 60_000;
const parkedAtMost = 1_000;

export type Statements = ReturnType<typeof openStatements>;

export function openStatements(
  base: Tools,
  { nodes, payouts }: { readonly nodes: Nodes; readonly payouts: PayoutsBelow },
) {
  const tools: StatementTools = { ...base, nodes, payouts };
  const { sql } = tools.db;
  return {
    name: 'statements',
    works: [
      {
        name: 'book_statements',
        run: async () => (await forgetDead(tools)) + ((await bookPage(tools)) ?? 0),
        waiting: () => countUnbooked(sql),
      },
      {
        name: 'match_statements',
        run: () => matchAcquirerPayouts(tools),
        everyMilliseconds: matchedEveryMilliseconds,
      },
    ] satisfies Work<WorkName>[],
    parked: parkedLines(tools),
    journalKinds,
    verify: (verifying: Verifying) => verifyStatements(verifying),
    /** Opens an account of ours at the bank; false: it is open already. Throws unless the number is right. */
    openAccount: (number: string, name: string) => openBankAccount(tools, number, name),
    /** Throws a `FileFault` or a `StatementFault` if nothing of the file is used. */
    importFile: (given: GivenFile) => importFile(tools, given),
    /** The accounts, with what their statements and the books have. */
    summaries: () => summaries(tools),
    /** What the books have on our account and no statement. */
    underway: () => listUnderway(sql),
    /** Newest first. */
    statements: (limit: number) => listStatements(sql, limit),
    files: (limit: number) => listFiles(sql, limit),
    /** Lines that wait for an operator, oldest first, with what they could be. */
    waiting: (limit: number) => waitingLines(tools, limit),
    countWaiting: () => countWaiting(sql),
    /** Throws an `AllocationFault` if the line cannot be that. */
    decide: (lineId: string, decision: LineDecision, person: string) => decideLine(tools, lineId, decision, person),
    /** Takes a wrong decision back. Throws an `AllocationFault` if it cannot be so. */
    undo: (lineId: string, decision: LineDecision, person: string) => undoDecision(tools, lineId, decision, person),
    /** Decisions, newest first, also those that were undone. */
    decisions: (limit: number) => listAllocations(sql, limit),
  };
}

async function waitingLines({ db }: Pick<StatementTools, 'db'>, limit: number) {
  const lines = await listWaiting(db.sql, limit);
  const ids = lines.map(({ line }) => line.id);
  const proposed = Map.groupBy(await listProposed(db.sql, ids), ({ lineId }) => lineId);
  return lines.map((one) => ({ ...one, proposed: proposed.get(one.line.id) ?? [] }));
}

/** They are listed with everything that waits; what they are needs more words than a decision there has. */
function parkedLines({ db }: Pick<StatementTools, 'db'>): Parking {
  return {
    list: async () => (await listWaiting(db.sql, parkedAtMost)).map(parkedOf),
    decide: async (id) => {
      if (!(await findWaiting(db.sql, id))) return false;
      throw new DecisionFault({ code: 'bank_line_elsewhere', parameters: {} });
    },
  };
}

function parkedOf({ line, account, statement }: Waiting): ParkedItem {
  const { id, leftMinor, bookedOn } = line;
  const parameters = { account, statement, day: bookedOn.toString(), amount: decimalText(leftMinor) };
  return {
    id,
    kind: 'bank_line',
    amountMinor: leftMinor < 0n ? -leftMinor : leftMinor,
    parkedAt: line.parkedAt ?? Temporal.Instant.fromEpochMilliseconds(0),
    why: { code: line.entry === 0 ? 'bank_balance_brought' : 'bank_line_unknown', parameters },
  };
}

import * as contract from '../../../contract/panel/verify.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import type { Tools } from '../../tools.ts';
import { startVerify, type Verify } from './run.ts';
import { findLastRun, type VerifyRun } from './store.ts';

export function verifyRoutes(tools: Tools, verifies: () => readonly Verify[]): Route<Person>[] {
  return [
    on(contract.getVerify, async ({ requestId }) => {
      const last = await findLastRun(tools.db.sql);
      return { ...done(requestId), last: last ? serializeRun(last) : null };
    }),
    on(contract.startVerify, async ({ caller, requestId }) => ({
      ...done(requestId),
      last: serializeRun(await startVerify(tools, verifies(), caller.user.email)),
    })),
  ];
}

function serializeRun({ startedAt, endedAt, problems, journals, entries, startedBy }: VerifyRun) {
  return {
    startedAt: startedAt.toString(),
    endedAt: endedAt?.toString() ?? null,
    problems: [...problems],
    journals: journals === null ? null : Number(journals),
    entries: entries === null ? null : Number(entries),
    startedBy,
  };
}

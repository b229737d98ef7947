import * as contract from '../../../contract/panel/verify.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import type { Verification, VerifyRun } from '../../verification/index.ts';

export type Verifications = Pick<Verification, 'last' | 'start'>;

export function verifyRoutes(verification: Verifications): Route<Person>[] {
  return [
    on(contract.getVerify, async ({ requestId }) => ({ ...done(requestId), ...(await runsOf(verification)) })),
    on(contract.startVerify, async ({ caller, requestId }) => {
      await verification.start(caller.user.email);
      return { ...done(requestId), ...(await runsOf(verification)) };
    }),
  ];
}

async function runsOf(verification: Verifications) {
  const { everything, changed } = await verification.last();
  return { last: everything ? serializeRun(everything) : null, changed: changed ? serializeRun(changed) : null };
}

function serializeRun({ startedAt, sinceAt, endedAt, problems, journals, entries, startedBy }: VerifyRun) {
  return {
    startedAt: startedAt.toString(),
    sinceAt: sinceAt?.toString() ?? null,
    endedAt: endedAt?.toString() ?? null,
    problems: [...problems],
    journals: journals === null ? null : Number(journals),
    entries: entries === null ? null : Number(entries),
    startedBy,
  };
}

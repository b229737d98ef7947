import * as contract from '../../../contract/panel/bank.ts';
import { on, type Route } from '../../http/index.ts';
import { type Confirmation, done, type Person } from '../../identity/index.ts';
import { Refusal, refuse, Secret } from '../../kernel/index.ts';
import { AllocationFault, type LineDecision, type Statements } from '../../statements/index.ts';
import {
  serializeAccount,
  serializeDecided,
  serializeFile,
  serializeLine,
  serializeStatement,
  shareOf,
} from './wire.ts';

const waitingAtMost = 200;
const shownAtMost = 50;

interface Signed {
  readonly decision: contract.LineDecisionName;
  readonly target?: string;
  readonly password: string;
  readonly code: string;
}

function decisionOf({ decision: kind, target }: Signed): LineDecision {
  if (kind === 'fee' || kind === 'fee_returned' || kind === 'suspense') return { kind };
  return { kind, target: target ?? refuse('field_required', 'target') };
}

type Confirm = (confirming: Confirmation) => Promise<{ readonly email: string }>;

export const bankRoutes = (statements: Statements, confirm: Confirm): Route<Person>[] => {
  const deciding = async (
    { user }: Person,
    { id, body }: { readonly id: string; readonly body: Signed },
    how: 'decide' | 'undo',
  ): Promise<void> => {
    const decision = decisionOf(body);
    const { email } = await confirm({ email: user.email, password: new Secret(body.password), code: body.code });
    try {
      await statements[how](id, decision, email);
    } catch (error) {
      if (!(error instanceof AllocationFault)) throw error;
      throw new Refusal([{ code: 'not_valid', field: 'decision', details: { why: error.why } }]);
    }
  };
  return [
    on(contract.getBank, async ({ requestId }) => {
      const summaries = await statements.summaries();
      return {
        ...done(requestId),
        accounts: summaries.accounts.map(serializeAccount),
        agreement: shareOf(summaries),
        waitingCount: await statements.countWaiting(),
        waiting: (await statements.waiting(waitingAtMost)).map(serializeLine),
        statements: (await statements.statements(shownAtMost)).map(serializeStatement),
        files: (await statements.files(shownAtMost)).map(serializeFile),
        decisions: (await statements.decisions(shownAtMost)).map(serializeDecided),
      };
    }),
    on(contract.decideBankLine, async ({ params, body, caller, requestId }) => {
      await deciding(caller, { id: params.id, body }, 'decide');
      return done(requestId);
    }),
    on(contract.undoBankLine, async ({ params, body, caller, requestId }) => {
      await deciding(caller, { id: params.id, body }, 'undo');
      return done(requestId);
    }),
  ];
};

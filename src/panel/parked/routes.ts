import * as contract from '../../../contract/panel/parked.ts';
import { type Decision, DecisionFault, listAllParked, type ParkedStep, type Parking } from '../../banking/index.ts';
import type { Database } from '../../database/index.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import { decimalFromMinor, Refusal, refuse } from '../../kernel/index.ts';
import { listAboutParked } from './read.ts';

export function parkedRoutes({ sql }: Database, parked: () => readonly Parking[]): Route<Person>[] {
  return [
    on(contract.listParked, async ({ requestId }) => {
      const items = await listAllParked(parked());
      const about = await listAboutParked(
        sql,
        items.map(({ id }) => id),
      );
      return {
        ...done(requestId),
        parked: items.map(({ id, kind, amountMinor, parkedAt, why, history = [] }) => ({
          id,
          kind,
          amount: decimalFromMinor(amountMinor),
          accountId: about.get(id)?.accountId ?? null,
          accountName: about.get(id)?.accountName ?? null,
          transactionId: about.get(id)?.transactionId ?? null,
          parkedAt: parkedAt.toString(),
          why,
          history: history.map(serializeStep),
        })),
      };
    }),
    on(contract.decideParked, async ({ params, body, requestId }) => {
      await decide(parked(), params.id, decisionOf(body));
      return done(requestId);
    }),
  ];
}

function serializeStep({ at, step, bankMinor, ourMinor, movedMinor }: ParkedStep) {
  return {
    at: at.toString(),
    step,
    bank: bankMinor === null ? null : decimalFromMinor(bankMinor),
    books: ourMinor === null ? null : decimalFromMinor(ourMinor),
    booked: decimalFromMinor(movedMinor),
  };
}

function decisionOf({ decision, amount }: { decision: 'captured' | 'not_captured'; amount?: string }): Decision {
  if (decision === 'not_captured') return 'not-captured';
  return { capturedMinor: BigInt((amount ?? refuse('field_required', 'amount')).replace('.', '')) };
}

async function decide(parkings: readonly Parking[], id: string, decision: Decision): Promise<void> {
  try {
    for (const parking of parkings) if (await parking.decide(id, decision)) return;
  } catch (error) {
    if (error instanceof DecisionFault)
      throw new Refusal([{ code: 'not_valid', field: 'amount', details: { why: error.why } }]);
    throw error;
  }
  refuse('not_found', '', 'Nothing with this id is parked.');
}

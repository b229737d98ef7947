// What looking up a charge needs to know about its recurring payment.

import { type Charge, type ChargeResult, cancelAtBank, type LookUpFacts } from '../banking/index.ts';
import { charge } from './charge.ts';
import { openInstruments } from './instrument.ts';
import type { Recurring } from './model.ts';
import { confirmedByPayer } from './rules.ts';
import { listRecurring } from './store/recurring.ts';
import type { ChargingTools } from './tools.ts';

/** One that waits for a payer who has canceled meanwhile is canceled at the bank. */
export async function findForLookUp(
  tools: ChargingTools,
  charges: readonly Charge[],
): Promise<(LookUpFacts | undefined)[]> {
  const ids = charges.flatMap(({ recurringId }) => recurringId ?? []);
  const found = new Map((await listRecurring(tools.db.sql, ids)).map((recurring) => [recurring.id, recurring]));
  return charges.map((one) => {
    const recurring = one.recurringId === null ? undefined : found.get(one.recurringId);
    return recurring && factsOf(tools, one, recurring);
  });
}

function factsOf(tools: ChargingTools, one: Charge, recurring: Recurring): LookUpFacts {
  const canceled = recurring.progress.status === 'canceled';
  return {
    // One that was sent finishes; one that only waits for the payer need not.
    unwanted: canceled && one.state === 'waiting' && confirmedByPayer(one),
    absent: () =>
      canceled
        ? // Its payer has canceled: tell the bank never to charge this key.
          cancelAtBank(tools.acquirers.named(one.acquirer), one.id, { kind: 'canceled' })
        : chargeAgain(tools, one, recurring),
  };
}

/** The same key and the same instrument: if the first request arrives after all, the bank charges once. */
async function chargeAgain(tools: ChargingTools, one: Charge, recurring: Recurring): Promise<ChargeResult> {
  const bound = {
    ...recurring,
    instrument: {
      type: one.instrumentType ?? recurring.instrument.type,
      sealed: one.instrumentSealed ?? recurring.instrument.sealed,
      acquirer: null,
      blikModel: one.blikModel,
      blikNoDelay: one.blikNoDelay,
    },
    progress: { ...recurring.progress, iteration: one.iteration ?? recurring.progress.iteration },
  };
  const [opened] = await openInstruments(tools, [bound]);
  const { transactionId, acquirer, attempt, createdAt: at } = one;
  return charge(tools, bound, opened, { transactionId, acquirer, attempt: attempt ?? 1, at });
}

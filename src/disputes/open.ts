import type { WorkName } from '../../contract/codes/works.ts';
import type { Callback } from '../acquirer/index.ts';
import {
  type Decision,
  DecisionFault,
  type OutgoingRefunds,
  openParking,
  type ParkedItem,
  type Parking,
} from '../banking/index.ts';
import type { Verifying } from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import type { Refunds } from '../refunds/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { claimDisputes } from './claim.ts';
import { receiveNews } from './receive.ts';
import { type DisputeTools, shareAgain } from './step.ts';
import { findParked, listParked, updateSeen } from './store/disputes.ts';
import { disputeJournals } from './store/verify.ts';
import { coverIn, unclaimedParking } from './unclaimed.ts';
import { decideUnsettled, parkLateDisputes } from './unsettled.ts';
import { verifyDisputes } from './verify.ts';

const everyMilliseconds = 10_000;
/** Rarely, because it reads all disputes; those that it looks for are days late anyway. */
const parkedEveryMilliseconds = 600_000;

type RefundsBelow = Pick<Refunds, 'addAfterRefunds'>;

/** `sendsMail`: whether merchants get a mail. */
export function openDisputes(
  base: Tools,
  { sendsMail }: { readonly sendsMail: boolean },
  {
    outgoing,
    refunds,
  }: { readonly outgoing: Pick<OutgoingRefunds, 'settleIn' | 'addCover'>; readonly refunds: RefundsBelow },
) {
  const tools: DisputeTools = { ...base, sendsMail, outgoing };
  const { sql } = tools.db;
  refunds.addAfterRefunds((...args) => shareAgain(tools, ...args));
  outgoing.addCover((...args) => coverIn(tools, ...args));
  // Only the acquirer or a court can take back what a payer got too much: operators only confirm that they have seen
  // it.
  const unsettled = openParking({
    list: () => listParked(sql),
    find: (id) => findParked(sql, id),
    decide: ({ id }, decision) => decideUnsettled(tools, id, decision),
  });
  const parked: Parking = {
    list: unsettled.list,
    decide: async (id, decision) => {
      const item = await findParked(sql, id);
      if (item?.why.code !== 'refunded_too') return unsettled.decide(id, decision);
      await see(tools, item, decision);
      return true;
    },
  };
  return {
    name: 'disputes',
    callback: async (callback: Callback, acquirer: string) =>
      callback.kind === 'dispute' && (await receiveNews(tools, callback, acquirer)),
    parked: both(parked, unclaimedParking(tools)),
    works: [
      { name: 'claim_disputes', run: () => claimDisputes(tools), everyMilliseconds },
      { name: 'park_disputes', run: () => parkLateDisputes(tools), everyMilliseconds: parkedEveryMilliseconds },
    ] satisfies Work<WorkName>[],
    journalKinds: disputeJournals.kinds,
    verify: (verifying: Verifying) => verifyDisputes(verifying),
  };
}

/** What an operator has seen is the amount that was listed: if it is another one by now, it is listed again. */
async function see({ clock, db }: DisputeTools, { id, amountMinor }: ParkedItem, decision: Decision): Promise<void> {
  const seenMinor = decision === 'not-captured' ? 0n : decision.capturedMinor;
  if (await updateSeen(db.sql, id, seenMinor, clock.now())) return;
  const [amount, named] = [decimalText(amountMinor), decimalText(seenMinor)];
  throw new DecisionFault({ code: 'not_about', parameters: { amount, named } });
}

function both(one: Parking, other: Parking): Parking {
  return {
    list: async () => [...(await one.list()), ...(await other.list())],
    decide: async (id, decision) => (await one.decide(id, decision)) || (await other.decide(id, decision)),
  };
}

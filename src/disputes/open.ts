import type { Callback } from '../acquirer/index.ts';
import { type OutgoingRefunds, openParking } from '../banking/index.ts';
import type { Verifying } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { type DisputeTools, receiveNews } from './receive.ts';
import { findParked, listParked, updateUnparked } from './store/disputes.ts';
import { disputeJournals } from './store/verify.ts';
import { verifyDisputes } from './verify.ts';

/** `sendsMail`: whether merchants get a mail. */
export function openDisputes(
  base: Tools,
  { sendsMail }: { readonly sendsMail: boolean },
  outgoing: Pick<OutgoingRefunds, 'settleIn'>,
) {
  const tools: DisputeTools = { ...base, sendsMail, outgoing };
  const { sql } = tools.db;
  return {
    name: 'disputes',
    callback: async (callback: Callback, acquirer: string) =>
      callback.kind === 'dispute' && (await receiveNews(tools, callback, acquirer)),
    /** Shown only to be seen: what the payer gets too much, the acquirer or a court takes back. */
    parked: openParking({
      list: () => listParked(sql),
      find: (id) => findParked(sql, id),
      decide: ({ id }) => updateUnparked(sql, id),
    }),
    journalKinds: disputeJournals.kinds,
    verify: (verifying: Verifying) => verifyDisputes(verifying),
  };
}

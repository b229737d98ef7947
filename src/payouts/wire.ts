import { decimalFromMinor, localText } from '../kernel/index.ts';
import type { Balance } from './balance.ts';
import type { Payout, PayoutReason } from './model.ts';

export function serializeBalance({ availableMinor, dueMinor, notYet, inTransitMinor, owedMinor }: Balance) {
  return {
    amount: decimalFromMinor(availableMinor),
    due: decimalFromMinor(dueMinor),
    notYetDue: notYet.map(({ day, minor }) => ({ date: day.toString(), amount: decimalFromMinor(minor) })),
    // No account has a reserve yet.
    reserved: 0,
    inTransit: decimalFromMinor(inTransitMinor),
    owed: decimalFromMinor(owedMinor),
    currency: 'PLN',
  };
}

export const serializeNext = ({ day, minor, stop }: Balance['next']) => ({
  date: day?.toString() ?? null,
  amount: decimalFromMinor(minor),
  reason: stop?.code ?? null,
});

/** What only banks say. */
function bankSays(reason: PayoutReason) {
  const { code, words } = 'code' in reason.parameters ? reason.parameters : { code: null, words: null };
  return { code: reason.code, bankCode: code, bankWords: words };
}

/** `settlementId`: of the settlement that explains it, if there is one yet. */
export function serializePayout(payout: Payout, zone: string, settlementId: string | undefined) {
  const { reason, createdAt, approvedAt, sentAt, paidAt, endedAt } = payout;
  return {
    payoutId: payout.id,
    status: payout.state,
    amount: decimalFromMinor(payout.amountMinor),
    fee: decimalFromMinor(payout.feeMinor),
    currency: payout.currency,
    onDemand: payout.runId === null,
    bankAccount: { ending: payout.numberEnding, holder: payout.holder },
    reason: reason && bankSays(reason),
    settlementId: settlementId ?? null,
    date: {
      creation: localText(createdAt, zone),
      approved: approvedAt && localText(approvedAt, zone),
      sent: sentAt && localText(sentAt, zone),
      paid: paidAt && localText(paidAt, zone),
      ended: endedAt && localText(endedAt, zone),
    },
  };
}

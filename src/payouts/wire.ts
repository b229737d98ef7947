import type { changePayoutSettings } from '../../contract/payouts.ts';
import type { Static } from '../../contract/schema.ts';
import { decimalFromMinor, localText, minorFromDecimal } from '../kernel/index.ts';
import type { Balance } from './balance.ts';
import type { Payout, PayoutAccount, PayoutReason } from './model.ts';
import type { GivenSettings, SettingsShown } from './settings.ts';

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

type GivenBody = Static<(typeof changePayoutSettings)['body']>;

const minorOf = (amount: number): bigint => minorFromDecimal(amount) ?? 0n;

/** The body is validated. */
export const readGiven = ({ schedule, days, minimum, keepBack }: GivenBody): GivenSettings => ({
  ...(schedule === undefined ? {} : { schedule }),
  ...(days === undefined ? {} : { days }),
  ...(minimum === undefined ? {} : { minimumMinor: minorOf(minimum) }),
  ...(keepBack === undefined ? {} : { keepBackMinor: minorOf(keepBack) }),
});

function serializePlace(
  { numberEnding, holder, verifiedAt, holdUntil }: PayoutAccount,
  zone: string,
  now: Temporal.Instant,
) {
  const isHeld = Temporal.Instant.compare(holdUntil, now) > 0;
  const status = isHeld ? ('on_hold' as const) : ('verified' as const);
  return {
    ending: numberEnding,
    holder,
    status: verifiedAt ? status : ('not_verified' as const),
    holdUntil: isHeld ? localText(holdUntil, zone) : null,
  };
}

export const serializeSettings = ({ terms, place }: SettingsShown, zone: string, now: Temporal.Instant) => ({
  schedule: terms.schedule,
  days: [...terms.days],
  minimum: decimalFromMinor(terms.minimumMinor),
  keepBack: decimalFromMinor(terms.keepBackMinor),
  delayDays: terms.delayDays,
  blocked: terms.blockedAt !== null,
  bankAccount: place ? serializePlace(place, zone, now) : null,
});

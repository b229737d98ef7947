// Requests to the bank by key. Never inside a database transaction.

import type { Acquirer, ChargeAnswer, ChargeRequest, FindAnswer } from '../acquirer/index.ts';
import { elsewhere } from '../runtime/index.ts';
import { type Finding, learnedOf } from './rules.ts';

const deadlineMilliseconds = 10_000;

export function findAtBank(acquirer: Acquirer, key: string): Promise<FindAnswer> {
  return elsewhere(() => acquirer.findCharge({ key, deadlineMilliseconds }));
}

/** Who pays, for a charge request: an acquirer that asks for it needs at least the address. */
export function payerOf({ email, name }: { email: string; name: string }): Pick<ChargeRequest, 'payer'> {
  return email === '' ? {} : { payer: { email, name } };
}

type Ended = Extract<Finding, { kind: 'declined' | 'canceled' }>;
type Canceled = Extract<Finding, { kind: 'approved' | 'declined' | 'canceled' | 'again' }>;

/** Charges. If the merchant initiated the charge, a confirmation page is refused: the payer is not there to see it. */
export async function chargeAtBank(
  acquirer: Acquirer,
  request: ChargeRequest,
): Promise<Exclude<ChargeAnswer, { kind: 'approved' }> | Canceled> {
  const answer = await elsewhere(() => acquirer.charge(request));
  const challenged = answer.kind === 'waiting' && answer.link !== null && request.initiator === 'merchant';
  return challenged ? refuseChallenge(acquirer, request.key) : learnedOf(answer);
}

/** Declines a charge that waits for an absent payer, after the bank has promised never to capture it. */
export function refuseChallenge(acquirer: Acquirer, key: string): Promise<Canceled> {
  return cancelAtBank(acquirer, key, { kind: 'declined', reason: 'authentication failed' });
}

/**
 * Asks the bank to promise that the key will never capture; if it does, the result is `then`. If it is too late for
 * that, the bank's record decides.
 */
export async function cancelAtBank(acquirer: Acquirer, key: string, then: Ended): Promise<Canceled> {
  const canceled = await elsewhere(() => acquirer.cancel({ key, deadlineMilliseconds }));
  if (canceled.kind === 'canceled') return then;
  if (canceled.kind !== 'tooLate') return { kind: 'again', notFound: false };
  const found = await findAtBank(acquirer, key);
  if (found.kind === 'approved') return { kind: 'approved', amountMinor: found.amount.minor, lookedUp: true };
  return found.kind === 'declined' || found.kind === 'canceled' ? found : { kind: 'again', notFound: false };
}

// Questions to the bank by key. Outside any database transaction, like every word to the bank.

import type { Acquirer, FindAnswer } from '../acquirer/index.ts';
import type { Finding } from './rules.ts';

const deadlineMilliseconds = 10_000;

export function findAtBank(acquirer: Acquirer, key: string): Promise<FindAnswer> {
  return acquirer.findCharge({ key, deadlineMilliseconds });
}

type Ended = Extract<Finding, { kind: 'declined' | 'canceled' }>;

/**
 * Asks the bank to promise that the key will never capture; `then` holds once it has. When it is too late for that, the
 * bank's record counts.
 */
export async function cancelAtBank(
  acquirer: Acquirer,
  key: string,
  then: Ended,
): Promise<Extract<Finding, { kind: 'approved' | 'declined' | 'canceled' | 'again' }>> {
  const canceled = await acquirer.cancel({ key, deadlineMilliseconds });
  if (canceled.kind === 'canceled') return then;
  if (canceled.kind !== 'tooLate') return { kind: 'again', notFound: false };
  const found = await findAtBank(acquirer, key);
  if (found.kind === 'approved') return { kind: 'approved', amountMinor: found.amount.minor, lookedUp: true };
  return found.kind === 'declined' || found.kind === 'canceled' ? found : { kind: 'again', notFound: false };
}

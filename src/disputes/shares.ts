// Who bears what of a dispute. Pure.

import type { AccountId } from '../kernel/index.ts';
import type { Borne } from '../ledger/index.ts';
import type { Part, Share } from './model.ts';

const least = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * Divides what is disputed among the sellers of a payment: by what of their parts was not refunded, and what goes beyond
 * that by the parts themselves. As with a refund, a seller gives its part less the commission that belongs to it, which
 * the partner returns. The commission may exceed what is left, because a refund that was paid late returned none: the
 * partner then gives all that is taken of the part, and the seller gets nothing by it.
 */
export function sharesOf(minor: bigint, partnerId: AccountId, parts: readonly Part[]): Share[] {
  const leftMinor = sum(parts.map((part) => part.leftMinor));
  const within = least(minor, leftMinor);
  const lefts = divided(
    within,
    parts.map((part) => part.leftMinor),
  );
  const beyond = divided(
    minor - within,
    parts.map((part) => part.amountMinor),
  );
  const commissions = parts.map(({ leftMinor: left, commissionLeftMinor }, index) => {
    const taken = lefts[index] ?? 0n;
    return left === 0n ? 0n : least((commissionLeftMinor * taken) / left, taken);
  });
  const shares = parts.map(({ accountId }, index) => ({
    accountId,
    minor: (lefts[index] ?? 0n) + (beyond[index] ?? 0n) - (commissions[index] ?? 0n),
  }));
  return together([...shares, { accountId: partnerId, minor: sum(commissions) }]);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, minor) => total + minor, 0n);
}

/** In proportion to the weights, to the grosz: what rounding leaves goes to the first of them. */
function divided(minor: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights);
  if (all === 0n) return weights.map(() => 0n);
  const whole = weights.map((weight) => (minor * weight) / all);
  let rest = minor - sum(whole);
  return whole.map((one, index) => {
    const takes = rest > 0n && (weights[index] ?? 0n) > 0n;
    if (takes) rest -= 1n;
    return takes ? one + 1n : one;
  });
}

function together(shares: readonly Share[]): Share[] {
  const all = new Map<AccountId, bigint>();
  for (const { accountId, minor } of shares) all.set(accountId, (all.get(accountId) ?? 0n) + minor);
  return Array.from(all, ([accountId, minor]) => ({ accountId, minor })).filter(({ minor }) => minor !== 0n);
}

/**
 * What changes for each account, in the same direction for all. If refunds have changed the parts since, what accounts
 * bore before stays with them, so that no account gets back what another one has to give.
 */
export function changesOf(before: readonly Share[], after: readonly Share[]): Share[] {
  const all = movesOf(before, after);
  const minor = sum(all.map((one) => one.minor));
  const sign = minor < 0n ? -1n : 1n;
  const those = all.filter((one) => one.minor * sign > 0n);
  const parts = divided(
    minor * sign,
    those.map((one) => one.minor * sign),
  );
  return together(those.map(({ accountId }, index) => ({ accountId, minor: (parts[index] ?? 0n) * sign })));
}

/**
 * What changes for each account when all of it is shared anew: some give what others get. A refund that ended unpaid is
 * as if it had never been.
 */
export function movesOf(before: readonly Share[], after: readonly Share[]): Share[] {
  return together([...after, ...before.map(({ accountId, minor }) => ({ accountId, minor: -minor }))]);
}

/** What an account has, and what it owes us. */
export interface Means {
  readonly availableMinor: bigint;
  readonly owedMinor: bigint;
}

/** What is taken leaves the balance as far as it goes; the rest is owed. What is given back first pays what is owed. */
export function borneBy({ accountId, minor }: Share, { availableMinor, owedMinor }: Means): Borne {
  if (minor > 0n) {
    const taken = least(minor, availableMinor);
    return { accountId, availableMinor: taken, owedMinor: minor - taken };
  }
  const paid = least(-minor, owedMinor);
  return { accountId, availableMinor: minor + paid, owedMinor: -paid };
}

// Who bears what of a dispute. Pure.

import type { AccountId, DisputeId } from '../kernel/index.ts';
import type { Part, Share, Sharing } from './model.ts';

const least = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * Divides what is disputed among the sellers of a payment: by what of their parts they have not given by refunds, and what
 * goes beyond that by the parts themselves. As with a refund, a seller gives its part less the commission that belongs to
 * it, which the partner returns. If refunds returned less of the commission than belonged to them, it may exceed what is
 * left: the partner then gives all that is taken of the part, and the seller gets nothing by it. Of a larger amount
 * nobody gives less.
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

/**
 * In proportion to the weights, to the grosz. Each grosz that rounding leaves goes to whoever has the least for its weight
 * even with it, the first of them (D'Hondt): so nobody gets less when there is more to divide, and all of the weights is
 * divided into the weights.
 */
function divided(minor: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights);
  if (all === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => ({ weight, minor: (minor * weight) / all }));
  for (let rest = minor - sum(parts.map((part) => part.minor)); rest > 0n; rest -= 1n) {
    const next = parts.reduce((best, part) =>
      part.weight * (best.minor + 1n) > best.weight * (part.minor + 1n) ? part : best,
    );
    next.minor += 1n;
  }
  return parts.map((part) => part.minor);
}

function together(shares: readonly Share[]): Share[] {
  const all = new Map<AccountId, bigint>();
  for (const { accountId, minor } of shares) all.set(accountId, (all.get(accountId) ?? 0n) + minor);
  return Array.from(all, ([accountId, minor]) => ({ accountId, minor })).filter(({ minor }) => minor !== 0n);
}

/**
 * Who bears what of each dispute of a payment: all of them are divided as one, and each adds what it makes more, the first
 * one first. So all of them together leave each account with its share, to the grosz.
 */
export function sharesOfAll({ merchantId, parts, disputes }: Pick<Sharing, 'merchantId' | 'parts' | 'disputes'>) {
  const shareOf = (minor: bigint) =>
    parts.length === 0 ? together([{ accountId: merchantId, minor }]) : sharesOf(minor, merchantId, parts);
  let [minor, before]: [bigint, readonly Share[]] = [0n, []];
  return new Map(
    disputes.map((dispute) => {
      minor += dispute.minor;
      const after = shareOf(minor);
      const shares = movesOf(before, after);
      before = after;
      return [dispute.id, shares] as const;
    }),
  );
}

/** What is to move between accounts so that all of them bear their shares; of each dispute that is shared otherwise. */
export function unshared(sharing: Sharing): Map<DisputeId, Share[]> {
  const shares = sharesOfAll(sharing);
  const moves = sharing.disputes.map(({ id, borne }) => [id, movesOf(borne, shares.get(id) ?? [])] as const);
  return new Map(moves.filter(([, taken]) => taken.length > 0));
}

/**
 * What changes for each account, in the same direction for all: a step takes or gives back. What it leaves to move between
 * accounts is shared anew in a step of its own.
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

/** What changes for each account from one sharing to another: some may give what others get. */
export function movesOf(before: readonly Share[], after: readonly Share[]): Share[] {
  return together([...after, ...before.map(({ accountId, minor }) => ({ accountId, minor: -minor }))]);
}

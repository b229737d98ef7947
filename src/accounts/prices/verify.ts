// Checks prices, for `grosz verify`.

import type { Finding } from '../../../contract/codes/findings.ts';
import { findingsAtMost, problemsOf, type Verifying } from '../../database/index.ts';
import type { Tools } from '../../tools.ts';
import { isAssignmentOf, isPriceOf } from './prices.ts';
import { listOtherFees, listSignedSince } from './store.ts';

/** Prices that nobody set, accounts that were given another list, and fees in settings that are not the account's prices. */
export async function verifyPrices({ vault }: Pick<Tools, 'vault'>, { sql, since }: Verifying): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const { prices, assignments } of listSignedSince(sql, since?.at ?? null)) {
    found.push(
      ...(await problemsOf(prices, (price) =>
        isPriceOf(vault, price) ? [] : [{ code: 'price_changed', parameters: { id: `${price.id}` } }],
      )),
      ...(await problemsOf(assignments, (one) =>
        isAssignmentOf(vault, one) ? [] : [{ code: 'price_list_changed', parameters: { accountId: one.accountId } }],
      )),
    );
    if (found.length >= findingsAtMost) return found;
  }
  if (since) return found;
  const others = await listOtherFees(sql, findingsAtMost);
  return [...found, ...others.map((id): Finding => ({ code: 'own_price_differs', parameters: { id } }))];
}

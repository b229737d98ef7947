// Payouts from planned amounts: rows and journals, in the caller's database transaction.

import type { Sql } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';
import { payoutCreatedJournal, post } from '../ledger/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import { askSettlements } from '../settlements/index.ts';
import type { Tools } from '../tools.ts';
import type { Payout, PayoutAccount } from './model.ts';
import { openNumber, sealNumberOf } from './number.ts';
import { insertPayouts } from './store/payouts.ts';
import { tellStates } from './tell.ts';

/** What an account is paid. */
export interface Planned {
  readonly accountId: AccountId;
  /** Null: on demand. */
  readonly runId: string | null;
  readonly place: Pick<PayoutAccount, 'id' | 'numberSealed' | 'numberEnding' | 'holder'>;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
}

/**
 * Makes the payouts, one for each account. The caller has locked the terms and the balances of the accounts and computed the
 * amounts from these, so that no balance refuses all of them. `now` is when they were locked.
 */
export async function createPayouts(
  { ids, vault }: Pick<Tools, 'ids' | 'vault'>,
  sql: Sql,
  planned: readonly Planned[],
  now: Temporal.Instant,
): Promise<Payout[]> {
  const made = await mapInTurns(planned, ({ place, ...one }): Payout => {
    const id = ids.ulid(now);
    return {
      ...one,
      id,
      payoutAccountId: place.id,
      currency: 'PLN',
      numberSealed: sealNumberOf(vault, id, openNumber(vault, place)),
      numberEnding: place.numberEnding,
      holder: place.holder,
      state: 'created',
      reason: null,
      createdAt: now,
      approvedAt: null,
      sentAt: null,
      paidAt: null,
      endedAt: null,
      givenBackAt: null,
      moves: 0,
    };
  });
  await insertPayouts(sql, made);
  await askSettlements(
    sql,
    made.map(({ accountId, id }) => ({ accountId, payoutId: id })),
    now,
  );
  const journals = made.map((payout) => payoutCreatedJournal({ ...payout, source: payout.id }, payout.accountId));
  await post(sql, ids, journals, now);
  await tellStates({ ids, vault }, sql, made, now);
  return made;
}

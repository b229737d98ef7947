// Payouts on demand: asked for and canceled by the account itself. A payout on demand is the same as one of a run.

import type { PayoutStop } from '../../contract/codes/payouts.ts';
import type { Sql } from '../database/index.ts';
import type { Once } from '../http/index.ts';
import { type AccountId, decimalText, refuse } from '../kernel/index.ts';
import { findBalances, lockBalances } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import { createPayouts, type Planned } from './create.ts';
import { amountExceedsDue, payoutNotCancelable, payoutWaiting, stopFailures } from './failures.ts';
import { accountsOf, gateOf, holdingsOf, nothing, settingsOf } from './holdings.ts';
import type { Payout } from './model.ts';
import { decidedOnDemand } from './rules.ts';
import { findAltered, reportAltered } from './signed.ts';
import { cancelCreated } from './step.ts';
import { findPayoutOf, hasWaiting } from './store/payouts.ts';
import { findCandidate } from './store/run.ts';
import { lockTerms } from './store/settings.ts';

type AskTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'log' | 'vault'>;

export interface Asked {
  readonly accountId: AccountId;
  /** Undefined: all that is due. */
  readonly amountMinor: bigint | undefined;
}

function refuseStop({ code, parameters }: PayoutStop): never {
  // Nobody asks a schedule.
  if (code === 'not_scheduled') return refuse(stopFailures.nothing_due);
  if (code === 'bank_account_on_hold')
    return refuse(stopFailures[code], '', `The bank account was changed and is on hold until ${parameters.until}.`);
  if (code === 'below_minimum')
    return refuse(stopFailures[code], '', `${parameters.due} is less than the minimum of ${parameters.minimum}.`);
  return refuse(stopFailures[code]);
}

/** What would be paid now, or a refusal that names the rule. `balances` reads or locks those of the account. */
async function planOn(tools: AskTools, sql: Sql, asked: Asked, balances: typeof findBalances): Promise<Planned> {
  const { accountId, amountMinor: askedMinor } = asked;
  const candidate = (await findCandidate(sql, accountId)) ?? refuse('not_found');
  const held = await balances(sql, accountsOf(accountId));
  const now = tools.clock.now();
  const holding = (await holdingsOf(sql, [candidate], held, now)).get(accountId) ?? nothing;
  const altered = await findAltered(tools, [candidate]);
  reportAltered(tools, altered);
  const amount = decidedOnDemand(gateOf(candidate, altered), settingsOf(candidate), holding, { now, askedMinor });
  if (typeof amount === 'object') {
    if ('code' in amount) return refuseStop(amount);
    return refuse(
      amountExceedsDue,
      'amount',
      `The amount is more than the ${decimalText(amount.payableMinor)} that is due.`,
    );
  }
  if (await hasWaiting(sql, accountId)) return refuse(payoutWaiting);
  const place = candidate.place ?? refuseStop({ code: 'bank_account_missing', parameters: {} });
  return { accountId, runId: null, place, amountMinor: amount, feeMinor: 0n };
}

/** Refuses what could not be paid now. Changes nothing. */
export async function checkPayout(tools: AskTools, asked: Asked): Promise<void> {
  await planOn(tools, tools.db.sql, asked, findBalances);
}

/**
 * Makes a payout on demand: the money has left the balance when this resolves, or nothing happened. Whoever asks or changes
 * anything of the account's payouts waits for each other; the amount comes from locked balances, as in a run.
 */
export async function askPayout(tools: AskTools, asked: Asked, once: Once): Promise<Payout> {
  const id = await once(async (sql) => {
    await lockTerms(sql, asked.accountId);
    const planned = await planOn(tools, sql, asked, lockBalances);
    const [payout] = await createPayouts(tools, sql, [planned], tools.clock.now());
    return payout?.id ?? refuse('not_found');
  });
  return (await findPayoutOf(tools.db.sql, asked.accountId, id)) ?? refuse('not_found');
}

/** Ends one that no operator has signed; the balance has its amount and fee again when this resolves. */
export async function cancelPayout(
  tools: Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>,
  { accountId, id }: { readonly accountId: AccountId; readonly id: string },
  once: Once,
): Promise<Payout> {
  const find = async (sql: Sql) => (await findPayoutOf(sql, accountId, id)) ?? refuse('not_found');
  await find(tools.db.sql);
  await once(async (sql) => {
    const canceled = await cancelCreated(tools, sql, [id], { code: 'canceled_by_account', parameters: {} });
    if (canceled.length === 0 && (await find(sql)).state !== 'canceled') refuse(payoutNotCancelable);
    return null;
  });
  return find(tools.db.sql);
}

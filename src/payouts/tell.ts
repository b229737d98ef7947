// Tells accounts what becomes of their payouts: by notification, if they gave an address, and by mail. In the database
// transaction of the change.

import type { Sql } from '../database/index.ts';
import { money } from '../kernel/index.ts';
import { composeMails, insertEvents, insertMails, type NewEvent, payoutNotification } from '../notifications/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import { listTold, type Told } from '../settlements/index.ts';
import type { Tools } from '../tools.ts';
import { placeMail, stateMail } from './mail.ts';
import type { Payout, PayoutAccount, PayoutState } from './model.ts';

/** With whether accounts get mail: without it, they get none. */
export type MailTools = Pick<Tools, 'config' | 'ids' | 'log' | 'vault'> & { readonly sendsMail?: boolean };

async function toldOf(sql: Sql, accountIds: readonly Payout['accountId'][]): Promise<Map<string, Told>> {
  return new Map((await listTold(sql, [...new Set(accountIds)])).map((one) => [one.accountId, one]));
}

function eventOf(id: string, payout: Payout, { url, zone }: Told, at: Temporal.Instant): NewEvent[] {
  // Without an address it could be read by somebody who did not ask for it.
  if (url === null) return [];
  const { accountId, amountMinor, currency, reason, state } = payout;
  const bankCode = reason && 'code' in reason.parameters ? reason.parameters.code : null;
  return [
    {
      id,
      accountId,
      type: 'payout',
      subjectId: payout.id,
      url,
      payload: payoutNotification({
        merchantId: accountId,
        payoutId: payout.id,
        status: state,
        amount: money(amountMinor, currency),
        feeMinor: payout.feeMinor,
        ending: payout.numberEnding,
        onDemand: payout.runId === null,
        reason: reason?.code ?? null,
        bankCode,
        at,
        zone,
      }),
      createdAt: at,
    },
  ];
}

/** Each payout with the state that it has got. */
export async function tellStates(
  { ids, vault }: Pick<Tools, 'ids' | 'vault'>,
  sql: Sql,
  payouts: readonly Payout[],
  at: Temporal.Instant,
): Promise<void> {
  if (payouts.length === 0) return;
  const told = await toldOf(
    sql,
    payouts.map(({ accountId }) => accountId),
  );
  const events = payouts.flatMap((payout) => {
    const account = told.get(payout.accountId);
    return account ? eventOf(ids.ulid(), payout, account, at) : [];
  });
  if (events.length > 0) await insertEvents(sql, vault, events);
}

/** Those of which an account has no other sign. That it is paid is told with settlements, unless these are switched off. */
const alwaysTold = new Set<PayoutState>(['returned', 'failed']);

/** A mail for each payout that is paid, that came back or that the bank refused. */
export async function mailStates(
  tools: MailTools,
  sql: Sql,
  payouts: readonly Payout[],
  at: Temporal.Instant,
): Promise<void> {
  const moved = payouts.filter(({ state }) => state === 'paid' || alwaysTold.has(state));
  if (!tools.sendsMail || moved.length === 0) return;
  const told = await toldOf(
    sql,
    moved.map(({ accountId }) => accountId),
  );
  const mailed = moved.flatMap((payout) => {
    const account = told.get(payout.accountId);
    return account && (account.mails || alwaysTold.has(payout.state)) ? [{ payout, account }] : [];
  });
  const compose = ({ payout, account }: (typeof mailed)[number]) =>
    stateMail(tools, tools.ids.ulid(), payout, account, at);
  const mails = await mapInTurns(mailed, (one) => composeMails(tools, [one], compose));
  await insertMails(sql, mails.flat());
}

const isAddress = (text: string) => text.includes('@');

/**
 * To the account, to whoever gave the number and to whoever had given the one before: of these, a thief who has changed one
 * address has not changed all.
 */
export async function mailPlace(
  tools: MailTools,
  sql: Sql,
  place: PayoutAccount,
  before: PayoutAccount | undefined,
): Promise<void> {
  if (!tools.sendsMail) return;
  const [account] = await listTold(sql, [place.accountId]);
  if (!account) return;
  const addresses = [account.email, place.givenBy, ...(before ? [before.givenBy] : [])].filter(isAddress);
  const compose = (recipient: string) => placeMail(tools, tools.ids.ulid(), { place, before, recipient }, account);
  await insertMails(sql, composeMails(tools, [...new Set(addresses)], compose));
}

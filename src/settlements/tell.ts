// Tells accounts of their settlements: by notification, if they gave an address, and by mail. In the database transaction that
// cuts them.

import type { Sql } from '../database/index.ts';
import { money } from '../kernel/index.ts';
import {
  composeMails,
  insertEvents,
  insertMails,
  type NewEvent,
  settlementNotification,
} from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import { settlementMail } from './mail.ts';
import { listTold, type Settlement, type Told } from './store/cut.ts';

export interface TellTools extends Pick<Tools, 'config' | 'ids' | 'log' | 'vault'> {
  /** Whether accounts get mail. */
  readonly sendsMail: boolean;
}

const currency = 'PLN';

export async function tellSettlements(tools: TellTools, sql: Sql, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  const ids = settlements.map(({ accountId }) => accountId);
  const told = new Map((await listTold(sql, ids)).map((one) => [one.accountId, one]));
  const both = settlements.flatMap((settlement) => {
    const account = told.get(settlement.accountId);
    return account ? [{ settlement, account }] : [];
  });
  const events = both.flatMap(({ settlement, account }) => eventOf(tools, settlement, account));
  await insertEvents(sql, tools.vault, events);
  if (!tools.sendsMail) return;
  const mailed = both.filter(({ account }) => account.mails);
  const mails = composeMails(tools, mailed, ({ settlement, account }) =>
    settlementMail(tools, tools.ids.ulid(), settlement, account),
  );
  await insertMails(sql, mails);
}

/** None without an address: it could be read by nobody who did not ask for it. */
function eventOf({ ids }: Pick<Tools, 'ids'>, settlement: Settlement, { url, zone }: Told): NewEvent[] {
  if (url === null) return [];
  const { id, accountId, number, payoutId, openingMinor, closingMinor, lines, createdAt } = settlement;
  return [
    {
      id: ids.ulid(),
      accountId,
      type: 'settlement',
      subjectId: id,
      url,
      payload: settlementNotification({
        merchantId: accountId,
        settlementId: id,
        number,
        payoutId,
        opening: money(openingMinor, currency),
        closing: money(closingMinor, currency),
        lines,
        at: createdAt,
        zone,
      }),
      createdAt,
    },
  ];
}

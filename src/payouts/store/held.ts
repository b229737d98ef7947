// SQL of balances. Reads the ledger only.

import { given, type Row, readBigint, readText, type Sql } from '../../database/index.ts';
import { type AccountId, ulid } from '../../kernel/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';
import type { Credited } from '../due.ts';

/** A day, and the ids that were made on it. */
interface DayOfIds {
  readonly day: string;
  readonly fromId: string;
  readonly untilId: string;
}

export const dayColumns = { day: 'date', fromId: 'text', untilId: 'text' } as const;

export const idFrom = (day: Temporal.PlainDate, zone: string) =>
  ulid(day.toZonedDateTime(zone).epochMilliseconds, new Uint8Array(16));

const afterAllIds = '8';

/**
 * From the first day to tomorrow, in this time zone: the id of a journal tells when it was posted. On a node whose clock is
 * ahead, tomorrow may have begun; whatever is newer counts as tomorrow's.
 */
export function daysOfIds(first: Temporal.PlainDate, today: Temporal.PlainDate, zone: string): DayOfIds[] {
  const count = first.until(today).days + 2;
  return Array.from({ length: count }, (_, index) => {
    const day = first.add({ days: index });
    const untilId = index + 1 === count ? afterAllIds : idFrom(day.add({ days: 1 }), zone);
    return { day: day.toString(), fromId: idFrom(day, zone), untilId };
  });
}

export interface Held {
  readonly availableMinor: bigint;
  readonly inTransitMinor: bigint;
  readonly owedMinor: bigint;
  /** Of these days, oldest first; those without a credit are missing. */
  readonly credited: readonly Credited[];
}

const creditedFrom = ([day, minor]: readonly [string, string]): Credited => ({
  day: Temporal.PlainDate.from(day),
  minor: BigInt(minor),
});

const readHeld = (row: Row): Held => ({
  availableMinor: readBigint(row, 'available'),
  inTransitMinor: readBigint(row, 'in_transit'),
  owedMinor: readBigint(row, 'owed'),
  credited: (JSON.parse(readText(row, 'credited')) as (readonly [string, string])[]).map(creditedFrom),
});

/** The balances of an account and what was credited since the first of these days, as of one moment. */
export function findHeld(
  sql: Sql,
  accountId: AccountId,
  first: Temporal.PlainDate,
  today: Temporal.PlainDate,
  zone: string,
): Promise<Held> {
  const { available, payoutTransit, owed } = ledgerAccounts;
  const days = daysOfIds(first, today, zone);
  return sql.one(readHeld)`
    with credit as (
      select given.day, -sum(entry.amount_minor) as minor
        from ${given(days, dayColumns)}
        join entry on entry.account = ${available(accountId)} and entry.amount_minor < 0
         and entry.journal_id >= given.from_id and entry.journal_id < given.until_id
       group by given.day
    ), balance as (
      select account, balance_minor as minor from ledger_balance
       where account in (${available(accountId)}, ${payoutTransit(accountId)}, ${owed(accountId)})
    )
    select coalesce((select minor from balance where account = ${available(accountId)}), 0) as available,
           coalesce((select minor from balance where account = ${payoutTransit(accountId)}), 0) as in_transit,
           coalesce((select minor from balance where account = ${owed(accountId)}), 0) as owed,
           (select coalesce(jsonb_agg(jsonb_build_array(day, minor::text) order by day), '[]')::text from credit) as credited`;
}

// SQL that looks for a file of payments in the statements of an account. Reads only.

import { readBoolean, readInteger, type Sql, SqlText } from '../../database/index.ts';
import type { Lost } from '../model.ts';

/** Up to which day a statement tells: of the day on which it came, and of later ones, it cannot have everything. */
const endOf = new SqlText(`least(coalesce(statement.to_on, statement.closing_on, statement.last_on),
  (statement.accepted_at at time zone 'Europe/Warsaw')::date - 1)`);

/** Statements of the account that tell something about the days since the file was made. */
const sinceMade = new SqlText(`
  bank_account as account
    join bank_statement as statement on statement.bank_account_id = account.id and statement.position is not null`);

export interface Since {
  /** There is one before them, or one of them is of the day on which the file was made or earlier. */
  readonly begins: boolean;
  /** One tells of the day by which the bank would have paid, or of a later one. */
  readonly ends: boolean;
  /** Of these, how many do not continue the one before, and how many are not booked yet. */
  readonly gaps: number;
  readonly unbooked: number;
}

/** Undefined: the account has no statement. */
export function findSince(sql: Sql, { payerNumber, madeOn, until }: Lost): Promise<Since | undefined> {
  const [made, last] = [madeOn.toString(), until.toString()];
  return sql.maybeOne((row) => ({
    begins: readBoolean(row, 'begins'),
    ends: readBoolean(row, 'ends'),
    gaps: readInteger(row, 'gaps'),
    unbooked: readInteger(row, 'unbooked'),
  }))`
    select bool_or(coalesce(statement.from_on, statement.opening_on, statement.first_on) <= ${made}::date
                   or ${endOf} < ${made}::date) as begins,
           bool_or(${endOf} >= ${last}::date) as ends,
           count(*) filter (where ${endOf} >= ${made}::date and statement.brought_minor <> 0
                              and coalesce(statement.from_on, statement.opening_on, statement.first_on) > ${made}::date)::integer
             as gaps,
           count(*) filter (where statement.booked_at is null)::integer as unbooked
      from ${sinceMade} where account.number = ${payerNumber} having count(*) > 0`;
}

/** Lines since the file was made that are of it, or could be. */
export function countTraces(sql: Sql, { payerNumber, messageId, madeOn, totalMinor, payouts }: Lost): Promise<number> {
  const ids = payouts.map(({ id }) => id);
  const amounts = [...new Set([totalMinor, ...payouts.map(({ amountMinor }) => amountMinor)])];
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count
      from ${sinceMade} join bank_line as line on line.id >= statement.id || '-' and line.id < statement.id || '.'
     where account.number = ${payerNumber} and ${endOf} >= ${madeOn.toString()}::date and line.amount_minor < 0
       and (strpos(coalesce(line.batch, ''), ${messageId}) > 0 or strpos(coalesce(line.end_to_end, ''), ${messageId}) > 0
            or strpos(line.title, ${messageId}) > 0
            or line.target = any(${ids}::text[])
            or line.left_minor <> 0 and (line.payments > 1 or strpos(upper(line.title), 'GROSZ') > 0 or line.end_to_end = any(${ids}::text[])
                                      or -line.amount_minor = any(${amounts}::bigint[])))`;
}

// Counts of rows by merchant, six-hour bucket and status. Statements record changes (`<rows>_count_change`), where no writer
// waits for another; a work adds them to the counts (`<rows>_count`) now and then. Together they are exact at any time, so
// that a list counts buckets instead of rows. The room that owns the tables says what they are.

import type { Database } from '../database.ts';
import { readInteger, readText } from '../read.ts';
import { type Sql, type SqlPart, SqlText, sqlPart } from '../sql.ts';

export interface CountedRows {
  /** The table that is counted; the two tables of its counts are named after it. */
  readonly rows: string;
  /** The columns of the counts. */
  readonly statuses: readonly string[];
  /** An advisory lock of its own. */
  readonly lock: number;
  /** Further columns of the changes, and what is done with them when they are added: a part of the statement, of `gone`. */
  readonly also?: { readonly columns: readonly string[]; readonly part: SqlPart };
}

export interface Miscounted {
  readonly merchantId: string;
  readonly from: string;
  readonly status: string;
  readonly counted: number;
  readonly there: number;
}

export class BucketCounts {
  readonly #lock: number;
  readonly #statuses: readonly string[];
  readonly #also: CountedRows['also'];
  readonly #rows: SqlText;
  readonly #counts: SqlText;
  readonly #changes: SqlText;

  constructor({ rows, statuses, lock, also }: CountedRows) {
    this.#lock = lock;
    this.#statuses = statuses;
    this.#also = also;
    this.#rows = new SqlText(rows);
    this.#counts = new SqlText(`${rows}_count`);
    this.#changes = new SqlText(`${rows}_count_change`);
  }

  #each(write: (status: string) => string, between = ', '): SqlText {
    return new SqlText(this.#statuses.map(write).join(between));
  }

  /**
   * The number of a row of the counts with a status, or with any if it is null; for `buckets` of a list, together with the
   * changes.
   */
  numberOf(status: string | null): SqlPart {
    const cases = this.#each((one) => `when '${one}' then ${one}`, ' ');
    return sqlPart`case ${status}::text ${cases} else ${this.#each((one) => one, ' + ')} end`;
  }

  /**
   * Adds the oldest changes to the counts; returns how many. One node at a time: a decrement must not come before its
   * increment.
   */
  add({ db }: { readonly db: Pick<Database, 'atomic'> }, atMost: number): Promise<number> {
    return db.atomic(async (sql) => ((await this.#tryLock(sql)) ? this.#addChanges(sql, atMost) : 0));
  }

  async #tryLock(sql: Sql): Promise<boolean> {
    const { got } = await sql.one((row) => ({ got: row.got === true }))`
      select pg_try_advisory_xact_lock(${this.#lock}) as got`;
    return got;
  }

  /** Whether there are changes that are not added yet: lists read all of those. */
  async hasChanges(sql: Sql): Promise<boolean> {
    const { there } = await sql.one((row) => ({ there: row.there === true }))`
      select exists (select from ${this.#changes}) as there`;
    return there;
  }

  #addChanges(sql: Sql, atMost: number): Promise<number> {
    const names = this.#each((one) => one);
    const sums = this.#each((one) => `coalesce(sum(change) filter (where status = '${one}'), 0)::integer as ${one}`);
    const also = new SqlText((this.#also?.columns ?? []).map((column) => `, ${column}`).join(''));
    return sql.one((row) => readInteger(row, 'added'))`
      with gone as (
        delete from ${this.#changes} where id in (select id from ${this.#changes} order by id limit ${atMost})
        returning merchant_id, six_hour_bucket, status, change${also}
      ), sums as (
        select merchant_id, six_hour_bucket, ${sums} from gone group by merchant_id, six_hour_bucket
      ), updated as (
        update ${this.#counts} as counted set ${this.#each((one) => `${one} = counted.${one} + sums.${one}`)}
          from sums
         where counted.merchant_id = sums.merchant_id and counted.six_hour_bucket = sums.six_hour_bucket
        returning counted.merchant_id, counted.six_hour_bucket
      ), inserted as (
        insert into ${this.#counts} (merchant_id, six_hour_bucket, ${names})
        select merchant_id, six_hour_bucket, ${names} from sums
         where (merchant_id, six_hour_bucket) not in (select merchant_id, six_hour_bucket from updated)
      )${this.#also?.part ?? sqlPart``}
      select count(*)::integer as added from gone`;
  }

  /** Buckets whose counts differ from their rows; a full table scan, at most `atMost`. */
  listMiscounted(sql: Sql, atMost: number): Promise<Miscounted[]> {
    const read = (row: Readonly<Record<string, unknown>>): Miscounted => ({
      merchantId: readText(row, 'merchant_id'),
      from: readText(row, 'six_hour_bucket'),
      status: readText(row, 'status'),
      counted: readInteger(row, 'counted'),
      there: readInteger(row, 'there'),
    });
    return sql.many(read)`
      select merchant_id, to_char(six_hour_bucket at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as six_hour_bucket, status,
             sum(counted)::integer as counted, sum(there)::integer as there
        from (select merchant_id, six_hour_bucket, one.status, one.counted, 0 as there
                from ${this.#counts}
               cross join lateral (values ${this.#each((one) => `('${one}', ${one})`)}) as one (status, counted)
              union all
              select merchant_id, six_hour_bucket, status, change, 0 from ${this.#changes}
              union all
              select merchant_id, six_hour_bucket_of(created_at), status, 0, count(*) from ${this.#rows}
               group by 1, 2, 3) as parts
       group by 1, 2, 3
      having sum(counted) <> sum(there)
       order by 1, 2, 3
       limit ${atMost}`;
  }
}

/**
 * Of `buckets` of a list, newest first: those that a page touches, each with how many rows are before it. To be continued
 * with the page's own rows.
 */
export function touchedBuckets({ limit, offset }: { readonly limit: number; readonly offset: number }): SqlPart {
  return sqlPart`placed as (
      select six_hour_bucket, number, sum(number) over (order by six_hour_bucket desc) - number as before from buckets
    ), touched as (
      select six_hour_bucket, before from placed
       where before < ${offset}::integer + ${limit}::integer and before + number > ${offset}::integer
    )`;
}

/** What the page has of a touched bucket: rows before it are skipped in the index. */
export function ofTouched({ limit, offset }: { readonly limit: number; readonly offset: number }): SqlPart {
  return sqlPart`
          limit least(${limit}::integer, ${offset}::integer + ${limit}::integer - touched.before)
         offset greatest(0, ${offset}::integer - touched.before)`;
}

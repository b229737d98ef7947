// The bank's statement: captures, refunds, its payouts to us and what else moved, in pages. Instants are in
// milliseconds since 1970.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FurtherLine, StatementLine, StatementRequest } from '../../acquirer/index.ts';
import { amountOf } from './rows.ts';

const dayMilliseconds = 86_400_000;
/** What the bank keeps of each payout: 0.2 %, rounded half up. */
const feeBasisPoints = 20n;

/** The kinds in the order of the statement, each with a query of `at`, `key` and its own columns. */
const sections = [
  {
    kind: 'capture',
    query: `select captured_at as at, key, null as chargeKey, amount_minor as amountMinor, 0 as fee, currency from charge
             where (captured_at, key) > (?1, ?2) and captured_at < ?3 order by captured_at, key limit ?4`,
  },
  {
    kind: 'refund',
    query: `select refunded_at as at, key, charge_key as chargeKey, amount_minor as amountMinor, 0 as fee, currency from refund
             where (refunded_at, key) > (?1, ?2) and refunded_at < ?3 order by refunded_at, key limit ?4`,
  },
  {
    kind: 'payout',
    query: `select at, key, null as chargeKey, gross_minor - fee_minor as amountMinor, fee_minor as fee, currency from payout
             where (at, key) > (?1, ?2) and at < ?3 order by at, key limit ?4`,
  },
  {
    kind: 'further',
    query: `select at, kind || ' ' || key as key, kind, charge_key as chargeKey, owed_minor as amountMinor, 0 as fee, currency, what
              from move where (at, kind || ' ' || key) > (?1, ?2) and at < ?3 order by at, kind, key limit ?4`,
  },
] as const;

interface Row {
  readonly at: number;
  readonly key: string;
  readonly chargeKey: string | null;
  readonly amountMinor: number;
  readonly fee: number;
  readonly kind?: FurtherLine['kind'];
  readonly what?: string | null;
  readonly currency: string;
}

/** Where a page ended. */
interface Place {
  readonly section: number;
  readonly at: number;
  readonly key: string;
}

export interface PaidOut {
  readonly key: string;
  readonly amountMinor: number;
  readonly at: number;
}

export class Statements {
  readonly #sections: readonly StatementSync[];
  readonly #sums: StatementSync;
  readonly #paid: StatementSync;
  readonly #insertPayout: StatementSync;

  readonly #follow: (payout: PaidOut) => void;

  /** `follow`: what a payout brings about besides. */
  constructor(db: DatabaseSync, follow: (payout: PaidOut) => void) {
    this.#follow = follow;
    this.#sections = sections.map(({ query }) => db.prepare(query));
    this.#sums = db.prepare(
      `select (select coalesce(sum(amount_minor), 0) from charge where captured_at < ?1)
            - (select coalesce(sum(amount_minor), 0) from refund where refunded_at < ?1)
            + (select coalesce(sum(owed_minor), 0) from move where at < ?1) as minor`,
    );
    this.#paid = db.prepare('select coalesce(sum(gross_minor), 0) as minor, max(at) as at from payout');
    this.#insertPayout = db.prepare(
      `insert into payout (key, gross_minor, fee_minor, currency, at) values (?, ?, ?, 'PLN', ?)
       on conflict do nothing`,
    );
  }

  /** One page; `next` is null after the last one. */
  page(request: StatementRequest, now: number): { lines: StatementLine[]; next: string | null } {
    const { from, after, limit } = request;
    const to = request.to.epochMilliseconds;
    // What is to move later has not moved yet.
    const until = { further: Math.min(to, now + 1) } as { readonly [kind: string]: number };
    this.#payOut(now);
    const rows: { place: Place; line: StatementLine }[] = [];
    const start = after === null ? undefined : placeFrom(after);
    for (let section = start?.section ?? 0; section < sections.length && rows.length <= limit; section += 1) {
      const { at, key } = start?.section === section ? start : { at: from.epochMilliseconds, key: '' };
      const found =
        this.#sections[section]?.all(at, key, until[sections[section]?.kind ?? ''] ?? to, limit + 1 - rows.length) ??
        [];
      for (const row of found as unknown as Row[]) {
        rows.push({ place: { section, at: row.at, key: row.key }, line: lineOf(section, row) });
      }
    }
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      lines: shown.map(({ line }) => line),
      next: last && rows.length > limit ? `${last.place.section}.${last.place.at}.${last.place.key}` : null,
    };
  }

  /** At the start of a day the bank pays out what it holds; what refunds and fees exceed is carried forward. */
  #payOut(now: number): void {
    const midnight = now - (now % dayMilliseconds);
    const paid = this.#paid.get() as { minor: number; at: number | null };
    if (paid.at !== null && paid.at >= midnight) return;
    const gross = (this.#sums.get(midnight) as { minor: number }).minor - paid.minor;
    if (gross <= 0) return;
    const fee = (BigInt(gross) * feeBasisPoints + 5_000n) / 10_000n;
    const day = Temporal.Instant.fromEpochMilliseconds(midnight).toString().slice(0, 10);
    this.#insertPayout.run(`payout-${day}`, gross, Number(fee), midnight);
    this.#follow({ key: `payout-${day}`, amountMinor: gross - Number(fee), at: midnight });
  }
}

function lineOf(section: number, row: Row): StatementLine {
  const { key } = row;
  const amount = amountOf(row);
  const at = Temporal.Instant.fromEpochMilliseconds(row.at);
  switch (sections[section]?.kind) {
    case 'refund':
      return { kind: 'refund', key, chargeKey: row.chargeKey ?? '', amount, at };
    case 'payout':
      return { kind: 'payout', key, amount, fee: amountOf({ ...row, amountMinor: row.fee }), at };
    case 'further':
      return furtherLine(row, at);
    default:
      return { kind: 'capture', key, amount, at };
  }
}

function furtherLine(row: Row, at: Temporal.Instant): FurtherLine {
  const { kind = 'other', chargeKey, amountMinor, what } = row;
  const moved = {
    key: row.key.slice(kind.length + 1),
    amount: amountOf({ ...row, amountMinor: Math.abs(amountMinor) }),
    at,
  };
  switch (kind) {
    case 'fee':
      return { kind, chargeKey, ...moved };
    case 'payoutReturned':
      return { kind, ...moved };
    case 'other':
      return { kind, what: what ?? '', taken: amountMinor < 0, ...moved };
    default:
      return { kind, chargeKey: chargeKey ?? '', ...moved };
  }
}

/** A cursor that is not ours starts after everything. */
function placeFrom(cursor: string): Place {
  const [, section, at, key = ''] = /^(\d)\.(\d{1,16})\.(.+)$/.exec(cursor) ?? [];
  return { section: Number(section ?? sections.length), at: Number(at ?? 0), key };
}

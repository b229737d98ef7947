// Merchants and backlogs made by the database: real requests would take longer than the measurement.

import { createAccount } from '../../src/accounts/index.ts';
import type { Tools } from '../../src/tools.ts';
import { onConnection } from '../charge/seed.ts';

/** Hexadecimal digits are also digits of a ULID. */
const idOf = (kind: string, number: string) => `'0' || upper(substr(md5('${kind}' || ${number}), 1, 25))`;
const tokenOf = (number: string) => `'bench-token-' || lpad(${number}::text, 31, '0')`;

const accountsAtOnce = 250;

/** Merchants made by our own code, because their secrets are sealed for each; returns a token of each. */
export async function seedMerchants(tools: Tools, url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  const details = { kind: 'merchant', name: 'Bench', email: 'bench@example.com', testMode: true } as const;
  while (ids.length < count) {
    await tools.db.atomic(async (sql) => {
      for (let made = 0; made < accountsAtOnce; made += 1) ids.push((await createAccount(tools, sql, details)).id);
    });
  }
  return onConnection(url, async (client) => {
    const accounts = 'unnest($1::text[]) with ordinality as made (account_id, number)';
    await client.query(
      `insert into credential (id, account_id, name, kind, created_at)
       select ${idOf('credential', 'number')}, account_id, 'Bench', 'full', '2026-01-01' from ${accounts}`,
      [ids],
    );
    await client.query(
      `insert into access_token (token_hash, credential_id, scope, issued_at, expires_at)
       select sha256(convert_to(${tokenOf('number')}, 'UTF8')), ${idOf('credential', 'number')}, 'read',
              '2026-01-01', '2100-01-01' from ${accounts}`,
      [ids],
    );
    await client.query('analyze');
    const { rows } = await client.query<{ token: string }>(`select ${tokenOf('number')} as token from ${accounts}`, [
      ids,
    ]);
    return rows.map(({ token }) => token);
  });
}

/** Repeats the journals and events that there are until this many of each wait for the engine. */
export function seedBacklog(url: string, count: number): Promise<void> {
  return onConnection(url, async (client) => {
    // The checks of the schema are not measured, and take most of the time.
    await client.query('set session_replication_role = replica');
    const numbers = `from (select row_number() over (order by id) as place, * from one_of) as one, generate_series(1, ${count}) as number
        where one.place = 1 + number % (select count(*) from one_of)`;
    const journal = idOf('journal', 'number');
    const oneOf = `with one_of as materialized (select * from journal order by id limit 100)`;
    await client.query(
      `create temporary table repeated as ${oneOf} select ${journal} as id, one.id as first ${numbers};
       insert into journal select (jsonb_populate_record(one, jsonb_build_object('id', repeated.id, 'source', repeated.id))).*
         from repeated join journal as one on one.id = repeated.first;
       insert into entry select (jsonb_populate_record(one, jsonb_build_object('journal_id', repeated.id))).*
         from repeated join entry as one on one.journal_id = repeated.first;
       insert into journal_unsealed (journal_ids) select array_agg(id)
         from (select id, row_number() over (order by id) / 500 as part from repeated) as numbered group by part`,
    );
    await client.query(
      `with one_of as materialized (select * from event order by id limit 100)
       insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
       select ${idOf('event', 'number')}, account_id, type, subject_id, url, content_type, body, sealed, created_at
         ${numbers}`,
    );
    await client.query(
      `insert into event_unnumbered (account_ids, event_ids) select array_agg(distinct account_id), array_agg(id)
         from (select id, account_id, row_number() over (order by id) / 500 as part from event
                where id not in (select event_id from event_position)) as numbered group by part`,
    );
    await client.query('vacuum analyze journal, entry, journal_unsealed, event, event_unnumbered');
  });
}

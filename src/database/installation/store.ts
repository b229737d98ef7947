// SQL of the installation row. Owns: installation.

import type { BatchOf } from '../database.ts';
import { readBoolean, readText } from '../read.ts';
import type { Row, Sql } from '../sql.ts';

export interface Installation {
  /** Set at the first start; never changes. */
  readonly mode: 'sandbox' | 'live';
  readonly vaultCheck: string;
  /** Whether its workers send mail. */
  readonly sendsMail: boolean;
}

function readInstallation(row: Row): Installation {
  return {
    mode: readText(row, 'mode') === 'live' ? 'live' : 'sandbox',
    vaultCheck: readText(row, 'vault_check'),
    sendsMail: readBoolean(row, 'sends_mail'),
  };
}

export async function insertInstallation(
  sql: Sql,
  mode: Installation['mode'],
  vaultCheck: string,
  createdAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    insert into installation (mode, vault_check, created_at) values (${mode}, ${vaultCheck}, ${createdAt})
    on conflict do nothing`;
}

export function findInstallation(sql: Sql): Promise<Installation> {
  return sql.one(readInstallation)`select mode, vault_check, sends_mail from installation`;
}

export async function updateSendsMail(sql: Sql, sendsMail: boolean): Promise<void> {
  await sql.run`update installation set sends_mail = ${sendsMail} where sends_mail <> ${sendsMail}`;
}

/**
 * A write that changes nothing: the row lock is written to the WAL, and its commit waits for the disk and the
 * synchronous standby like any other. Concurrent checks share one.
 */
export const lockForCheck: BatchOf<undefined, void> = {
  name: 'check of writes',
  showsHealth: true,
  async execute(sql, asked) {
    await sql.run`select from installation for no key update`;
    return asked.map(() => undefined);
  },
};

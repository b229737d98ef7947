// SQL of the heads of the chains. Owns: chain_head.

import type { ChainName } from '../../../contract/codes/findings.ts';
import { readBigint, readBytes, readText } from '../read.ts';
import type { Row, Sql } from '../sql.ts';

/** The newest row of a chain. */
export interface Head {
  readonly position: bigint;
  readonly hash: Uint8Array;
}

export interface SignedHead extends Head {
  readonly mac: string;
}

const readHead = (row: Row): SignedHead => ({
  position: readBigint(row, 'position'),
  hash: readBytes(row, 'hash'),
  mac: readText(row, 'mac'),
});

/** By the primary key. Whoever appends to the chain holds its lock. */
export function findHead(sql: Sql, chain: ChainName): Promise<SignedHead | undefined> {
  return sql.maybeOne(readHead)`select position, hash, mac from chain_head where chain = ${chain}`;
}

export async function upsertHead(sql: Sql, chain: ChainName, { position, hash, mac }: SignedHead): Promise<void> {
  await sql.run`
    insert into chain_head (chain, position, hash, mac) values (${chain}, ${position}, ${hash}, ${mac})
    on conflict (chain) do update set position = excluded.position, hash = excluded.hash, mac = excluded.mac`;
}

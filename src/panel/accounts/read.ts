// SQL of the list of accounts. Reads only.

import type { accountStatuses } from '../../../contract/accounts.ts';
import type { accountKinds } from '../../../contract/panel/accounts.ts';
import { type Row, readBigint, readInstant, readInteger, readText } from '../../database/index.ts';
import { type AccountId, knownId } from '../../kernel/index.ts';
import type { List } from '../list/read.ts';

export interface AccountLine {
  readonly id: AccountId;
  readonly merchantNumber: number;
  readonly kind: (typeof accountKinds)[number];
  readonly status: (typeof accountStatuses)[number];
  readonly name: string;
  readonly email: string;
  readonly balanceMinor: bigint;
  readonly createdAt: Temporal.Instant;
}

function readLine(row: Row): AccountLine {
  return {
    id: knownId(readText(row, 'id')),
    merchantNumber: readInteger(row, 'merchant_number'),
    kind: readText(row, 'kind') as AccountLine['kind'],
    status: readText(row, 'status') as AccountLine['status'],
    name: readText(row, 'name'),
    email: readText(row, 'email'),
    balanceMinor: readBigint(row, 'balance_minor'),
    createdAt: readInstant(row, 'created_at'),
  };
}

/** Accounts with their balance, newest first. Some ten thousand accounts are read in milliseconds. */
export const accountList: List<AccountLine> = {
  rows: 'account',
  account: null,
  at: null,
  id: 'id',
  idType: 'text',
  scanned: null,
  shown: `coalesce((select balance_minor from ledger_balance
                     where ledger_balance.account = 'merchant:' || page.id || ':available'), 0) as balance_minor`,
  joins: '',
  read: readLine,
};

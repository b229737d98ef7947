// The tables of the ledger, column by column.

import { bigint, boolean, bytes, instant, smallint, table, text, textAs } from '../database/index.ts';
import type { LedgerAccount } from './accounts.ts';

export const ledgerAccountTable = table('ledger_account', {
  name: text,
  kind: textAs<LedgerAccount['kind']>(),
  floor: boolean,
  createdAt: instant,
});

export const journalTable = table('journal', {
  id: text,
  source: text,
  kind: text,
  currency: text,
  postedAt: instant,
});

export const entryTable = table('entry', {
  journalId: text,
  line: smallint,
  account: text,
  amountMinor: bigint,
});

export const journalSealTable = table('journal_seal', {
  position: bigint,
  journalId: text,
  hash: bytes,
  marks: bytes,
});

// Mutants of ledger: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const ledgerMutants: readonly Mutant[] = [
  {
    file: 'src/ledger/post.ts',
    line: 'if (!(await updateBalances(sql, movesOf(journals)))) refuse(insufficientFunds);',
    instead: 'await updateBalances(sql, movesOf(journals));',
    bug: 'a debit that no balance covers is posted',
    tests: {
      'test/ledger/ledger.test.ts': [
        'a floor account never goes below zero, and nothing of the transaction stays',
        '20 concurrent debits of 60 %: one succeeds',
      ],
    },
  },
  {
    file: 'src/ledger/post.ts',
    line: 'sums.set(account, (sums.get(account) ?? 0n) + amountMinor);',
    instead: 'sums.set(account, amountMinor);',
    bug: 'of several entries of an account only the last moves its balance',
    tests: {
      'test/ledger/ledger.test.ts': ['a payment credits the merchant less the fee', 'of more journals than one set'],
    },
  },
  {
    file: 'src/ledger/post.ts',
    line: 'journals.map((journal) => rowsOf(journal, ids.ulid(postedAt), postedAt)),',
    instead: 'journals.map((journal) => rowsOf(journal, ids.ulid(), postedAt)),',
    bug: 'the id of a journal tells when it was written, not when it was posted',
    tests: { 'test/ledger/ledger.test.ts': ['the id of a journal tells when it was posted'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: 'and ledger_balance.balance_minor + moves.minor >= 0',
    instead: 'and ledger_balance.balance_minor + moves.minor >= -1',
    bug: 'a balance may go a cent below zero',
    tests: {
      'test/ledger/ledger.test.ts': ['a floor account never goes below zero, and nothing of the transaction stays'],
    },
  },
  {
    file: 'src/ledger/store.ts',
    line: 'except select journal_id from journal_seal where journal_id = any (array (select unnest(journal_ids) from dequeued))',
    instead: '',
    bug: 'a journal that is queued again stops the sealing of all',
    tests: { 'test/ledger/ledger.test.ts': ['goes on when a sealed journal is queued again'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: 'sum(cardinality(journal_ids)) over (order by id) - cardinality(journal_ids) as before',
    instead: 'sum(cardinality(journal_ids)) over (order by id) as before',
    bug: 'a statement with more journals than a batch has is never sealed',
    tests: {
      'test/ledger/ledger.test.ts': ['of more journals than one set', 'a journal on the second page of the chain'],
    },
  },
  {
    file: 'src/ledger/chain.ts',
    line: 'if (!(await trySealLock(sql))) return 0;',
    instead: 'await trySealLock(sql);',
    bug: 'two nodes seal at once',
    tests: { 'test/ledger/ledger.test.ts': [] },
    unnoticed: 'the key of the position refuses the second of two; the lock only spares it the attempt',
  },
  {
    file: 'src/ledger/store.ts',
    line: "where ${page.of('journal.id')} and seal.journal_id is null and (queued.id is null or journal.posted_at < ${recent})",
    instead:
      "where ${page.of('journal.id')} and seal.journal_id is null and queued.id is not null and journal.posted_at < ${recent}",
    bug: 'a journal that is neither sealed nor queued is not named',
    tests: { 'test/ledger/ledger.test.ts': ['only of what was committed; what is lost from the queue is named'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: "select 'journal_unbalanced', jsonb_build_object('journalId', journal_id, 'off', off::text) where off <> 0",
    instead: "select 'journal_unbalanced', jsonb_build_object('journalId', journal_id, 'off', off::text) where off > 0",
    bug: 'verify names only journals with too much on the debit side',
    tests: { 'test/ledger/ledger.test.ts': ['too little, unknown accounts and missing seals'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: 'where ledger_balance.balance_minor is distinct from coalesce(floors.sign * computed.minor, 0) or floors.account is null',
    instead: 'where ledger_balance.balance_minor > coalesce(floors.sign * computed.minor, 0)',
    bug: 'verify names only balances that are too high',
    tests: { 'test/ledger/ledger.test.ts': ['too little, unknown accounts and missing seals'] },
  },
  {
    file: 'src/ledger/verify.ts',
    line: "known.has(account) ? [] : [{ code: 'account_missing', parameters: { account } }],",
    instead: 'known.has(account) ? [] : [],',
    bug: 'an entry of an account that does not exist is not named',
    tests: { 'test/ledger/ledger.test.ts': ['too little, unknown accounts and missing seals'] },
  },
  {
    file: 'src/ledger/reading.ts',
    line: 'return { after: start, until: this.#start };',
    instead: 'const until = this.#start; this.#start = this.#end; return { after: start, until };',
    bug: 'verify reads only the first page of seals',
    tests: { 'test/ledger/ledger.test.ts': ['a journal on the second page of the chain'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: "select 'seal_breaks_chain', jsonb_build_object('journalId', journal_id, 'position', position::text) where chained is not true",
    instead:
      "select 'seal_breaks_chain', jsonb_build_object('journalId', journal_id, 'position', position::text) where false",
    bug: 'a seal that does not cover the one before it is not named',
    tests: { 'test/ledger/ledger.test.ts': ['a seal'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: 'where position <> coalesce(before_position, 0) + 1',
    instead: 'where position < coalesce(before_position, 0) + 1',
    bug: 'missing seals are not named',
    tests: { 'test/ledger/ledger.test.ts': ['too little, unknown accounts and missing seals'] },
  },
  {
    file: 'src/ledger/rules.ts',
    line: 'const bounded = maximumMinor !== null && raised > maximumMinor ? maximumMinor : raised;',
    instead: 'const bounded = raised;',
    bug: 'a fee is more than its maximum',
    tests: { 'test/accounts/prices.test.ts': ['minimum and maximum'] },
  },
  {
    file: 'src/ledger/safeguarding.ts',
    line: "return /^merchant:[^:]+:(available|payout_transit|reserve)$/.test(account) ? 'accountsMinor' : undefined;",
    instead: "return /^merchant:[^:]+:(available|reserve)$/.test(account) ? 'accountsMinor' : undefined;",
    bug: 'money of payouts on their way counts as our own, and is moved out',
    tests: { 'test/ledger/safeguarding.test.ts': ['the parts'] },
  },
  {
    file: 'src/ledger/safeguarding.ts',
    line: 'movableMinor: positive(least(ownMinor, bankMinor)),',
    instead: 'movableMinor: ownMinor,',
    bug: 'more is moved out than is at the bank',
    tests: { 'test/ledger/safeguarding.test.ts': ['what is missing, and what is ours'] },
  },
  {
    file: 'src/ledger/safeguarding.ts',
    line: 'known = { position: until, figure };',
    instead: 'known = { position: until, figure: known.figure };',
    bug: 'the figure misses what was sealed since it was asked before',
    tests: { 'test/ledger/safeguarding.test.ts': ['follows the ledger'] },
  },
];

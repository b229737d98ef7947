// Mutants of panel: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const panelMutants: readonly Mutant[] = [
  {
    file: 'src/panel/overview/store.ts',
    line: 'returned_fees_minor + commissions_minor + disputes_minor + other_minor), 0)::bigint as minor',
    instead: 'returned_fees_minor + commissions_minor + other_minor), 0)::bigint as minor',
    bug: 'a statement begins with a balance from which no dispute took anything',
    tests: { 'test/panel/disputes.test.ts': ['statements have what disputes took apart'] },
  },
  {
    file: 'src/panel/ledger/read.ts',
    line: 'case transaction.merchant_id when page.account_id then transaction.hidden_description else part.hidden_description end',
    instead: 'transaction.hidden_description',
    bug: 'a seller reads what its partner wrote for itself',
    tests: { 'test/panel/disputes.test.ts': ['in the ledger of a seller: the reason, its own references, no link'] },
  },
  {
    file: 'src/panel/transactions/wire.ts',
    line: "if (what === 'owed') return id === accountId ? 'owed' : 'seller_owed';",
    instead: '',
    bug: 'what a balance did not cover is shown as taken from it',
    tests: { 'test/panel/disputes.test.ts': ['names who bears it, and what is owed'] },
  },
  {
    file: 'src/panel/live/feed.ts',
    line: 'await this.#endStrangers();',
    instead: '',
    bug: 'live updates go on after the session ended',
    tests: { 'test/panel/live.test.ts': ['ends with the session'] },
  },
  {
    file: 'src/panel/live/feed.ts',
    line: 'return ofUser >= perUserAtMost || open.length >= perAccountAtMost || this.#listeners.size >= perNodeAtMost;',
    instead:
      'return ofUser > perUserAtMost || open.length >= perAccountAtMost || this.#listeners.size >= perNodeAtMost;',
    bug: 'a user has one connection more than allowed',
    tests: { 'test/panel/live.test.ts': [] },
  },
  {
    file: 'src/panel/live/feed.ts',
    line: 'const listeners = this.#watching.get(accountId);',
    instead: 'const listeners = this.#listeners;',
    bug: 'people are told of changes in other accounts',
    tests: {
      'test/panel/live.test.ts': [
        'ready first; then what changed, to everybody who looks at the account, and to nobody else',
      ],
    },
  },
  {
    file: 'src/panel/live/listener.ts',
    line: 'if (event) this.#texts.push(eventText(event, {}));',
    instead: '',
    bug: 'the browser is not told that the updates have ended',
    tests: { 'test/panel/live.test.ts': ['ends with the session'] },
  },
  {
    file: 'src/panel/live/listener.ts',
    line: "const begin = this.#begun ? [] : [eventText('ready', {})];",
    instead: 'const begin: string[] = [];',
    bug: 'the browser does not learn from when on it is told',
    tests: {
      'test/panel/live.test.ts': [
        'ready first; then what changed, to everybody who looks at the account, and to nobody else',
        '429 for the eleventh connection of a user; another may follow, and again after one has ended',
      ],
    },
  },
  {
    file: 'src/panel/downloads.ts',
    line: "if (!isWatching(this.#viewer)) throw new Error('Whoever downloads this may see it no more.');",
    instead: '',
    bug: 'a download goes on for somebody who may see the account no more',
    tests: {
      'test/panel/downloads.test.ts': ['break off when they are blocked', 'break off when their account is blocked'],
    },
  },
  {
    file: 'src/panel/downloads.ts',
    line: 'if ((this.#open.get(userId) ?? 0) >= perUserAtMost) {',
    instead: 'if ((this.#open.get(userId) ?? 0) > perUserAtMost) {',
    bug: 'a fourth download at once',
    tests: { 'test/panel/downloads.test.ts': ['429 for the fourth at once'] },
  },
  {
    file: 'src/panel/downloads.ts',
    line: 'this.#leave();\n' + '    // It may be reading a page; nobody waits for that.',
    instead: '// It may be reading a page; nobody waits for that.',
    bug: 'a download that ended still counts',
    tests: { 'test/panel/downloads.test.ts': ['end with their last part', '429 for the fourth at once'] },
  },
  {
    file: 'src/panel/requests/log.ts',
    line: 'body: maskedText(row.body),',
    instead: 'body: String(row.body),',
    bug: 'bodies of requests are logged as they are',
    tests: { 'test/panel/developers.test.ts': ['P60, P61: requests with masked bodies'] },
  },
  {
    file: 'src/panel/list/read.ts',
    line: 'const mine = account === null || accountId === null ? sqlPart`true` : sqlPart`${new SqlText(account)} = ${accountId}`;',
    instead: 'const mine = sqlPart`${accountId}::text is null or true`;',
    bug: 'every list of the panel shows all accounts',
    tests: { 'test/panel/search.test.ts': ['nothing of another account'] },
  },
  {
    file: 'src/http/csv.ts',
    line: "return formula.test(text) ? `'${text}` : text;",
    instead: 'return text;',
    bug: 'a file runs formulas that somebody typed as a description',
    tests: { 'src/http/csv.test.ts': [] },
  },
  {
    file: 'src/panel/views/store.ts',
    line: 'return (await sql.run`delete from panel_view where id = ${id} and user_id = ${userId}`) > 0;',
    instead: 'return (await sql.run`delete from panel_view where id = ${id}`) > 0;',
    bug: 'anybody deletes the saved view of somebody else',
    tests: { 'test/panel/views.test.ts': ['nobody else sees or deletes them'] },
  },
  {
    file: 'src/panel/settings/routes.ts',
    line:
      "const pos = (await findPos(sql, accountOf(caller).id, id)) ?? refuse('not_found');\n" + '        if (pos.main',
    instead:
      "const pos = (await findPos(sql, accountOf(caller).id, id)) ?? refuse('not_found');\n" +
      '        if (false && pos.main',
    bug: 'the main point of sale is switched off',
    tests: { 'test/panel/operator.test.ts': ['P77 to P79: points of sale'] },
  },
  {
    file: 'src/panel/files.ts',
    line: '"frame-ancestors \'none\'",',
    instead: '',
    bug: 'the panel can be shown in a frame of another site',
    tests: { 'test/panel/files.test.ts': ['the page has a policy with a fresh nonce, and is never stored'] },
  },
  {
    file: 'src/panel/downloads.ts',
    line: 'if (turn.done) this.#end();',
    instead: 'if (turn.done) void 0;',
    bug: 'a download never ends',
    tests: { 'test/panel/downloads.test.ts': ['end with their last part'] },
  },
  {
    file: 'src/panel/transactions/wire.ts',
    line: 'acquirer: operator ? attempt.acquirer : null,',
    instead: 'acquirer: attempt.acquirer,',
    bug: 'merchants learn which acquirer a charge went through',
    tests: { 'test/panel/transaction.test.ts': ['names the acquirer of each attempt to operators only'] },
  },
  {
    file: 'src/panel/counts/store.ts',
    line: '(seal.position, line.kind, line.transaction_id, line.amount_minor, line.fee_minor, line.commission_minor, line.other_minor, line.volume_minor)',
    instead:
      '(seal.position, line.kind, line.transaction_id, line.amount_minor, move.fee_minor, move.commission_minor, line.other_minor, line.volume_minor)',
    bug: 'fees that two payments exchanged in the panel are noticed only if a sum shows it',
    tests: {
      'test/panel/counts.test.ts': [
        'name two moves of one day whose fee_minor is swapped',
        'name two moves of one day whose commission_minor is swapped',
      ],
    },
  },
  {
    file: 'src/panel/counts/store.ts',
    line: " or disputed.step_id is not null and entry.account like 'merchant:%:owed'",
    instead: '',
    bug: 'what an account owes for a dispute has no line in its ledger',
    tests: { 'test/panel/disputes.test.ts': ['what the balance covered not at all has its line'] },
  },
];

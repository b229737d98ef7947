// Mutants of reconciliation: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const reconciliationMutants: readonly Mutant[] = [
  {
    file: 'src/reconciliation/run.ts',
    line: 'if (before && hasDied(tools, before)) {',
    instead: 'if (before) {',
    bug: 'a run that is at work is ended by the next one',
    tests: { 'test/reconciliation/reconcile.test.ts': ['one run at a time; one that died does not block the next'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: 'if (isNew(payout) && grossOf(bank) > 0n && grossOf(bank) <= judging.owedMinor + payout.takenSinceMinor) {',
    instead: 'if (isNew(payout) && grossOf(bank) > 0n) {',
    bug: 'a payout of more than the acquirer owes is booked',
    tests: { 'test/reconciliation/decided.test.ts': ['of more than the acquirer owes'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: "if (bank === null) return grossOf(ours) === 0n ? undefined : 'not_at_bank';",
    instead: 'if (bank === null) return undefined;',
    bug: 'a payout that the statement no longer has is not named',
    tests: { 'test/reconciliation/decided.test.ts': ['that the statement no longer has'] },
  },
  {
    file: 'src/reconciliation/decide.ts',
    line: 'await updatePayout(sql, payout);',
    instead: '',
    bug: 'a payout that an operator corrected keeps its old row',
    tests: {
      'test/reconciliation/decided.test.ts': ['shown again with another amount', 'that the statement no longer has'],
    },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'lossMinor: -toLoss,',
    instead: 'lossMinor: toLoss,',
    bug: "the loss of a refund's difference is booked as a gain",
    tests: {
      'test/reconciliation/decided.test.ts': [
        '20.00 shown as 5.00, decided, corrected to 20.00',
        'a capture that goes, returns and goes',
      ],
    },
  },
  {
    file: 'src/reconciliation/compare.ts',
    line: 'if (outdated.length > 0) await this.#readAgain(page, outdated);',
    instead: '',
    bug: 'what is settled while a run compares it is missing in its sums',
    tests: { 'test/reconciliation/meanwhile.test.ts': ['a capture', 'a refund'] },
  },
  {
    file: 'src/reconciliation/judge.ts',
    line: 'const isNew = booked.correctedMinor === null && facts.row === null;',
    instead: 'const isNew = true;',
    bug: 'a fee that the acquirer amends is booked again, on top of what is booked',
    tests: { 'test/reconciliation/fees.test.ts': ['amended, named, and booked as decided'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: 'const back = owed ? await sumUnbookedReturns(sql, run) : 0n;',
    instead: 'const back = 0n;',
    bug: 'a payout that is repeated after it came back is parked, as if the acquirer did not owe it',
    tests: { 'test/reconciliation/returned-payouts.test.ts': ['and was paid out again'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: 'grossOf(bank) <= judging.owedMinor + payout.takenSinceMinor) {',
    instead: 'grossOf(bank) <= judging.owedMinor) {',
    bug: 'a payout is parked because of a refund or a dispute that came after it',
    tests: { 'test/reconciliation/returned-payouts.test.ts': ['before a fee that takes all of it'] },
  },
  {
    file: 'src/reconciliation/judge.ts',
    line: "return kind !== 'payout_returned' || (askedMinor !== null && (bankMinor ?? 0n) <= askedMinor);",
    instead: 'return true;',
    bug: 'more of a payout comes back than was paid out',
    tests: {
      'test/reconciliation/returned-payouts.test.ts': ['of a payout that nobody knows, or of more than was paid'],
    },
  },
  {
    file: 'src/reconciliation/compare.ts',
    line: 'await this.#missLines();',
    instead: '',
    bug: 'a fee that the statement no longer has is not named',
    tests: { 'test/reconciliation/fees.test.ts': ['gone, and there again'] },
  },
  {
    file: 'src/reconciliation/decide.ts',
    line: "if (isAboutBooking(item) && item.difference !== 'suspended') await correctLine(sql, change.item);",
    instead: '',
    bug: 'a fee that an operator corrected keeps its old row',
    tests: { 'test/reconciliation/fees.test.ts': ['amended, named, and booked as decided'] },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, booked.unallocatedMinor === 0n);',
    instead: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, true);',
    bug: 'what is corrected of a line that nobody knows becomes a fee while the line waits in suspense',
    tests: { 'test/reconciliation/suspense.test.ts': ['amended and gone while it waits'] },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, booked.unallocatedMinor === 0n);',
    instead: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, false);',
    bug: 'what is corrected of a line after the decision about it stays in suspense, and nobody is told',
    tests: { 'test/reconciliation/suspense.test.ts': ['gone after it was decided'] },
  },
  {
    file: 'src/reconciliation/changes.ts',
    line: '!isHeld(item) &&',
    instead: '',
    bug: 'what waits in suspense is closed by the next run, without a decision',
    tests: { 'test/reconciliation/suspense.test.ts': ['taken and added'] },
  },
  {
    file: 'src/reconciliation/decide.ts',
    line: "if (item.difference !== 'suspended' && step.moves) await followInSuspense(tools, sql, item, booked, step.moves);",
    instead: '',
    bug: 'what waits in suspense keeps its old amount when the line is corrected',
    tests: { 'test/reconciliation/suspense.test.ts': ['amended and gone while it waits'] },
  },
  {
    file: 'src/reconciliation/store/lines.ts',
    line: 'update acquirer_line set amount_minor = ${amountMinor}, told_at = null',
    instead: 'update acquirer_line set amount_minor = ${amountMinor}',
    bug: 'the merchant bears what a line of a dispute was before an operator corrected it',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['amended: the merchant bears what moved'] },
  },
  {
    file: 'src/reconciliation/tell.ts',
    line: 'if (!isOfNow) await clearTold(tools.db.sql, line);',
    instead: '',
    bug: 'the merchant bears an amount of a dispute that a frozen run tells after it was corrected',
    tests: {
      'test/reconciliation/taken-over.test.ts': ['a run that was taken over tells an old amount of a dispute'],
    },
  },
  {
    file: 'src/reconciliation/tell.ts',
    line: "const stage = kind === 'dispute_won' ? 'won' : 'opened';",
    instead: "const stage = 'opened';",
    bug: 'what a dispute gave back by the statement is not given to the merchant',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['taken and given back, each booked once'] },
  },
  {
    file: 'src/reconciliation/give-back.ts',
    line: "if (await isBooked(sql, outgoing.chargeKey)) return { kind: 'park', why: 'settled_by_payment' };",
    instead: '',
    bug: 'a capture is given back although a payment took it meanwhile',
    tests: {
      'test/refunds/changed-amount.test.ts': [
        'a capture that a payment took after 0 tries',
        'a capture that a payment took after 1 tries',
      ],
    },
  },
  {
    file: 'src/reconciliation/give-back.ts',
    line: "return decided && isAsDecided(outgoing, decided) ? undefined : { kind: 'park', why: 'return_changed' };",
    instead: 'return undefined;',
    bug: 'what belongs to nobody is given back with an amount that nobody decided',
    tests: {
      'test/refunds/changed-amount.test.ts': [
        'a capture that belongs to nobody, after 0 tries',
        'a capture that belongs to nobody, after 1 tries',
      ],
    },
  },
  {
    file: 'src/runtime/lease.ts',
    line: 'const extendedEveryMilliseconds = 10_000;',
    instead: 'const extendedEveryMilliseconds = 60_000;',
    bug: 'a run that works is taken for dead, because its lease is extended too late',
    tests: { 'test/reconciliation/lease.test.ts': ['is extended while it works, and not afterwards'] },
  },
  {
    file: 'src/runtime/lease.ts',
    line: 'if (isOurs) schedule();',
    instead: '',
    bug: 'the lease of a run is extended once only',
    tests: { 'test/reconciliation/lease.test.ts': ['is extended while it works, and not afterwards'] },
  },
  {
    file: 'src/runtime/lease.ts',
    line: '    cancel();\n',
    instead: '',
    bug: 'the lease of a run that has ended is extended for ever',
    tests: { 'test/reconciliation/lease.test.ts': ['is extended while it works, and not afterwards'] },
  },
  {
    file: 'src/runtime/lease.ts',
    line: 'const length = Temporal.Duration.from({ seconds: 45 });',
    instead: 'const length = Temporal.Duration.from({ seconds: 0 });',
    bug: 'a run is taken over while it works',
    tests: { 'test/reconciliation/lease.test.ts': ['ends after 45 seconds'] },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'if (bankMinor === 0n && feeMinor === 0n) return undefined;',
    instead: 'if (bankMinor === 0n) return undefined;',
    bug: 'the fee of a payout of nothing is not booked',
    tests: { 'test/reconciliation/decided.test.ts': ['of nothing, with a fee'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: 'const grossOf = ({ amountMinor, feeMinor }: Paid) => amountMinor + feeMinor;',
    instead: 'const grossOf = ({ amountMinor }: Paid) => amountMinor;',
    bug: 'a payout is compared without what the acquirer kept of it',
    tests: { 'test/reconciliation/decided.test.ts': ['of nothing, with a fee'] },
  },
  {
    file: 'src/reconciliation/totals.ts',
    line: "const keyed = (['capture', 'refund', 'refund_returned', ...ownKinds] as const).map((kind) => {",
    instead: "const keyed = (['capture'] as const).map((kind) => {",
    bug: 'only the sums of captures are compared',
    tests: { 'src/reconciliation/totals.test.ts': ['of refund lines', 'of fee lines', 'of payout_returned lines'] },
  },
  {
    file: 'src/reconciliation/totals.ts',
    line: "if (ourMinor === 0n) return isComplete ? closeAs('corrected_by_bank') : [];",
    instead: "if (ourMinor === 0n) return closeAs('corrected_by_bank');",
    bug: 'a statement that is not complete closes a difference of sums',
    tests: { 'test/reconciliation/forgotten.test.ts': ['close no difference of sums'] },
  },
  {
    file: 'src/reconciliation/repeated.ts',
    line: 'if (isCovered && isComplete) {',
    instead: 'if (isCovered) {',
    bug: 'a statement that is not complete closes a line that was repeated',
    tests: { 'test/reconciliation/forgotten.test.ts': ['one stays open when the statement is not complete'] },
  },
  {
    file: 'src/reconciliation/store/runs.ts',
    line: "from reconciliation_run where acquirer = ${acquirer} and state in ('agreed', 'differs')\n      window",
    instead: "from reconciliation_run where acquirer = ${acquirer} and state <> 'running'\n      window",
    bug: 'a period whose statement was not complete counts as compared',
    tests: { 'test/reconciliation/forgotten.test.ts': ['their period is compared by the next run'] },
  },
  {
    file: 'src/reconciliation/store/runs.ts',
    line: "select id from reconciliation_run where id = ${id} and state = 'running' for share`;",
    instead: "select id from reconciliation_run where id = ${id} and state = 'running'`;",
    bug: 'a run that is taken over while it writes writes all the same',
    tests: { 'test/reconciliation/lease.test.ts': ['is not taken while something is written'] },
  },
  {
    file: 'src/reconciliation/verify.ts',
    line: '...(verifying.since ? [] : await verifyNoted({ vault }, sql)),',
    instead: '',
    bug: 'notes of lines that somebody changed are not noticed',
    tests: {
      'test/reconciliation/noted.test.ts': ['a note that is removed: named, and still named after the next lines'],
    },
  },
  {
    file: 'src/reconciliation/noted.ts',
    line: 'await updateNoted(sql, isOurs(vault, before) ? signed(vault, sum) : { ...sum, mac: before.mac });',
    instead: 'await updateNoted(sql, signed(vault, sum));',
    bug: 'the next page signs a sum of notes that somebody made up',
    tests: {
      'test/reconciliation/noted.test.ts': [
        'a note that is counted, but unsigned: named, and still named after the next lines',
      ],
    },
  },
  {
    file: 'src/reconciliation/store/noted.ts',
    line: "then 'removed' else ${mac} end",
    instead: 'then ${mac} else ${mac} end',
    bug: 'the sum of notes that were all removed is signed anew',
    tests: {
      'test/reconciliation/noted.test.ts': ['no notes, and no count: named, and still named after the next lines'],
    },
  },
  {
    file: 'src/reconciliation/store/named.ts',
    line: 'select 0::bigint as lines, added.digest - removed.digest as digest from added, removed',
    instead: 'select 0::bigint as lines, added.digest as digest from added, removed',
    bug: 'a note that the acquirer amends counts as two',
    tests: { 'test/reconciliation/noted.test.ts': ['are what was written, in every way that they are'] },
  },
  {
    file: 'src/reconciliation/store/named.ts',
    line: '${fromAt} and named.at < ${toAt}) and not is_gone, false)',
    instead: '${fromAt} and named.at < ${toAt}), false)',
    bug: 'what the bank names again, as it was to, is taken for a second one',
    tests: { 'test/reconciliation/moved-again.test.ts': ['a capture that was gone and is named again is none'] },
  },
  {
    file: 'src/reconciliation/name.ts',
    line: 'await noteBack(tools, sql, run, judged);',
    instead: '',
    bug: 'what is back by a look-up may move twice ever after',
    tests: {
      'test/reconciliation/moved-again.test.ts': [
        'a capture that was gone, is back by a look-up after promised, and moves again',
      ],
    },
  },
  {
    file: 'src/reconciliation/apply.ts',
    line: 'await noteAllGone(tools, sql, changes);',
    instead: '',
    bug: 'what was gone and is named once more is taken for a second movement',
    tests: { 'test/reconciliation/moved-again.test.ts': ['a capture that was gone and is named again is none'] },
  },
  {
    file: 'src/reconciliation/store/named.ts',
    line: 'select position, kind, key, at, amount_minor, fee_minor, false as is_gone from reconciliation_line',
    instead: 'select position, kind, key, at, amount_minor, fee_minor, true as is_gone from reconciliation_line',
    bug: 'what was gone once may move twice ever after',
    tests: {
      'test/reconciliation/moved-again.test.ts': [
        'a refund that was gone, came back with the same time, and moves again',
        'a capture that was decided not to have moved, came back, and moves again',
      ],
    },
  },
  {
    file: 'src/reconciliation/store/payouts.ts',
    line: "where state <> 'closed' and acquirer = ${run.acquirer} and kind = 'payout' and difference <> 'repeated'",
    instead: "where state <> 'closed' and acquirer = ${run.acquirer} and kind = 'payout'",
    bug: 'a payout that moved twice is taken for one that the bank has no more, and a day later all agrees',
    tests: {
      'test/reconciliation/moved-again.test.ts': [
        'a payout that was gone, came back with the same time, and moves again',
      ],
    },
  },
  {
    file: 'src/reconciliation/repeated.ts',
    line: 'change: { lines, digest: added + digest }',
    instead: 'change: noted.change',
    bug: 'a line that was gone and is named once more changes its note without its sum',
    tests: { 'test/reconciliation/noted.test.ts': ['are what was written, in every way that they are'] },
  },
  {
    file: 'src/reconciliation/verify.ts',
    line: '...(await listAstray(sql, problemsAtMost)),',
    instead: '',
    bug: 'a return that nobody sends, or that is for something else, is not noticed',
    tests: {
      'test/reconciliation/damaged.test.ts': [
        'a difference whose outgoing refund is gone',
        'an outgoing refund about another capture',
      ],
    },
  },
  {
    file: 'src/reconciliation/record.ts',
    line: 'export function contentOfRun({ leaseUntil: _lease, ...run }: Run, totals: readonly Total[]): string {',
    instead:
      'export function contentOfRun({ leaseUntil: _lease, nodeId: _node, ...run }: Run, totals: readonly Total[]): string {',
    bug: 'a run is said to have been of another process',
    tests: { 'test/reconciliation/damaged.test.ts': ['the process of a run'] },
  },
  {
    file: 'src/reconciliation/store/verify.ts',
    line: 'where seen.id is null or seen.acquirer <> item.acquirer or seen.id < item.run_id',
    instead: 'where false',
    bug: 'the run that saw a difference last can be changed',
    tests: { 'test/reconciliation/damaged.test.ts': ['the run that saw a difference'] },
  },
  {
    file: 'src/reconciliation/store/verify.ts',
    line: 'where not exists (select from reconciliation_run where id = summed.run_id)',
    instead: 'where false',
    bug: 'sums without a run are not noticed',
    tests: { 'test/reconciliation/damaged.test.ts': ['a sum of no run'] },
  },
  {
    file: 'src/reconciliation/behind.ts',
    line: "else if (behind > overlap.total('seconds')) found.push",
    instead: "else if (behind > 10 * overlap.total('seconds')) found.push",
    bug: 'nobody names payments that were made up of an acquirer that is no longer configured',
    tests: {
      'test/reconciliation/forgotten.test.ts': ['what was booked after the last comparison is named, and measured'],
    },
  },
  {
    file: 'src/reconciliation/behind.ts',
    line: 'if (configured.includes(acquirer)) continue;',
    instead: '',
    bug: 'the books are wrong because the daily comparison is late',
    tests: {
      'test/reconciliation/forgotten.test.ts': ['what was booked after the last comparison is named, and measured'],
    },
  },
  {
    file: 'src/reconciliation/store/verify.ts',
    line: 'where entry.account = account.name and journal.kind <> all (${ownKinds}::text[])',
    instead: 'where entry.account = account.name and journal.kind = any (${ownKinds}::text[])',
    bug: 'only what comparisons booked themselves counts as not compared',
    tests: {
      'test/reconciliation/forgotten.test.ts': ['what was booked after the last comparison is named, and measured'],
    },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'if (!isReadable(line)) bad.add(index);\n      else if',
    instead: 'if',
    bug: 'a line that the database cannot hold ends the comparison of all others',
    tests: { 'test/reconciliation/records.test.ts': ['lines that the database cannot hold'] },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'if ((await countLines(sql, this.#run.id)) !== Number(this.#position)) throw linesChanged();',
    instead: '',
    bug: 'a line that somebody added to the table of lines is believed',
    tests: { 'test/reconciliation/changed-lines.test.ts': ['one was added: the run claims nothing'] },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'if (!isSame(stored, read)) throw linesChanged();',
    instead: '',
    bug: 'a line that a trigger rewrites is booked',
    tests: {
      'test/reconciliation/changed-lines.test.ts': ['one was rewritten before it was stored: nothing is booked by it'],
    },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'one.repeated === other.repeated &&',
    instead: '',
    bug: 'a line that somebody marked as repeated is not compared',
    tests: { 'test/reconciliation/changed-lines.test.ts': ['one is not to be compared'] },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'if (!pages.every(Boolean)) throw linesChanged();',
    instead: '',
    bug: 'lines that were changed after they were stored are believed',
    tests: { 'test/reconciliation/changed-lines.test.ts': ['one was changed and changed back'] },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'one.digest === other.digest &&\n    one.writtenBy === other.writtenBy',
    instead: 'one.digest === other.digest',
    bug: 'a line that was changed while it was compared, and changed back, is believed',
    tests: { 'test/reconciliation/changed-lines.test.ts': ['one was changed and changed back'] },
  },
  {
    file: 'src/reconciliation/store/books.ts',
    line: 'select distinct key, kind from lines where run_id = ${runId} and position between 1 and ${lines}',
    instead: 'select distinct key, kind from lines where run_id = ${runId} and ${lines}::bigint > 0',
    bug: 'a line that is in the table for a while names a payment that the bank does not have',
    tests: {
      'test/reconciliation/changed-lines.test.ts': ['one was there for a while: the payment is missing at the bank'],
    },
  },
  {
    file: 'src/reconciliation/changes.ts',
    line: '// Also if it is a capture that nobody knew: the rows that have appeared since may be made up.\n    isFound: true,',
    instead: "isFound: first?.difference !== 'not_booked',",
    bug: 'a capture that nobody knew is claimed by rows that were made up, and nobody is told',
    tests: { 'test/reconciliation/reconcile.test.ts': ['a capture that its payment takes later is closed'] },
  },
  {
    file: 'src/reconciliation/store/named.ts',
    line: 'coalesce(named.at <> page.at and not (named.at >= ${fromAt} and named.at < ${toAt}) and not is_gone, false)',
    instead: 'false',
    bug: 'what the bank moves once more on another day, under the same key, is taken for the line that is booked',
    tests: {
      'test/reconciliation/dispute-lines.test.ts': [
        'taken, won, and taken again under one key',
        'payout: moved again on another day under one key',
        'taken again under one key, with another amount',
      ],
      'test/reconciliation/moved-again.test.ts': [
        'refund, a week later, 10.00 in all',
        'capture, a week later, 40.00 in all',
        'capture, and each run compares one day',
      ],
    },
  },
  {
    file: 'src/reconciliation/store/named.ts',
    line: 'coalesce(named.at <> page.at and not (named.at >= ${fromAt} and named.at < ${toAt}) and not is_gone, false)',
    instead: 'coalesce(named.at <> page.at and not is_gone, false)',
    bug: 'a line whose time the bank corrects is taken for a second one',
    tests: { 'test/reconciliation/moved-again.test.ts': ['a refund whose time is amended is none'] },
  },
  {
    file: 'src/reconciliation/compare.ts',
    line: 'if (isComplete) await this.#statement.noteAmended();',
    instead: '',
    bug: 'a time that the bank has corrected is forgotten, and the next run takes the line for a second one',
    tests: {
      'test/reconciliation/moved-again.test.ts': [
        'a refund whose time is amended is none',
        'a fee whose time is amended is none',
      ],
    },
  },
  {
    file: 'src/reconciliation/repeated.ts',
    line: 'once.push(...some.filter(({ key }) => !booked.has(key)));',
    instead: '',
    bug: 'a capture for which nothing is booked is not compared',
    tests: {
      'test/reconciliation/moved-again.test.ts': [
        'a capture that belongs to nobody and was reversed, captured later, is none',
      ],
    },
  },
  {
    file: 'src/reconciliation/repeated.ts',
    line: 'last.bankAt?.equals(amounts.bankAt) === true &&',
    instead: '',
    bug: 'whoever confirmed one repeated line has confirmed all that come later',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['taken, won, and taken again under one key'] },
  },
  {
    file: 'src/reconciliation/store/lines.ts',
    line: "kind = any(${kind === 'dispute' ? ['dispute', 'dispute_won'] : [kind]}::text[])",
    instead: 'kind = any(${[kind]}::text[])',
    bug: 'what an acquirer takes of a dispute that it had given back is our loss, and the merchant keeps it',
    tests: {
      'test/reconciliation/dispute-lines.test.ts': [
        'amended: taken, given back, and then more was taken',
        'amended: given back, before the line that took it',
      ],
    },
  },
  {
    file: 'src/reconciliation/statement.ts',
    line: 'const displaced = holds && isAmended ? await listDisplaced(sql, this.#run, page) : [];',
    instead: 'const displaced: bigint[] = [];',
    bug: 'what the bank moves again is compared with the books, and what is in the books is not',
    tests: {
      'test/reconciliation/moved-again.test.ts': [
        'another amount, which the statement names first, on a page of its own',
      ],
    },
  },
];

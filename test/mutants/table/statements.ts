// Mutants of the statements of our bank.

import type { Mutant } from '../mutant.ts';

const lost = 'test/batches/lost.test.ts';
const decisions = 'test/statements/decisions.test.ts';
const imports = 'test/statements/import.test.ts';
const lines = 'test/statements/lines.test.ts';
const rules = 'src/statements/rules.test.ts';

export const statementsMutants: readonly Mutant[] = [
  {
    file: 'src/statements/read.ts',
    line: 'title: titleOf(line.text),',
    instead: 'title: line.text,',
    bug: 'whole account numbers of strangers are kept with the titles',
    tests: { [imports]: ['an account in the details of MT940'] },
  },
  {
    file: 'src/command/bank-account.ts',
    line: 'const { email } = await confirmOperator(rooms.identity.tools, confirming);',
    instead: 'const { email } = confirming;',
    bug: 'whoever reaches the command line decides in the name of an operator, without password and second factor',
    tests: { [lines]: ['in the name of an operator'] },
  },
  {
    file: 'src/statements/rules.ts',
    line: "if (isAllKnown && known.balances) return { kind: 'repeated' };",
    instead: '',
    bug: 'a day that the bank sends again is refused',
    tests: { [rules]: ['all known, in the books for long'] },
  },
  {
    file: 'src/statements/rules.ts',
    line: "if (isAllKnown && known.balances) return { kind: 'repeated' };",
    instead: "if (isAllKnown) return { kind: 'repeated' };",
    bug: 'a new statement after a gap is silently taken for a repeated one, by its lines',
    tests: { [rules]: ['all known, not by the balances'] },
  },
  {
    file: 'src/statements/rules.ts',
    line: "if (isAllKnown && sumMinor === 0n) return { kind: 'repeated' };",
    instead: "if (isAllKnown) return { kind: 'repeated' };",
    bug: 'a statement that continues the books is taken for a repeated one, and its payouts stay sent',
    tests: { [rules]: ['all known, although it continues'] },
  },
  {
    file: 'src/statements/store/lines.ts',
    line: "likeness === 'other_format' ? identityAcross : identity",
    instead: 'identityAcross',
    bug: 'a line with another title is taken for an earlier one, as banks write the same reference everywhere',
    tests: { [imports]: ['a statement that came to nothing, with the references of an earlier one'] },
  },
  {
    file: 'src/statements/rules.ts',
    line: 'if (known.lines > 0 && closedMinor + sumMinor - known.minor === closingMinor)',
    instead: 'if (known.lines > 0)',
    bug: 'a statement that does not continue the books is booked, if one of its lines looks like an earlier one',
    tests: { [rules]: ['one known, not by the balances'] },
  },
  {
    file: 'src/statements/rules.ts',
    line: 'return named.size === 1 ? only : undefined;',
    instead: 'return only;',
    bug: 'a line that names two payouts is taken for the first',
    tests: { [rules]: ['two of ours'] },
  },
  {
    file: 'src/statements/read.ts',
    line: "if (continuation.kind === 'gap') throw this.#gap(statement, tail);",
    instead: '',
    bug: 'a statement is booked although the one before it is missing',
    tests: { [imports]: ['a gap'] },
  },
  {
    file: 'src/statements/book.ts',
    line: "if (state !== 'unallocated' && !isUnknown) return [];",
    instead: "if (state !== 'unallocated' && state !== 'repeated' && !isUnknown) return [];",
    bug: 'lines that an earlier statement has are booked again',
    tests: { [imports]: ['a statement that overlaps the one before'] },
  },
  {
    file: 'src/statements/import.ts',
    line: "if (last?.position !== before?.position) throw new StatementFault({ code: 'overtaken', parameters: {} });",
    instead: '',
    bug: 'two files that are imported at once are both taken for the next',
    tests: { [imports]: ['a file that was read while another was accepted'] },
  },
  {
    file: 'src/statements/decide.ts',
    line: 'if (amountMinor !== line.leftMinor && !isPart) throw differs(target, amountMinor, line);',
    instead: '',
    bug: 'a line is taken for a payout of another amount',
    tests: { [lines]: ['that only look like it'] },
  },
  {
    file: 'src/statements/match.ts',
    line: 'return one && one.amountMinor === line.leftMinor ? [{ line, kind: one.kind, target: one.target }] : [];',
    instead: 'return [];',
    bug: 'a payout of an acquirer is in the books twice until somebody decides',
    tests: { [lines]: ['after the acquirer’s statement'] },
  },
  {
    file: 'src/statements/import.ts',
    line: 'while ((await deletePart(db.sql, id, rowsAtOnce)) > 0);',
    instead: '',
    bug: 'the lines of a file that was refused stay',
    tests: { [imports]: ['a file whose second statement does not fit'] },
  },
  {
    file: 'src/statements/book.ts',
    line: 'for (let round = 0; round < roundsAtMost && left.length + back.length > 0; round += 1) {',
    instead: 'for (let round = 0; round < 1 && left.length + back.length > 0; round += 1) {',
    bug: 'what the bank pays a second time within one statement stays in the balance, and is paid out again',
    tests: { 'test/payouts/moves.test.ts': ['paid, back and paid again'] },
  },
  {
    file: 'src/statements/decide.ts',
    line: 'if (leftMinor <= chargedMinor) return;',
    instead: 'return;',
    bug: 'money of somebody becomes our income, as a charge that the bank gave back',
    tests: { [decisions]: ['is no more than it has charged'] },
  },
  {
    file: 'src/statements/store/allocations.ts',
    line: 'and target is not distinct from ${target}::text and undone_at is null',
    instead: 'and target is not distinct from ${target}::text',
    bug: 'a decision is taken back twice',
    tests: { [decisions]: ['is taken back once'] },
  },
  {
    file: 'src/statements/store/allocations.ts',
    line: 'where undone.bank_line_id = waiting.id and undone.kind = underway.kind and undone.target = underway.target)',
    instead:
      'where undone.bank_line_id = waiting.id and undone.kind <> underway.kind and undone.target = underway.target)',
    bug: 'what an operator has taken back is matched again a minute later',
    tests: { [decisions]: ['by a reference is not made again'] },
  },
  {
    file: 'sql/0024_statements.sql',
    line: 'for each row when (old.undone_at is not null) execute function keep_undone();',
    instead: 'for each row when (false) execute function keep_undone();',
    bug: 'who took a decision back can be changed',
    tests: { [decisions]: ['is taken back once'] },
  },
  {
    file: 'src/statements/store/files.ts',
    line: 'order by id limit 1 for no key update skip locked`;',
    instead: 'order by id limit 1`;',
    bug: 'while one node books a statement, another books the next one, and a payout that came back is met before it was paid',
    tests: { [decisions]: ['are booked in their order, by whichever nodes'] },
  },
  {
    file: 'src/statements/store/lines.ts',
    line: 'cross join lateral (select * from bank_statement where id = line.statement_id offset 0) as statement',
    instead: 'join bank_statement as statement on left(line.id, 26) = statement.id',
    bug: 'each statement of a day is compared with all others, and many of them take hours',
    tests: { [imports]: ['a statement for each line of a day'] },
  },
  {
    file: 'src/statements/absence.ts',
    line: 'if (!since || since.gaps > 0 || since.unbooked > 0) return false;',
    instead: 'if (!since || since.unbooked > 0) return false;',
    bug: 'a batch that the bank paid within a gap is canceled, and paid again',
    tests: { [lost]: ['statements: with a gap that was accepted'] },
  },
  {
    file: 'src/statements/absence.ts',
    line: 'return since.begins && since.ends && (await countTraces(sql, lost)) === 0;',
    instead: 'return since.begins && (await countTraces(sql, lost)) === 0;',
    bug: 'a batch is canceled before the bank has paid it',
    tests: { [lost]: ['statements: up to the day of the payment'] },
  },
  {
    file: 'src/statements/absence.ts',
    line: 'return since.begins && since.ends && (await countTraces(sql, lost)) === 0;',
    instead: 'return since.ends && (await countTraces(sql, lost)) === 0;',
    bug: 'a batch that was paid before the first statement is canceled, and paid again',
    tests: { [lost]: ['statements: that begin later than the file, with nothing'] },
  },
  {
    file: 'src/statements/store/absence.ts',
    line: 'where account.number = ${payerNumber} having count(*) > 0`;',
    instead: 'where true having count(*) > 0`;',
    bug: 'a batch is canceled because of the statement of another account',
    tests: { [lost]: ['statements: of another account'] },
  },
  {
    file: 'src/statements/store/absence.ts',
    line: "(statement.accepted_at at time zone 'Europe/Warsaw')::date - 1)`);",
    instead: "(statement.accepted_at at time zone 'Europe/Warsaw')::date)`);",
    bug: 'a statement of a day that is not over shows that the bank paid nothing on it',
    tests: { [lost]: ['statements: of days that are not over'] },
  },
  {
    file: 'src/statements/decide.ts',
    line: "if ((await lockCharged(sql)) < 0n) throw new AllocationFault({ code: 'fee_given_back', parameters: {} });",
    instead: '',
    bug: 'what the bank kept of a payout and gave back is given back twice',
    tests: { 'test/statements/decisions.test.ts': ['of which the bank has given back what it kept'] },
  },
];

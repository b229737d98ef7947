// What grosz statements does with the database: opens our accounts, imports files, lists and decides what nobody knows.

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { commandLine } from '../../contract/codes/actors.ts';
import { allocationSentences, statementRemedies, statementSentences } from '../../contract/codes/english/statements.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import type { StatementProblem } from '../../contract/codes/statements.ts';
import type { Format } from '../bankfiles/index.ts';
import { patientTimes } from '../database/index.ts';
import { confirmOperator } from '../identity/index.ts';
import { decimalText } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { AllocationFault, type Imported, type LineDecision, nameOf } from '../statements/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Invocation, optionText } from './command.ts';
import { confirmingOf, refusalsAsFaults, signing } from './confirming.ts';

const shownAtMost = 1_000;

/** What others wrote, in quotation marks and without control characters: it cannot write to the terminal. */
const quoted = (text: string) => `"${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?').replaceAll('"', "'")}"`;

const within = (invocation: Invocation, work: (service: Service) => Promise<void>) =>
  withService(invocation, 'statements', work, { times: patientTimes });

export async function openAccount(invocation: Invocation, number: string): Promise<void> {
  const name = optionText(invocation, 'name');
  if (!name) throw new StartFault('The account needs a name for people: --name "Clients’ money".');
  await within(invocation, async ({ rooms, tools }) => {
    const change = { command: 'statements', action: 'open_bank_account', accountId: null };
    const opened = await changing(tools, invocation, change, () => rooms.statements.openAccount(number, name));
    if (opened === null) throw new StartFault(`${number} is no account number: an IBAN, or 26 digits of a Polish one.`);
    if (!opened) throw new StartFault('This account is open already.');
    invocation.print('Opened. Import its statements with grosz statements import FILE.');
  });
}

export interface ImportOptions {
  readonly format: Format | undefined;
  readonly encoding: string | undefined;
}

export async function importStatements(
  invocation: Invocation,
  path: string,
  { format, encoding }: ImportOptions,
): Promise<void> {
  const open = () => createReadStream(path);
  await within(invocation, async ({ rooms, tools }) => {
    const acceptsGap = invocation.values['accept-gap'] === true;
    const change = { command: 'statements', action: 'import_statements', accountId: null };
    const given = { name: basename(path), open, format, encoding, acceptsGap, person: commandLine };
    const imported = await changing(tools, invocation, change, () => rooms.statements.importFile(given));
    for (const text of importedTexts(imported)) invocation.print(text);
    const waiting = await rooms.statements.countWaiting();
    if (waiting > 0) invocation.print(`${waiting} wait for a decision: grosz statements waiting.`);
  });
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function importedTexts(imported: Imported): string[] {
  const { file, isRepeated, statements, lines, repeatedStatements, repeatedLines, notices, answers, booked } = imported;
  if (isRepeated) {
    const before = `This file was imported before, on ${file.importedAt}.`;
    return [booked > 0 ? `${before} ${counted(booked, 'line')} that were still missing are booked.` : before];
  }
  if (notices > 0 && statements === 0)
    return [`${counted(notices, 'notice')} with ${counted(lines, 'line')}: noted. Only a statement is booked.`];
  if (statements === 0) return [`${counted(answers, 'answer')} to payments: noted. Only a statement is booked.`];
  const again = repeatedLines > 0 ? `, of which earlier ones have ${counted(repeatedLines, 'line')}` : '';
  return [
    `${counted(statements, 'statement')} with ${counted(lines, 'line')}${again}.`,
    ...(repeatedStatements > 0 ? [`${counted(repeatedStatements, 'statement')} imported before.`] : []),
    `${counted(booked, 'line')} booked.`,
  ];
}

/** Why nothing of a file is used. */
export function statementSentence(problem: StatementProblem): string {
  return `${sentenceOf(statementSentences, problem)} ${sentenceOf(statementRemedies, problem)}`;
}

export async function listStatements(invocation: Invocation): Promise<void> {
  const { print } = invocation;
  await within(invocation, async ({ rooms: { statements } }) => {
    const { accounts, bookedMinor, underwayMinor, openingsMinor } = await statements.summaries();
    if (accounts.length === 0) return print('No account of ours is open: grosz statements open NUMBER --name NAME.');
    for (const { number, name, statements: count, gaps, closingMinor, closedOn } of accounts) {
      const closed = closingMinor === null ? 'no statement' : `${decimalText(closingMinor)} on ${closedOn}`;
      const missing = gaps === 0 ? '' : `, ${counted(gaps, 'accepted gap')}`;
      print(`${number}  ${quoted(name)}  ${closed}, ${counted(count, 'statement')}${missing}`);
    }
    const bankMinor = accounts.reduce((sum, { closingMinor }) => sum + (closingMinor ?? 0n), 0n);
    print(`At the bank ${decimalText(bankMinor)}, in the books ${decimalText(bookedMinor)}.`);
    if (underwayMinor !== 0n) {
      print(`Paid out by acquirers and in no statement yet: ${decimalText(underwayMinor)}.`);
      for (const { target, amountMinor, at } of await statements.underway())
        print(`  ${at}  ${decimalText(amountMinor).padStart(15)}  ${target}`);
    }
    if (openingsMinor !== 0n) print(`Of the demo, and at no bank: ${decimalText(openingsMinor)}.`);
    const restMinor = bookedMinor - bankMinor - underwayMinor - openingsMinor;
    if (restMinor !== 0n) print(`Not explained: ${decimalText(restMinor)}. See: grosz verify`);
    for (const { statement, account, file } of await statements.statements(shownAtMost)) {
      const days = [statement.fromOn ?? statement.firstOn, statement.toOn ?? statement.lastOn]
        .filter(Boolean)
        .join(' to ');
      const gap = statement.broughtMinor === 0n ? '' : `, brought forward ${decimalText(statement.broughtMinor)}`;
      const left = statement.bookedAt === null ? `, ${statement.bookedLines} of ${statement.lines} booked` : '';
      print(
        `${nameOf(statement).padEnd(16)}  …${account}  ${days}  ${counted(statement.lines, 'line')}  ${decimalText(statement.openingMinor)} to ${decimalText(statement.closingMinor ?? 0n)}${gap}${left}  ${quoted(file)}`,
      );
    }
  });
}

export async function listFiles(invocation: Invocation): Promise<void> {
  const { print } = invocation;
  await within(invocation, async ({ rooms: { statements } }) => {
    const files = await statements.files(shownAtMost);
    if (files.length === 0) print('No file was imported.');
    for (const { importedAt, name, format, state, problem, problemLine } of files) {
      const where = problemLine === null ? '' : `line ${problemLine}: `;
      const why = problem === null ? '' : `  ${where}${sentenceOf(statementSentences, problem)}`;
      print(`${importedAt}  ${format}  ${state.padEnd(8)}  ${quoted(name)}${why}`);
    }
  });
}

export async function listWaiting(invocation: Invocation): Promise<void> {
  const { print } = invocation;
  await within(invocation, async ({ rooms: { statements } }) => {
    const waiting = await statements.waiting(shownAtMost);
    if (waiting.length === 0) print('Nothing waits.');
    for (const { line, account, proposed } of waiting) {
      const about = [
        line.partyName && quoted(line.partyName),
        quoted(line.title),
        line.endToEnd && `end-to-end ${quoted(line.endToEnd)}`,
        line.returnReason && `returned: ${line.returnReason}`,
        line.entry === 0 && 'brought forward',
      ].filter(Boolean);
      print(
        `${line.id}  …${account}  ${line.bookedOn}  ${decimalText(line.leftMinor).padStart(15)}  ${about.join(', ')}`,
      );
      for (const { kind, target } of proposed) print(`    could be: ${kind.replaceAll('_', '-')} ${target}`);
    }
  });
}

const kinds = ['acquirer-payout', 'acquirer-payout-returned', 'payout', 'payout-returned'] as const;

/** Undefined: no decision. */
export function readLineDecision([word = '', target]: readonly string[]): LineDecision | undefined {
  if (target === undefined && word === 'fee-returned') return { kind: 'fee_returned' };
  if (target === undefined) return word === 'fee' || word === 'suspense' ? { kind: word } : undefined;
  const kind = kinds.find((one) => one === word);
  if (!kind) return undefined;
  const named = {
    'acquirer-payout': 'acquirer_payout',
    'acquirer-payout-returned': 'acquirer_payout_returned',
    payout: 'payout',
    'payout-returned': 'payout_returned',
  } as const;
  return { kind: named[kind], target };
}

export async function listDecisions(invocation: Invocation): Promise<void> {
  const { print } = invocation;
  await within(invocation, async ({ rooms: { statements } }) => {
    const decisions = await statements.decisions(shownAtMost);
    if (decisions.length === 0) print('Nothing was decided.');
    for (const { bankLineId, kind, target, amountMinor, person, at, undoneBy, undoneAt } of decisions) {
      const what = [kind.replaceAll('_', '-'), target].filter(Boolean).join(' ');
      const undone = undoneBy === null ? '' : `, undone by ${undoneBy} on ${undoneAt}`;
      print(`${at}  ${bankLineId}  ${decimalText(amountMinor).padStart(15)}  ${what}  ${person}${undone}`);
    }
  });
}

export const decideLine = deciding('decide_bank_line', 'Decided', ({ statements }) => statements.decide);
export const undoLine = deciding('undo_bank_line', 'Undone', ({ statements }) => statements.undo);

/** In the name of an operator, who says so with password and second factor. */
function deciding(
  action: string,
  done: string,
  how: (rooms: Service['rooms']) => (lineId: string, decision: LineDecision, person: string) => Promise<void>,
) {
  return async (invocation: Invocation, [id = '', ...words]: readonly string[]): Promise<void> => {
    const decision = readLineDecision(words);
    if (id === '' || !decision)
      throw new StartFault(
        `A line is one of ${kinds.join(' ID, ')} ID, fee, fee-returned, or suspense. See: grosz statements --help`,
      );
    await within(invocation, ({ rooms, tools }) =>
      refusalsAsFaults(async () => {
        const confirming = await confirmingOf(invocation, 'whose decision it is');
        const by = { command: 'statements', action, email: confirming.email };
        try {
          await signing(tools, invocation, by, async () => {
            const { email } = await confirmOperator(rooms.identity.tools, confirming);
            await how(rooms)(id, decision, email);
          });
        } catch (error) {
          if (error instanceof AllocationFault) throw new StartFault(sentenceOf(allocationSentences, error.why));
          throw error;
        }
        invocation.print(`${done} ${id}: ${words.join(' ')}.`);
      }),
    );
  };
}

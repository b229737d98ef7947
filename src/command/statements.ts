// grosz statements: what a file from a bank contains; and imports it (bank-account.ts).

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileRemedies, fileSentences } from '../../contract/codes/english/bank-files.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import {
  FileFault,
  formatOf,
  formats,
  isFormat,
  openBankFile,
  type PaymentStatus,
  referencesIn,
  type Statement,
  type StatementEnd,
  type StatementLine,
} from '../bankfiles/index.ts';
import { decimalText } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import { StatementFault } from '../statements/index.ts';
import {
  decideLine,
  importStatements,
  listDecisions,
  listFiles,
  listStatements,
  listWaiting,
  openAccount,
  statementSentence,
  undoLine,
} from './bank-account.ts';
import { type Command, type Invocation, optionText } from './command.ts';

const help = 'See: grosz statements --help';

/** What came to an account and what left it. */
interface Sums {
  readonly statement: Statement;
  credits: number;
  creditMinor: bigint;
  debits: number;
  debitMinor: bigint;
}

function beginOf({ account, number, page, from, to, currency }: Statement): string {
  const which = number === null ? 'Statement' : `Statement ${number}`;
  const part = page > 1 ? `, part ${page}` : '';
  const days = to === null || to === from ? (from ?? '') : `${from} to ${to}`;
  return `${which}${part} of ${account} in ${currency}${days === '' ? '' : `, ${days}`}`;
}

const copies: Readonly<Record<string, string>> = {
  COPY: 'a copy',
  DUPL: 'a duplicate',
  CODU: 'a copy of a duplicate',
};

function copyOf({ copy }: Statement): string[] {
  return copy === null ? [] : [`  The bank marks it as ${copies[copy]}: it was sent before.`];
}

/** What the other party wrote: in quotation marks, so that it does not read like a word of the bank. */
const quoted = (text: string | null) => text && `"${text.replaceAll('"', "'")}"`;

function lineOf(line: StatementLine): string {
  const place = line.part === 0 ? `${line.entry}` : `${line.entry}.${line.part}`;
  const about = [
    quoted(line.partyName),
    quoted(line.text),
    line.endToEndId && `end-to-end ${quoted(line.endToEndId)}`,
    ...referencesIn(line.text).map((id) => `reference ${id}`),
    line.batchId && `batch ${line.batchId}`,
    line.payments > 1 && `${line.payments} payments`,
    line.isReversal && 'reversal',
    line.returnReason && `returned: ${line.returnReason}`,
  ].filter(Boolean);
  return `  ${place.padEnd(8)}${line.bookedOn}${decimalText(line.amountMinor).padStart(16)}  ${about.join(', ')}`;
}

function add(sums: Sums, { amountMinor }: StatementLine): void {
  if (amountMinor < 0n) {
    sums.debits += 1;
    sums.debitMinor += amountMinor;
  } else {
    sums.credits += 1;
    sums.creditMinor += amountMinor;
  }
}

const counted = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;

function row(what: string, minor: bigint): string {
  return `  ${what} ${decimalText(minor).padStart(37 - what.length)}`;
}

function balanceRow(which: string, minor: bigint, on: string | null): string {
  return row(on === null ? `${which} balance` : `${which} balance, ${on}`, minor);
}

function endOf(sums: Sums, { closingMinor, closingOn, notBooked }: StatementEnd): string[] {
  const { openingMinor, openingOn } = sums.statement;
  const whole = openingMinor !== null && closingMinor !== null;
  return [
    ...(openingMinor === null ? [] : [balanceRow('opening', openingMinor, openingOn)]),
    row(counted(sums.credits, 'credit'), sums.creditMinor),
    row(counted(sums.debits, 'debit'), sums.debitMinor),
    ...(closingMinor === null ? [] : [balanceRow('closing', closingMinor, closingOn)]),
    whole
      ? '  The balances and the entries add up.'
      : '  A notice: it has no balances that its entries could add up to.',
    ...(notBooked === 0 ? [] : [`  Not booked yet, and not counted: ${counted(notBooked, 'entry', 'entries')}`]),
  ];
}

function statusOf({ messageId, paymentId, endToEndId, status, reason, text }: PaymentStatus): string {
  const of = [messageId, paymentId, endToEndId].filter((one) => one !== null).join(' / ');
  const why = [reason, text].filter(Boolean).join(': ');
  return `  ${status}  ${of}${why === '' ? '' : `  ${why}`}`;
}

/** Control characters in a bank's text could write to the terminal, lines of their own included. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

function formatGiven(invocation: Invocation) {
  const format = optionText(invocation, 'format');
  if (format !== undefined && !isFormat(format)) throw new StartFault(`--format must be one of ${formats.join(', ')}.`);
  return { format, encoding: optionText(invocation, 'encoding') };
}

async function check(invocation: Invocation, path: string): Promise<void> {
  const { format, encoding } = formatGiven(invocation);
  const print = (text: string) => invocation.print(printable(text));
  const options = { ...(format && { format }), ...(encoding && { encoding }) };
  const file = await openBankFile(() => createReadStream(path), options);
  print(`${file.format}, ${file.encoding}`);
  let sums: Sums | undefined;
  for await (const parts of file.parts) {
    for (const part of parts) {
      if (part.kind === 'begin') {
        sums = { statement: part.statement, credits: 0, creditMinor: 0n, debits: 0, debitMinor: 0n };
        print(beginOf(part.statement));
        copyOf(part.statement).forEach(print);
      } else if (part.kind === 'status') print(statusOf(part.status));
      else if (part.kind === 'line' && sums) {
        add(sums, part.line);
        if (invocation.values.lines) print(lineOf(part.line));
      } else if (part.kind === 'end' && sums) endOf(sums, part.end).forEach(print);
    }
  }
}

const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** Why the system does not read it, and what to do. */
function unreadable(path: string, { code }: NodeJS.ErrnoException): StartFault {
  if (code === 'ENOENT' || code === 'ENOTDIR') return new StartFault(`There is no file ${path}.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new StartFault(`You have no permission to read ${path}. Ask its owner, or copy it.`);
  return new StartFault(`${path} cannot be read: ${code}.`);
}

async function refuseUnlessFile(path: string): Promise<void> {
  const kind = await stat(path);
  if (kind.isDirectory()) throw new StartFault(`${path} is a folder. Name a file in it.`);
  // A pipe could not be read again to recognize it.
  if (!kind.isFile()) throw new StartFault(`${path} is not a file. Save it as one first.`);
}

/** Of a file that was read in the format that somebody named: what is wrong may be the name. */
async function refuseOtherFormat(path: string, named: string | undefined): Promise<void> {
  if (named === undefined) return;
  const format = await formatOf(() => createReadStream(path));
  if (format !== undefined && format !== named)
    throw new StartFault(`${path} is ${format}, so --format ${named} does not fit. Leave it out.`);
}

/** Runs what reads a file, and says what is wrong with it. */
async function reading(invocation: Invocation, path: string | undefined, work: (path: string) => Promise<void>) {
  if (path === undefined) throw new StartFault(`Which file? ${help}`);
  try {
    await refuseUnlessFile(path);
    await work(path);
  } catch (error) {
    if (isUnreadable(error)) throw unreadable(path, error);
    if (error instanceof StatementFault)
      throw new StartFault(`${path}: ${statementSentence(error.problem)} Nothing was booked.`);
    if (!(error instanceof FileFault)) throw error;
    await refuseOtherFormat(path, optionText(invocation, 'format'));
    const [place, rest] =
      error.line === undefined ? [path, ''] : [`${path}, line ${error.line}`, ' None of the file can be used.'];
    const why = sentenceOf(fileSentences, error.problem);
    const remedy = sentenceOf(fileRemedies, error.problem);
    throw new StartFault(`${place}: ${why}${rest} ${remedy}`);
  }
}

export const statements: Command = {
  name: 'statements',
  summary: 'Checks and imports files from a bank: statements and answers to payments.',
  usage:
    'check FILE | open NUMBER --name NAME | import FILE | list | files | waiting | decisions | decide|undo LINE DECISION --as EMAIL',
  details: `Reads statements (camt.053, MT940), notices (camt.054) and a bank's answers to payments (pain.002) of any size.
  check FILE           shows what the file contains and checks that it is complete and adds up. Books nothing, needs no
                       database
  open NUMBER          opens one of our accounts, on which clients' money lies: an IBAN, or 26 digits
  import FILE          books the statements of the file, each line once, whatever else has it. A statement must begin with
                       the balance with which the one before ended
  list                 our accounts, their statements, and whether the books agree with them
  files                every file that was given, and why one was refused
  waiting              lines that nobody knows, with what they could be
  decide LINE DECISION --as EMAIL
                       says what such a line is, in the name of an operator, whose password and code of the authenticator
                       app are asked for; from a pipe each is a line:
                         acquirer-payout NAME:KEY, acquirer-payout-returned NAME:KEY   as the acquirer's statement has it
                         payout ID, payout-returned ID                                 one of ours
                         fee, fee-returned                                             the bank's charge, or one that it gives back
                         suspense                                                      it stays in bank:unallocated
  undo LINE DECISION --as EMAIL
                       takes a wrong decision back, in the same way: the line waits again
  decisions            what was decided, by whom, and what was undone
  --format FORMAT      ${formats.join(', ')}; detected if not given
  --encoding ENCODING  of MT940, such as windows-1250 or CP852; if not given, UTF-8 if the whole file is valid UTF-8,
                       otherwise windows-1250
  --lines              check also prints every line
  --accept-gap         import also takes a statement that does not begin where the one before ended; what is missing is parked
docs/statements.md has more.`,
  options: {
    as: { type: 'string' },
    format: { type: 'string' },
    encoding: { type: 'string' },
    lines: { type: 'boolean' },
    name: { type: 'string' },
    'accept-gap': { type: 'boolean' },
  },
  words: { check: 1, open: 1, import: 1, list: 0, files: 0, waiting: 0, decisions: 0, decide: 3, undo: 3 },
  async run(invocation) {
    const [name = '', first, ...rest] = invocation.words;
    switch (name) {
      case 'check':
        return reading(invocation, first, (path) => check(invocation, path));
      case 'import':
        return reading(invocation, first, (path) => importStatements(invocation, path, formatGiven(invocation)));
      case 'open':
        if (first === undefined) throw new StartFault(`Which account? ${help}`);
        return openAccount(invocation, first);
      case 'list':
        return listStatements(invocation);
      case 'files':
        return listFiles(invocation);
      case 'waiting':
        return listWaiting(invocation);
      case 'decide':
        return decideLine(invocation, [first ?? '', ...rest]);
      case 'undo':
        return undoLine(invocation, [first ?? '', ...rest]);
      case 'decisions':
        return listDecisions(invocation);
      default:
        throw new StartFault(`Missing or unknown action. Usage: grosz statements ${this.usage}\n${help}`);
    }
  },
};

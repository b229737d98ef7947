// verify and parked: the operator's view of the ledger.

import { existsSync } from 'node:fs';
import { findingSentences } from '../../contract/codes/english/findings.ts';
import { decisionSentences, historyWords, parkSentences } from '../../contract/codes/english/parking.ts';
import type { Finding } from '../../contract/codes/findings.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { type Decision, DecisionFault, listAllParked, type ParkedStep, type Parking } from '../banking/index.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import {
  type ChainName,
  type ChainReader,
  formatHeads,
  notedProblems,
  parseHeads,
  patientTimes,
} from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import { countBooks } from '../ledger/index.ts';
import { type OpenOptions, openDatabase, openService, type Service } from '../open.ts';
import { keepRun } from '../panel/index.ts';
import { StartFault } from '../runtime/index.ts';
import { demoBaseUrl } from '../sandbox/index.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';
import { newestOf, noteIn } from './heads.ts';

/**
 * Opens the service for a short piece of work and closes it. `creates`: also where there is none yet; other commands
 * must not leave an empty installation behind.
 */
export async function withService(
  invocation: Invocation,
  name: string,
  work: (service: Service) => Promise<void>,
  { creates = false, ...options }: Pick<OpenOptions, 'times'> & { readonly creates?: boolean } = {},
): Promise<void> {
  const config = await configOf(invocation.environment);
  if (!creates && config.databaseUrl === undefined && !existsSync(config.dataDir))
    throw new StartFault(
      `There is no data folder ${config.dataDir}. Set DATA_DIR or DATABASE_URL to those of the service.`,
    );
  const database = await openDatabase(config);
  try {
    const { pooled, url } = database;
    const service = await openService({ ...config, logLevel: 'warn' }, url, { name, pooled, ...options });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  } finally {
    await database.stop();
  }
}

/** Links that a command prints lead to the demo where it runs, unless the environment says where. */
async function configOf(environment: Environment): Promise<Config> {
  const config = readConfig(environment);
  if (config.mode === 'live' || ['PORT', 'HOST', 'BASE_URL'].some((name) => environment[name])) return config;
  const baseUrl = await demoBaseUrl(config.dataDir);
  return baseUrl === undefined ? config : readConfig(environment, { BASE_URL: baseUrl });
}

export const verify: Command = {
  name: 'verify',
  summary: 'Recomputes the books and reports every wrong row.',
  usage: '[--head HEAD]',
  details: `Checks that each journal sums to zero, each balance equals its entries, the hash chain of the journals is intact,
each paid transaction is booked with its amount, refunds never exceed what was paid, and recurring payments match their
attempts, transactions and the books; that the audit log was not changed, and that neither chain was cut off. The exit
code is 1 if anything is wrong.
  --head HEAD  what an earlier run printed as its head: the chains must still contain it. Note it down where nobody who
               can write to the database gets at it
It changes nothing but the list of runs, whose last one the panel shows (Operator, Books). The head is also kept in the data folder, and compared by the next run.`,
  options: { head: { type: 'string' } },
  words: 0,
  run: (invocation) =>
    withService(invocation, 'verify', (service) => verifyAll(service, invocation), { times: patientTimes }),
};

async function verifyAll({ rooms, tools }: Service, invocation: Invocation): Promise<void> {
  const text = optionText(invocation, 'head');
  const noted = text === undefined ? [] : parseHeads(text);
  if (!noted) throw new StartFault('--head must be what grosz verify printed: ledger:NUMBER:HASH,audit:NUMBER:HASH.');
  const chains: Record<ChainName, ChainReader> = {
    ledger: rooms.ledger.chain,
    audit: rooms.identity.chain,
    reconciliation: rooms.reconciliation.chain,
  };
  const file = noteIn(tools);
  // Read first: what is appended while the rest is checked is in the chains by then.
  const heads = formatHeads(await newestOf(chains));
  const startedAt = tools.wall.now();
  const problems: Finding[] = [];
  for (const { verify: check } of rooms.capabilities) if (check) problems.push(...(await check()));
  for (const [chain, head] of noted) problems.push(...(await notedProblems(chain, head, chains[chain])));
  problems.push(...(await file.compare(chains)));
  const { journals, entries, accounts } = await countBooks(tools.db.sql);
  await keepRun(tools, { startedAt, problems, journals, entries });
  if (problems.length > 0)
    throw new StartFault(
      `The books are wrong:\n${problems.map((problem) => `  ${sentenceOf(findingSentences, problem)}`).join('\n')}`,
    );
  invocation.print(`The books are correct: ${journals} journals, ${entries} entries, ${accounts} balances.`);
  if (heads === '') return;
  await file.keep(heads);
  invocation.print(`Head: ${heads}`);
}

export const parked: Command = {
  name: 'parked',
  summary: 'Lists and decides payments that the bank could not resolve.',
  usage: 'list | decide ID captured AMOUNT | decide ID not-captured',
  details: `A payment is parked when the bank could not give its result. Ask the bank by other means, then decide:
  captured AMOUNT  the bank captured AMOUNT, such as 49.90: books the payment, or returns it to the payer if another
                   payment succeeded. An amount other than the requested one is never booked
  not-captured     the bank captured nothing: the attempt failed
Recurring charges, refunds and captures to be returned are decided the same way. For money that goes to a payer,
captured means that the payer got it.`,
  options: {},
  words: { list: 0, decide: 3 },
  run: (invocation) =>
    withService(invocation, 'parked', async ({ rooms, tools }) => {
      const [action = 'list', id = '', ...words] = invocation.words;
      const parkings = rooms.capabilities.flatMap(({ parked }) => parked ?? []);
      if (action === 'list') return printParked(parkings, invocation);
      if (action !== 'decide') throw new StartFault(`Unknown action. Usage: grosz parked ${parked.usage}`);
      const decision = readDecision(words);
      if (decision === undefined) throw new StartFault(whyNoDecision(words));
      await changing(tools, invocation, { command: 'parked', action: 'P90', accountId: null }, async () => {
        if (!(await decide(parkings, id, decision))) throw new StartFault(`Nothing with the id ${id} is parked.`);
      });
      invocation.print(`Decided ${id}: ${words.join(' ')}.`);
    }),
};

/** The operator's decision; undefined if it is not one, or lacks the amount. */
export function readDecision([word, amount = '', ...rest]: readonly string[]): Decision | undefined {
  if (rest.length > 0) return undefined;
  if (word === 'not-captured') return amount === '' ? word : undefined;
  if (word !== 'captured' || !/^\d{1,12}\.\d{2}$/.test(amount)) return undefined;
  return { capturedMinor: BigInt(amount.replace('.', '')) };
}

/** What to write instead of words that are no decision. */
export function whyNoDecision([word, amount = '']: readonly string[]): string {
  if (word === 'captured' && amount !== '')
    return 'The amount of captured has a point and two decimal places: captured 5.00, captured 49.90.';
  return 'A decision is captured AMOUNT, such as captured 49.90, or not-captured.';
}

async function decide(parkings: readonly Parking[], id: string, decision: Decision): Promise<boolean> {
  try {
    for (const parking of parkings) if (await parking.decide(id, decision)) return true;
    return false;
  } catch (error) {
    throw error instanceof DecisionFault ? new StartFault(sentenceOf(decisionSentences, error.why)) : error;
  }
}

async function printParked(parkings: readonly Parking[], invocation: Invocation): Promise<void> {
  const rows = await listAllParked(parkings);
  if (rows.length === 0) return invocation.print('Nothing is parked.');
  for (const { kind, id, amountMinor, parkedAt, why, history = [] } of rows) {
    invocation.print(
      `${id}  ${kind.padEnd(8)}  ${decimalText(amountMinor).padStart(12)}  ${parkedAt}  ${sentenceOf(parkSentences, why)}`,
    );
    if (history.length > 1) for (const step of history) invocation.print(`    ${stepText(step)}`);
  }
}

function stepText({ at, step, bankMinor, ourMinor }: ParkedStep): string {
  const shown = (minor: bigint | null) => (minor === null ? 'nothing' : decimalText(minor));
  return `${at}  ${historyWords[step]}: the bank ${shown(bankMinor)}, the books ${shown(ourMinor)}`;
}

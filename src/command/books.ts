// parked: what an operator decides; and how commands open the service.

import { existsSync } from 'node:fs';
import { decisionSentences, historyWords, parkSentences } from '../../contract/codes/english/parking.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { isOnlySeen } from '../../contract/codes/parking.ts';
import {
  type Decision,
  DecisionFault,
  listAllParked,
  listUnnamed,
  type ParkedStep,
  type Parking,
} from '../banking/index.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import { decimalText } from '../kernel/index.ts';
import { type OpenOptions, openDatabase, openService, type Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { demoBaseUrl } from '../sandbox/index.ts';
import type { Tools } from '../tools.ts';
import { changing } from './changing.ts';
import type { Command, Invocation } from './command.ts';

/**
 * Opens the service for a short piece of work and closes it. `creates`: also where there is none yet; other commands
 * must not leave an empty installation behind. `charges`: it may make charges; other commands leave no acquirer behind
 * that the service did not open.
 */
export async function withService(
  invocation: Invocation,
  name: string,
  work: (service: Service) => Promise<void>,
  { creates = false, charges = false, ...options }: CommandOptions = {},
): Promise<void> {
  const config = await configOf(invocation.environment);
  if (!creates && config.databaseUrl === undefined && !existsSync(config.dataDir))
    throw new StartFault(
      `There is no data folder ${config.dataDir}. Set DATA_DIR or DATABASE_URL to those of the service.`,
    );
  const database = await openDatabase(config);
  try {
    const { pooled, url } = database;
    const service = await openService({ ...config, logLevel: 'warn' }, url, {
      name,
      pooled,
      onlyLooks: !charges,
      ...options,
    });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  } finally {
    await database.stop();
  }
}

interface CommandOptions extends Pick<OpenOptions, 'times'> {
  readonly creates?: boolean;
  readonly charges?: boolean;
}

/** A line of warning before the list of acquirers, where the settings are not those of the service. */
export async function warnOfUnnamed({ acquirers, db }: Tools, { print }: Invocation): Promise<void> {
  const open = acquirers.list.map(({ acquirer }) => acquirer.name);
  const unnamed = await listUnnamed(db.sql, open);
  if (unnamed.length === 0) return;
  const it = unnamed.length === 1 ? 'it' : 'them';
  print(
    `Warning: This database has charges of ${unnamed.join(', ')}, but ACQUIRERS does not name ${it}. Use the settings of the service.`,
  );
}

/** Links that a command prints lead to the demo where it runs, unless the environment says where. */
async function configOf(environment: Environment): Promise<Config> {
  const config = readConfig(environment);
  if (config.mode === 'live' || ['PORT', 'HOST', 'BASE_URL'].some((name) => environment[name])) return config;
  const baseUrl = await demoBaseUrl(config.dataDir);
  return baseUrl === undefined ? config : readConfig(environment, { BASE_URL: baseUrl });
}

export const parked: Command = {
  name: 'parked',
  summary: 'Lists and decides what the bank could not resolve: payments, differences and disputes.',
  usage: 'list | decide ID captured AMOUNT | decide ID not-captured | decide ID seen [AMOUNT]',
  details: `A payment is parked when the bank could not give its result. Ask the bank by other means, then decide:
  captured AMOUNT  the bank captured AMOUNT, such as 49.90: books the payment, or returns it to the payer if another
                   payment succeeded. An amount other than the requested one is never booked
  not-captured     the bank captured nothing: the attempt failed
  seen             takes what is listed only for you to see off the list, such as a refund that came back. A payer who gets
                   more than was paid needs the amount as it is listed: seen 49.90
Recurring charges, refunds and captures to be returned are decided the same way. For money that goes to a payer,
captured means that the payer got it.
Differences from the acquirer's statement, and disputes, are decided with the same words: captured AMOUNT for what did
happen, or what you acknowledge; not-captured for what did not, or what the acquirer is to correct. Of a dispute:
  no merchant was paid     captured: we bear it, as a loss. not-captured: the acquirer is to give it back
  another amount was kept  captured: the statement stands. not-captured: the acquirer is to correct it
  on another charge        captured: it is right for these charges. not-captured: the acquirer is to correct it
What is to be corrected is listed again if nothing happens within three days. docs/operations.md has a table of all
reasons.`,
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
        const decided = isSeen(decision) ? await see(parkings, id, decision) : await settle(parkings, id, decision);
        if (!decided) throw new StartFault(`Nothing with the id ${id} is parked.`);
      });
      invocation.print(`Decided ${id}: ${words.join(' ')}.`);
    }),
};

/** Without an amount, or the one that was listed. */
type Seen = 'seen' | { readonly seenMinor: bigint };

function isSeen(decision: Decision | Seen): decision is Seen {
  return decision === 'seen' || (typeof decision === 'object' && 'seenMinor' in decision);
}

/** What the operator said; undefined if it is no decision, or lacks the amount. */
export function readDecision([word, amount = '', ...rest]: readonly string[]): Decision | Seen | undefined {
  if (rest.length > 0) return undefined;
  if (word === 'not-captured' || word === 'seen') if (amount === '') return word;
  if ((word !== 'captured' && word !== 'seen') || !/^\d{1,12}\.\d{2}$/.test(amount)) return undefined;
  const minor = BigInt(amount.replace('.', ''));
  return word === 'seen' ? { seenMinor: minor } : { capturedMinor: minor };
}

/** What to write instead of words that are no decision. */
export function whyNoDecision([word, amount = '']: readonly string[]): string {
  if (word === 'captured' || (word === 'seen' && amount !== ''))
    return `The amount of ${word} has a point and two decimal places: ${word} 5.00, ${word} 49.90.`;
  return 'A decision is captured AMOUNT, such as captured 49.90, not-captured, or seen.';
}

async function decide(parkings: readonly Parking[], id: string, decision: Decision): Promise<boolean> {
  try {
    for (const parking of parkings) if (await parking.decide(id, decision)) return true;
    return false;
  } catch (error) {
    throw error instanceof DecisionFault ? new StartFault(sentenceOf(decisionSentences, error.why)) : error;
  }
}

/** No money depends on what is only to be seen: a decision about money was meant for another item. */
async function settle(parkings: readonly Parking[], id: string, decision: Decision): Promise<boolean> {
  const item = (await listAllParked(parkings)).find((one) => one.id === id);
  if (item && isOnlySeen(item.why))
    throw new StartFault(`${id} is only to be seen: decide seen ${decimalText(item.amountMinor)}.`);
  return decide(parkings, id, decision);
}

/** Money may still depend on what is decided about any other item. */
async function see(parkings: readonly Parking[], id: string, seen: Seen): Promise<boolean> {
  const item = (await listAllParked(parkings)).find((one) => one.id === id);
  if (item && !isOnlySeen(item.why))
    throw new StartFault(`${id} is not only to be seen. Decide captured AMOUNT or not-captured.`);
  if (!item) return false;
  const isOther = seen === 'seen' ? item.why.code === 'refunded_too' : seen.seenMinor !== item.amountMinor;
  const listed = decimalText(item.amountMinor);
  if (isOther) throw new StartFault(`${id} is about ${listed}: decide seen ${listed}.`);
  return decide(parkings, id, seen === 'seen' ? 'not-captured' : { capturedMinor: seen.seenMinor });
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
  // Of a line of the statement there is one amount only, and of a decision none.
  if (bankMinor === ourMinor) return `${at}  ${historyWords[step]}${bankMinor === null ? '' : `: ${shown(bankMinor)}`}`;
  return `${at}  ${historyWords[step]}: the bank ${shown(bankMinor)}, the books ${shown(ourMinor)}`;
}

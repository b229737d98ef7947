// The command line: parses the command and its options, and prints help.

import { parseArgs } from 'node:util';
import { settings } from '../config.ts';
import { DatabaseAway } from '../database/index.ts';
import { closest } from '../http/index.ts';
import { StartFault } from '../runtime/index.ts';
import { version } from '../version.ts';
import { acquirer } from './acquirer.ts';
import { bank } from './bank.ts';
import { parked } from './books.ts';
import { clock } from './clock.ts';
import type { Command, Invocation } from './command.ts';
import { merchant } from './merchant.ts';
import { payouts } from './payouts.ts';
import { pos } from './pos.ts';
import { price } from './price.ts';
import { reconcile } from './reconcile.ts';
import { refund } from './refund.ts';
import { route } from './route.ts';
import { migrateCommand, serve, work } from './run.ts';
import { safeguarding } from './safeguarding.ts';
import { settlement } from './settlement.ts';
import { start } from './start.ts';
import { statements } from './statements.ts';
import { user } from './user.ts';
import { verify } from './verify.ts';
import { wallet } from './wallet.ts';

const commands: readonly Command[] = [
  start,
  serve,
  work,
  migrateCommand,
  merchant,
  user,
  verify,
  parked,
  reconcile,
  statements,
  settlement,
  price,
  safeguarding,
  acquirer,
  route,
  refund,
  payouts,
  wallet,
  clock,
  bank,
  pos,
];

function helpOfAll(): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const names = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `Grosz ${version}: a payment service.

Usage: grosz COMMAND [OPTIONS]

${names.join('\n')}

Run grosz COMMAND --help for details, grosz help settings for the environment.`;
}

function helpOfSettings(): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 1;
  const lines = settings.map(({ name, help, usual }) => {
    const otherwise = usual === 'unset' ? '' : `. Default: ${usual}`;
    return `  ${name.padEnd(width)}${plainText(`${help}${otherwise}`)}`;
  });
  return `Settings are read from the environment:\n\n${lines.join('\n')}`;
}

/** Markdown without its marks; guides are named by their path. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[[^\]]+\]\(([^)]+)\)/g, 'docs/$1').replaceAll('`', '');
}

function helpOf(command: Command): string {
  return `${command.summary}

Usage: grosz ${command.name} ${command.usage}

${command.details}

Settings from the environment: grosz help settings`;
}

function parse(command: Command, args: readonly string[]) {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new StartFault(`${faultOf(error as ParseFault, command)} See: grosz ${command.name} --help`);
  }
}

/** The first word that the command does not take; an action that it does not know is its own to report. */
function surplusWord({ words }: Command, all: readonly string[]): string | undefined {
  if (typeof words === 'number') return all[words];
  const [action = '', ...rest] = all;
  return Object.hasOwn(words, action) ? rest[words[action] ?? 0] : undefined;
}

function refuseSurplus(command: Command, words: readonly string[]): void {
  const word = surplusWord(command, words);
  if (word !== undefined) throw new StartFault(`Unexpected argument "${word}". See: grosz ${command.name} --help`);
}

type ParseFault = Error & { readonly code?: string };

/** What is wrong with the arguments, without the advice of Node's parser. */
function faultOf({ code, message }: ParseFault, { options }: Command): string {
  const [, named = ''] = /'([^']+)'/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const option = named.replace(/^-\w, /, '').replace(/[ =].*$/, '');
    return message.includes('does not take') ? `${option} takes no value.` : `${option} needs a value.`;
  }
  if (/^-\d$/.test(named)) return 'Amounts and other numbers have no minus sign.';
  const meant = closest(named.replace(/^--?/, ''), Object.keys(options));
  return `Unknown option ${named}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`;
}

function helpAbout(topic: string | undefined): string {
  if (topic === undefined) return helpOfAll();
  if (topic === 'settings') return helpOfSettings();
  return helpOf(find(topic));
}

function find(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const meant = closest(
    name,
    commands.map((one) => one.name),
  );
  const advice = meant === undefined ? 'See: grosz help' : `Did you mean grosz ${meant}?`;
  throw new StartFault(`Unknown command "${name}". ${advice}`);
}

/** What the process passes in. */
type Surroundings = Pick<Invocation, 'environment' | 'print' | 'ask' | 'ended'>;

export async function runLine(args: readonly string[], surroundings: Surroundings): Promise<void> {
  const { print } = surroundings;
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return print(version);
  if (name === undefined || name === '--help' || name === '-h') return print(helpOfAll());
  if (name === 'help') {
    const [topic, surplus] = rest;
    if (surplus !== undefined) throw new StartFault(`Unexpected argument "${surplus}". See: grosz help`);
    return print(helpAbout(topic));
  }
  const command = find(name);
  const { values, positionals } = parse(command, rest);
  if (values.help) return print(helpOf(command));
  refuseSurplus(command, positionals);
  await command.run({
    ...surroundings,
    values: values as Record<string, string | boolean | undefined>,
    words: positionals,
  });
}

/** An expected error prints only its message; anything else is a bug and prints its stack. */
export function faultText(error: unknown): string {
  if (error instanceof StartFault) return error.message;
  // Nobody made a mistake, and where it happened says nothing: it is tried again once the database is back.
  if (error instanceof DatabaseAway) return `${error.message.replace(/\.$/, '')}: ${reasonOf(error.cause)} Try again.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

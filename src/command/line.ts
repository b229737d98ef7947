// The command line: parses the command and its options, and prints help.

import { parseArgs } from 'node:util';
import { settings } from '../config.ts';
import { StartFault } from '../platform/index.ts';
import { version } from '../version.ts';
import { bank } from './bank.ts';
import { parked, verify } from './books.ts';
import { clock } from './clock.ts';
import type { Command, Invocation } from './command.ts';
import { merchant } from './merchant.ts';
import { pos } from './pos.ts';
import { refund } from './refund.ts';
import { migrateCommand, serve, work } from './run.ts';
import { start } from './start.ts';
import { wallet } from './wallet.ts';

const commands: readonly Command[] = [
  start,
  serve,
  work,
  migrateCommand,
  merchant,
  verify,
  parked,
  refund,
  wallet,
  clock,
  bank,
  pos,
];

function helpOfAll(): string {
  const names = commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`);
  return `Grosz ${version}: a payment service.

Usage: grosz COMMAND [OPTIONS]

${names.join('\n')}

Run grosz COMMAND --help for details.`;
}

function helpOf(command: Command): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 1;
  const lines = settings.map(({ name, meaning }) => `  ${name.padEnd(width)}${meaning}`);
  return `${command.summary}

Usage: grosz ${command.name} ${command.usage}

${command.details}

Environment:
${lines.join('\n')}`;
}

function parse(command: Command, args: readonly string[]) {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: !command.wordless });
  } catch (error) {
    throw new StartFault(`${(error as Error).message} See: grosz ${command.name} --help`);
  }
}

/** What the process passes in. */
type Surroundings = Pick<Invocation, 'environment' | 'print' | 'ended'>;

export async function runLine(args: readonly string[], surroundings: Surroundings): Promise<void> {
  const { print } = surroundings;
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return print(version);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return print(helpOfAll());
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new StartFault(`Unknown command "${name}".\n\n${helpOfAll()}`);
  const { values, positionals } = parse(command, rest);
  if (values.help) return print(helpOf(command));
  await command.run({
    ...surroundings,
    values: values as Record<string, string | boolean | undefined>,
    words: positionals,
  });
}

/** An expected error prints only its message; anything else is a bug and prints its stack. */
export function faultText(error: unknown): string {
  if (error instanceof StartFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

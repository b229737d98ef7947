// The command line: the only place with the process's environment, signals and exit code.

import { parseArgs } from 'node:util';
import { bank } from './command/bank.ts';
import { parked, verify } from './command/books.ts';
import { clock } from './command/clock.ts';
import type { Command } from './command/command.ts';
import { merchant } from './command/merchant.ts';
import { refund } from './command/refund.ts';
import { migrateCommand, serve, start, work } from './command/run.ts';
import { settings } from './config.ts';
import { StartFault } from './platform/index.ts';
import { version } from './version.ts';

const commands: readonly Command[] = [
  start,
  serve,
  work,
  migrateCommand,
  merchant,
  verify,
  parked,
  refund,
  clock,
  bank,
];

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function helpOfAll(): string {
  const names = commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`);
  return `Grosz ${version}: a payment service.

Usage: grosz COMMAND [OPTIONS]

${names.join('\n')}

grosz COMMAND --help tells more.`;
}

function helpOf(command: Command): string {
  const lines = settings.map(({ name, meaning }) => `  ${name.padEnd(24)}${meaning}`);
  return `${command.summary}

Usage: grosz ${command.name} ${command.usage}

${command.details}

Environment:
${lines.join('\n')}`;
}

/** The first signal ends the work cleanly; the second ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130);
        asked = true;
        resolve();
      });
    }
  });
}

function parse(command: Command, args: readonly string[]) {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: !command.wordless });
  } catch (error) {
    throw new StartFault(`${(error as Error).message} More: grosz ${command.name} --help`);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return print(version);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return print(helpOfAll());
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new StartFault(`There is no command "${name}".\n\n${helpOfAll()}`);
  const { values, positionals } = parse(command, rest);
  if (values.help) return print(helpOf(command));
  await command.run({
    environment: process.env,
    values: values as Record<string, string | boolean | undefined>,
    words: positionals,
    print,
    ended: untilSignal(),
  });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const expected = error instanceof StartFault;
    process.stderr.write(`${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);

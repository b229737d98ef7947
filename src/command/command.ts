// What a command of `grosz` is.

import type { ParseArgsOptionsConfig } from 'node:util';
import type { Environment } from '../config.ts';

export interface Invocation {
  readonly environment: Environment;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
  readonly print: (text: string) => void;
  /** Asks for what must not be an argument, such as a password; what is typed is not shown. */
  readonly ask: (question: string) => Promise<string>;
  /** Resolves when the process is asked to stop (Ctrl-C, SIGTERM). */
  readonly ended: Promise<void>;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  readonly details: string;
  readonly options: ParseArgsOptionsConfig;
  /**
   * How many words it takes at most, besides options; with actions, how many follow each of them. Any more are a mistake
   * and not ignored.
   */
  readonly words: number | Readonly<Record<string, number>>;
  run(invocation: Invocation): Promise<void>;
}

/** The text of an option; undefined if it was not given. */
export function optionText(invocation: Invocation, name: string): string | undefined {
  const value = invocation.values[name];
  return typeof value === 'string' ? value : undefined;
}

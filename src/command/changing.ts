// What a command changes is in the audit log, as what people change in the panel.

import { commandLine } from '../../contract/codes/actors.ts';
import { audited } from '../identity/index.ts';
import type { Tools } from '../tools.ts';
import type { Invocation } from './command.ts';

export interface Change {
  /** The name of the command. */
  readonly command: string;
  /** The endpoint that does the same, or a word: the panel has a text for it. */
  readonly action: string;
  /** In whose log it is, besides that of the operators. */
  readonly accountId: string | null;
}

/** Runs a change, with entries before and after it. No option or argument of `grosz` is a secret. */
export function changing<T>(
  tools: Tools,
  { words, values }: Invocation,
  { command, action, accountId }: Change,
  run: () => Promise<T>,
): Promise<T> {
  const client = { address: '', userAgent: `grosz ${command}`, cookie: '', origin: undefined };
  const actor = { userId: null, email: commandLine, accountId, client };
  const target = ['grosz', command, ...words].join(' ').slice(0, 300);
  return audited(tools, { actor, action, target, asked: values }, run);
}

// Commands that an operator confirms: whose they are, with the password and a code of the second factor.

import { audited, type Confirmation } from '../identity/index.ts';
import { Refusal, Secret } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { type Invocation, optionText } from './command.ts';

/** The password and a code of the operator whom `--as` names. `why`: what the name is for. */
export async function confirmingOf(invocation: Invocation, why: string): Promise<Confirmation> {
  const email = optionText(invocation, 'as');
  if (email === undefined) throw new StartFault(`Missing --as EMAIL: ${why}.`);
  const password = new Secret(await invocation.ask(`Password of ${email}`));
  return { email, password, code: (await invocation.ask('Code of the authenticator app, or a recovery code')).trim() };
}

export interface Signing {
  /** The name of the command. */
  readonly command: string;
  /** The endpoint that does the same, or a word: the panel has a text for it. */
  readonly action: string;
  readonly email: string;
  /** In whose log it is, besides that of the operators. */
  readonly accountId?: string;
}

/** With entries in the audit log in the name of whoever confirms it. */
export function signing<T>(
  tools: Tools,
  { words }: Invocation,
  { command, action, email, accountId }: Signing,
  run: () => Promise<T>,
): Promise<T> {
  const client = { address: '', userAgent: `grosz ${command}`, cookie: '', origin: undefined };
  const actor = { userId: null, email: email.toLowerCase(), accountId: accountId ?? null, client };
  const target = ['grosz', command, ...words].join(' ').slice(0, 300);
  return audited(tools, { actor, action, target }, run);
}

/** What is refused, as a sentence. */
export async function refusalsAsFaults<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [{ message, usual, devMessage, code }] = error.faults;
    throw new StartFault(
      [message ?? usual?.message ?? `Refused: ${code}.`, devMessage ?? usual?.fix].filter(Boolean).join(' '),
    );
  }
}

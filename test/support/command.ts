// Runs the command line in the test's own process, as src/main.ts does: a process for each command would load
// everything each time.

import { faultText, runLine } from '../../src/command/line.ts';
import type { Ended, Environment } from './process.ts';
import { aFolder, type TestWorld } from './service.ts';

/** The settings with which a command works on the books of a test's world. */
export async function settingsIn({ databaseUrl, vaultKey, bankFile }: TestWorld): Promise<Environment> {
  return {
    DATABASE_URL: databaseUrl,
    VAULT_KEYS: `test:${Buffer.from(vaultKey).toString('base64')}`,
    DATA_DIR: await aFolder(),
    BANK_FILE: bankFile,
  };
}

/** Runs a command to its end with only these settings. One that would wait to be stopped stops as soon as it is ready. `answers` are typed. */
export async function runHere(
  args: readonly string[],
  environment: Environment,
  answers: readonly string[] = [],
): Promise<Ended> {
  let stdout = '';
  const print = (text: string) => {
    stdout += `${text}\n`;
  };
  const left = [...answers];
  const ask = async (question: string) => left.shift() ?? Promise.reject(new Error(`Nobody answers: ${question}`));
  const ended = { signal: null, stderr: '' };
  try {
    await runLine(args, { environment: { MODE: 'sandbox', ...environment }, print, ask, ended: Promise.resolve() });
    return { ...ended, code: 0, stdout };
  } catch (error) {
    return { ...ended, code: 1, stdout, stderr: `${faultText(error)}\n` };
  }
}

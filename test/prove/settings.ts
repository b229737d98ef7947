// Every setting with every value of the table, in live mode: accepted ones are opened as the commands do, and searched
// for anything of the sandbox.

import { isDeepStrictEqual } from 'node:util';
import { cloneDatabase } from '../support/database.ts';
import { configOf, sandboxToolsIn } from '../support/live.ts';
import { atEnd } from '../support/service.ts';
import { least, tries } from '../support/settings.ts';
import type { ProveOptions, Seen } from './figure.ts';

export async function proveSettings({ print }: ProveOptions): Promise<Seen[]> {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  const wrong: string[] = [];
  const plain = configOf(least.live);
  let plainWasOpened = false;
  for (const { name, mode, environment, expected } of tries) {
    const config = configOf(environment);
    if ((config !== undefined) !== (expected === 'taken'))
      wrong.push(`${name} in ${mode} is not judged as the table says`);
    // The value being tested may be the mode itself.
    if (config?.mode !== 'live') continue;
    // Opened once, not for each setting that is left empty.
    const isPlain = environment[name] === '' && isDeepStrictEqual(config, plain);
    if (isPlain && plainWasOpened) continue;
    plainWasOpened ||= isPlain;
    const found = await sandboxToolsIn(config, database.url);
    wrong.push(...found.map((what) => `${name}=${environment[name]} lets ${what} into live mode`));
  }
  for (const note of wrong) print(`  ${note}`);
  return [
    {
      figure: 'settings x mode that let a sandbox tool, a demo account or the simulated bank into live',
      goal: '0',
      seen: `${wrong.length} of ${tries.length}`,
      met: wrong.length === 0,
    },
  ];
}

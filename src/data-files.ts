// The data folder of an installation: what is in it, closed to other users at every start and removed by `--fresh`.

import { makeDataFolder, postgresFiles, sqliteFiles } from './embedded/index.ts';
import { demoFile } from './sandbox/index.ts';
import { bankFile } from './settings.ts';

export const vaultKeyFile = 'vault.key';
export const logFile = 'grosz.log';
/** The heads of the chains at the last `grosz verify`. */
export const headsFile = 'verified-heads';
/** The demo shop names it itself: it is an example of a merchant's own site. */
const shopFile = 'shop.sqlite';

export const dataFiles: readonly string[] = [
  ...postgresFiles,
  ...sqliteFiles(bankFile),
  ...sqliteFiles(shopFile),
  vaultKeyFile,
  demoFile,
  logFile,
  headsFile,
  `${headsFile}.new`,
];

/** Creates it, or restricts access to an existing one. */
export function openDataFolder(dataDir: string, withinMilliseconds?: number): Promise<void> {
  return makeDataFolder(dataDir, dataFiles, withinMilliseconds);
}

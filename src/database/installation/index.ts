// The state of this installation: its mode, and whether our vault key is the one it was set up with.

import { Secret } from '../../kernel/index.ts';
import type { Clock, Vault } from '../../runtime/index.ts';
import { StartFault } from '../../runtime/index.ts';
import type { Database } from '../database.ts';
import { findInstallation, type Installation, insertInstallation, updateSendsMail } from './store.ts';

export { whyNotReady } from './ready.ts';
export type { Installation };

const purpose = 'installation check';

interface Opening {
  readonly db: Database;
  readonly vault: Vault;
  readonly wall: Clock;
  readonly mode: Installation['mode'];
}

/** Reads the installation, creating its row at the first start; refuses another mode or another vault key. */
export async function openInstallation({ db, vault, wall, mode }: Opening): Promise<Installation> {
  await insertInstallation(db.sql, mode, vault.seal(new Secret('grosz'), purpose), wall.now());
  const installation = await findInstallation(db.sql);
  if (installation.mode !== mode) {
    throw new StartFault(
      `This database was set up with MODE=${installation.mode}. MODE=${mode} needs a separate database.`,
    );
  }
  try {
    vault.open(installation.vaultCheck, purpose);
  } catch (error) {
    throw new StartFault(
      'The vault key is not the one that this database was set up with. ' +
        'Set VAULT_KEYS to the keys of the other nodes, or use their DATA_DIR/vault.key.',
      { cause: error },
    );
  }
  return installation;
}

/** What a worker says of itself at its start: commands and other nodes then write the mails that it sends. */
export function noteSendsMail({ sql }: Pick<Database, 'sql'>, sendsMail: boolean): Promise<void> {
  return updateSendsMail(sql, sendsMail);
}

// Changing an account after it was made. All nodes follow within a second, as soon as they look its tokens up again.

import { type AccountId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type AccountSettings, findSettings, lockAccount, updateSettings } from './store.ts';

/** Changes what is given and leaves the rest; returns all settings as they are afterwards. */
export function changeAccount(tools: Tools, id: AccountId, change: Partial<AccountSettings>): Promise<AccountSettings> {
  return tools.db.atomic(async (sql) => {
    await lockAccount(sql, id);
    const settings = (await findSettings(sql, id)) ?? refuse('not_found');
    const changed = { ...settings, ...change };
    await updateSettings(sql, id, changed, tools.clock.now());
    return changed;
  });
}

// Changes an account. All nodes follow within a second, when they look up its tokens again.

import { type AccountId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type AccountSettings, findSettings, lockAccount, updateSettings } from './store.ts';

/** Changes the given settings and returns all of them as they are afterwards. */
export function changeAccount(tools: Tools, id: AccountId, change: Partial<AccountSettings>): Promise<AccountSettings> {
  return tools.db.atomic(async (sql) => {
    await lockAccount(sql, id);
    const settings = (await findSettings(sql, id)) ?? refuse('not_found');
    const changed = { ...settings, ...change };
    await updateSettings(sql, id, changed, tools.clock.now());
    return changed;
  });
}

// Points of sale besides the main one. A marketplace transaction names one that is active and verified.

import { type AccountId, knownId, type PosId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { findSettings, insertPos, lockPos, type PosRow, updatePos } from './store.ts';

export type PosDetails = Pick<PosRow, 'name' | 'url' | 'notificationUrl' | 'verified'>;

export function addPos(tools: Tools, accountId: AccountId, details: PosDetails): Promise<PosId> {
  return tools.db.atomic(async (sql) => {
    if (!(await findSettings(sql, accountId))) refuse('not_found');
    const id = knownId<PosId>(tools.ids.ulid());
    const testMode = tools.config.mode === 'sandbox';
    await insertPos(sql, { id, accountId, ...details, testMode, main: false, createdAt: tools.clock.now() });
    return id;
  });
}

/** Changes what is given and returns the point of sale as it is afterwards. */
export function changePos(
  tools: Tools,
  id: PosId,
  change: Partial<PosDetails & Pick<PosRow, 'active'>>,
): Promise<PosRow> {
  return tools.db.atomic(async (sql) => {
    const pos = (await lockPos(sql, id)) ?? refuse('not_found');
    const changed = { ...pos, ...change, modifiedAt: tools.clock.now() };
    await updatePos(sql, changed);
    return changed;
  });
}

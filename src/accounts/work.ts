import type { Tools } from '../tools.ts';
import { deleteExpiredTokens } from './store.ts';

/** Forgets expired tokens; answers how many went. */
export function forgetExpiredTokens(tools: Tools, atMost: number): Promise<number> {
  return deleteExpiredTokens(tools.db.sql, tools.wall.now(), atMost);
}

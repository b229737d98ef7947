import type { Tools } from '../tools.ts';
import { deleteExpiredTokens } from './store.ts';

/** Deletes expired tokens; returns how many. */
export function forgetExpiredTokens(tools: Tools, atMost: number): Promise<number> {
  return deleteExpiredTokens(tools.db.sql, tools.wall.now(), atMost);
}

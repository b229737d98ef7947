import type { World } from '../world.ts';
import { deleteExpiredTokens } from './store.ts';

/** Forgets expired tokens; answers how many went. */
export function forgetExpiredTokens(world: World, atMost: number): Promise<number> {
  return deleteExpiredTokens(world.db.sql, world.wall.now(), atMost);
}

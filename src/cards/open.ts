import type { Caller } from '../http/index.ts';
import type { Tools } from '../tools.ts';
import { openCardKeys } from './keys.ts';
import { cardRoutes } from './routes.ts';

export async function openCards<C extends Caller>(tools: Pick<Tools, 'acquirers' | 'db' | 'vault' | 'ids' | 'wall'>) {
  const keys = await openCardKeys(tools);
  return { name: 'cards', routes: cardRoutes<C>(tools, keys), keys };
}

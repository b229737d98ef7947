import type { Tools } from '../tools.ts';
import { payoutRoutes } from './routes.ts';

export function openPayouts(tools: Tools) {
  return { name: 'payouts', routes: payoutRoutes(tools) };
}

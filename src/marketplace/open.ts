import type { Tools } from '../tools.ts';
import type { WalletTokens } from '../wallet/index.ts';
import { marketplaceRoutes } from './routes.ts';

export function openMarketplace(tools: Tools, wallet: Pick<WalletTokens, 'isAvailable'>) {
  return { name: 'marketplace', routes: marketplaceRoutes({ ...tools, wallet }) };
}

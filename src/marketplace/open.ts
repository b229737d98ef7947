import type { Verifying } from '../database/index.ts';
import { marketplaceRoutes } from './routes.ts';
import type { MarketplaceTools } from './tools.ts';
import { verifyMarketplace } from './verify.ts';

export function openMarketplace(tools: MarketplaceTools) {
  return {
    name: 'marketplace',
    routes: marketplaceRoutes(tools),
    verify: (verifying: Verifying) => verifyMarketplace(tools, verifying),
  };
}

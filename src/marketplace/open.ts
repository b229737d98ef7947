import { marketplaceRoutes } from './routes.ts';
import type { MarketplaceTools } from './tools.ts';
import { verifyMarketplace } from './verify.ts';

export function openMarketplace(tools: MarketplaceTools) {
  return { name: 'marketplace', routes: marketplaceRoutes(tools), verify: () => verifyMarketplace(tools) };
}

import { listMarketplaceBankGroups } from '../../contract/marketplace.ts';
import { type Merchant, writeBankGroups } from '../accounts/index.ts';
import { on, type Route } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { commonChannels, type MethodTools } from './methods.ts';

export const marketplaceRoutes = (tools: Tools & MethodTools): Route<Merchant>[] => [
  on(listMarketplaceBankGroups, async ({ caller, query, requestId }) => {
    const channels = await commonChannels(tools, caller, query.merchantId);
    return { result: 'success' as const, requestId, groups: writeBankGroups(channels, tools.config.baseUrl) };
  }),
];

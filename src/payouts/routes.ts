import { getBalance } from '../../contract/payouts.ts';
import type { Merchant } from '../accounts/index.ts';
import { on, type Route } from '../http/index.ts';
import type { Tools } from '../tools.ts';
import { readBalance } from './balance.ts';
import { serializeBalance } from './wire.ts';

export const payoutRoutes = (tools: Tools): Route<Merchant>[] => [
  on(getBalance, async ({ caller, requestId }) => ({
    result: 'success' as const,
    requestId,
    balance: serializeBalance(await readBalance(tools, caller.id)),
  })),
];

// Methods that an account must set up first: until then nobody can pay with them.

import { type AccountId, refuse } from '../kernel/index.ts';
import type { Method, SetupTools } from './model.ts';

export async function refuseUnlessSetUp(
  tools: SetupTools,
  { setup }: Pick<Method, 'setup'>,
  merchantId: AccountId,
  prefix: string,
): Promise<void> {
  if (!setup || (await setup.isDone(tools, merchantId))) return;
  refuse('not_valid', `${prefix}channelId`, setup.missing);
}

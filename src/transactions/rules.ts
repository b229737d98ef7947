// Pure decisions about transactions (interface 2.1, decisions 3 and 4).

import { type Channel, enabledChannel } from '../accounts/index.ts';
import { type Fault, joined, Refusal, ulidFromDigest } from '../kernel/index.ts';
import type { PaymentMethod } from './store.ts';

/** How a transaction is to be paid: the method, and data that pays at once. */
export interface PayWish {
  readonly groupId?: number;
  readonly channelId?: number;
  readonly method?: PaymentMethod;
  readonly blikPaymentData?: {
    readonly blikToken: string;
    readonly aliases?: readonly { readonly value: string; readonly type: 'UID' | 'PAYID'; readonly label?: string }[];
  };
  readonly cardPaymentData?: { readonly card?: string; readonly token?: string; readonly save?: boolean };
  readonly walletPayPaymentData?: string;
}

function namedChannel({ channelId, groupId }: PayWish, enabled: readonly number[]): Channel | undefined {
  if (channelId !== undefined) return enabledChannel(enabled, { id: channelId });
  return groupId === undefined ? undefined : enabledChannel(enabled, { groupId });
}

/**
 * What is wrong with the choice: at most one fault. Only enabled channels may be named, and by one name. `prefix` is where
 * the choice stands in the body: `pay.` in E1, nothing in E2.
 */
export function methodFaults(wish: PayWish | undefined, enabled: readonly number[], prefix: string): Fault[] {
  const { channelId, groupId } = wish ?? {};
  if (channelId !== undefined && groupId !== undefined)
    return [
      {
        code: 'channel_passed_with_group',
        field: `${prefix}channelId`,
        message: `Give either ${prefix}channelId or ${prefix}groupId, not both.`,
      },
    ];
  if (!wish || (channelId === undefined && groupId === undefined) || namedChannel(wish, enabled)) return [];
  const message = 'It does not exist, or is not enabled for the account.';
  return [{ code: 'not_valid', field: channelId === undefined ? `${prefix}groupId` : `${prefix}channelId`, message }];
}

/** The channel that was chosen, or undefined when the payer is to choose. */
export function chooseChannel(
  wish: PayWish | undefined,
  enabled: readonly number[],
  prefix = 'pay.',
): Channel | undefined {
  const faults = methodFaults(wish, enabled, prefix);
  if (faults.length > 0) throw new Refusal(faults);
  return wish && namedChannel(wish, enabled);
}

/** The same payer of the same merchant has the same id: it is drawn from the digest of both. */
export function payerIdFrom(digest: string): string {
  return ulidFromDigest(digest);
}

/** The page where the payer pays: its key cannot be guessed. */
export function payPageUrl(baseUrl: string, transaction: { readonly id: string; readonly payKey: string }): string {
  return joined(baseUrl, '/pay/', transaction.id, '.', transaction.payKey);
}

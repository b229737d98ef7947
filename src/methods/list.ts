// The list of the methods, and how to find one.

import type { MethodName } from '../../contract/methods.ts';
import { blik } from './blik.ts';
import { card } from './card.ts';
import type { Method } from './model.ts';
import { onlineWallet } from './online-wallet.ts';
import { transfer } from './transfer.ts';
import { wallet } from './wallet.ts';

/** In the order shown to payers: the most used first. */
const shown = { blik, card, wallet, transfer, online_wallet: onlineWallet } satisfies Record<MethodName, Method>;
export const methods: readonly Method[] = Object.values(shown);

/** In the order of responses. */
export const methodsById: readonly Method[] = methods.toSorted((a, b) => a.id - b.id);

const byId = new Map(methods.map((method) => [method.id, method]));

/** The method of a channel; undefined while none is chosen. */
export function methodOf(channelId: number | null): Method | undefined {
  return channelId === null ? undefined : byId.get(channelId);
}

/** The method by the id of its channel or of its group, if the account has it. */
export function enabledMethod(
  enabled: readonly number[],
  by: { readonly id: number } | { readonly groupId: number },
): Method | undefined {
  const found = 'id' in by ? byId.get(by.id) : methods.find(({ groupId }) => groupId === by.groupId);
  return found && enabled.includes(found.id) ? found : undefined;
}

/** The method that charges an instrument of recurring payments. */
export function methodOfRecurring(instrument: NonNullable<Method['recurring']>): Method {
  const found = methods.find(({ recurring }) => recurring === instrument);
  if (!found) throw new Error(`no method has ${instrument}`);
  return found;
}

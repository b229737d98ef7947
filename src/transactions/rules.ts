// Pure decisions about transactions (interface 2.1, decisions 3 and 4).

import { type Channel, enabledChannel } from '../accounts/index.ts';
import { type Fault, Refusal, ulidFromDigest } from '../kernel/index.ts';

export interface MethodWish {
  readonly groupId?: number;
  readonly channelId?: number;
}

function namedChannel({ channelId, groupId }: MethodWish, enabled: readonly number[]): Channel | undefined {
  if (channelId !== undefined) return enabledChannel(enabled, { id: channelId });
  return groupId === undefined ? undefined : enabledChannel(enabled, { groupId });
}

/** What is wrong with the choice: at most one fault. Only enabled channels may be named, and by one name. */
export function methodFaults(wish: MethodWish | undefined, enabled: readonly number[]): Fault[] {
  const { channelId, groupId } = wish ?? {};
  if (channelId !== undefined && groupId !== undefined)
    return [{ code: 'channel_passed_with_group', field: 'pay.channelId' }];
  if (!wish || (channelId === undefined && groupId === undefined) || namedChannel(wish, enabled)) return [];
  const message = 'It does not exist, or is not enabled for the account.';
  return [{ code: 'not_valid', field: channelId === undefined ? 'pay.groupId' : 'pay.channelId', message }];
}

/** The channel that the merchant chose, or undefined when the payer is to choose. */
export function chooseChannel(wish: MethodWish | undefined, enabled: readonly number[]): Channel | undefined {
  const faults = methodFaults(wish, enabled);
  if (faults.length > 0) throw new Refusal(faults);
  return wish && namedChannel(wish, enabled);
}

const titleAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `TR-XXXX-XXXXXXX` from eleven random bytes; undefined for the rare draw that would contain `-TST` (decisions 3). */
export function titleFrom(random: Uint8Array): string | undefined {
  let text = '';
  for (const byte of random) text += titleAlphabet[byte & 31];
  const title = `TR-${text.slice(0, 4)}-${text.slice(4, 11)}`;
  return title.includes('-TST') ? undefined : title;
}

/** The same payer of the same merchant has the same id: it is drawn from the digest of both. */
export function payerIdFrom(digest: Uint8Array): string {
  return ulidFromDigest(digest);
}

// Pure decisions about transactions (interface 2.1, decisions 3 and 4).

import { type Channel, enabledChannel } from '../accounts/index.ts';
import { refuse, ulidFromDigest } from '../kernel/index.ts';

export interface MethodWish {
  readonly groupId?: number;
  readonly channelId?: number;
}

/** The channel that the merchant chose, or undefined when the payer is to choose. Only enabled ones may be named. */
export function chooseChannel(wish: MethodWish | undefined, enabled: readonly number[]): Channel | undefined {
  if (wish?.channelId !== undefined && wish.groupId !== undefined) refuse('channel_passed_with_group', 'pay.channelId');
  if (wish?.channelId !== undefined) {
    const message = 'This channel does not exist or is not enabled for the account.';
    return enabledChannel(enabled, { id: wish.channelId }) ?? refuse('not_valid', 'pay.channelId', message);
  }
  if (wish?.groupId !== undefined) {
    const message = 'This group does not exist or has no channel that is enabled for the account.';
    return enabledChannel(enabled, { groupId: wish.groupId }) ?? refuse('not_valid', 'pay.groupId', message);
  }
  return undefined;
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

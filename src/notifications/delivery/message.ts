// Turns a claimed row into an HTTP message: decrypts the body and creates both signatures.

import { cachedOpening } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { bodyPurpose } from '../outbox.ts';
import type { Signing } from '../signing/index.ts';
import { webhookHeaders, webhookKey } from '../signing/webhook.ts';
import type { Claimed } from './store.ts';

export interface Message {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

export type BuildMessage = (claimed: Claimed) => Promise<Message>;

/** Builds messages. */
export function messageBuilder(tools: Pick<Tools, 'vault' | 'wall'>, signing: Signing): BuildMessage {
  const openKey = cachedOpening(tools.vault, webhookKey);

  function bodyOf(claimed: Claimed): Buffer {
    const text = claimed.sealed ? tools.vault.open(claimed.body, bodyPurpose(claimed.eventId)).reveal() : claimed.body;
    return Buffer.from(text, 'utf8');
  }

  return async (claimed) => {
    const body = bodyOf(claimed);
    const { accountId: merchantId, eventId } = claimed;
    const at = tools.wall.now();
    const key = openKey(claimed.webhookSecretSealed, `account ${merchantId} webhook secret`);
    const jws = await signing.signDetached(body, { merchantId, eventId, at });
    return {
      body,
      headers: {
        'content-type': claimed.contentType,
        'user-agent': 'Grosz-Notifications/1',
        ...webhookHeaders(key, eventId, at, body),
        'x-jws-signature': jws,
      },
    };
  };
}

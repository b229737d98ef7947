// Turns a claimed row into an HTTP message: decrypts the body and creates both signatures.

import type { Tools } from '../../tools.ts';
import { bodyPurpose } from '../outbox.ts';
import type { Signing } from '../signing/index.ts';
import { webhookHeaders, webhookKey } from '../signing/webhook.ts';
import type { Claimed } from './store.ts';

export interface Message {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

export type WriteMessage = (claimed: Claimed) => Promise<Message>;

const keysAtMost = 10_000;

/**
 * Builds messages. Decrypted webhook secrets are cached by their ciphertext, so a new secret takes effect immediately.
 */
export function messageWriter(tools: Pick<Tools, 'vault' | 'wall'>, signing: Signing): WriteMessage {
  const keys = new Map<string, Buffer>();

  function keyOf(claimed: Claimed): Buffer {
    const sealed = claimed.webhookSecretSealed;
    let key = keys.get(sealed);
    if (!key) {
      key = webhookKey(tools.vault.open(sealed, `account ${claimed.accountId} webhook secret`));
      if (keys.size >= keysAtMost) keys.clear();
      keys.set(sealed, key);
    }
    return key;
  }

  function bodyOf(claimed: Claimed): Buffer {
    const text = claimed.sealed ? tools.vault.open(claimed.body, bodyPurpose(claimed.eventId)).reveal() : claimed.body;
    return Buffer.from(text, 'utf8');
  }

  return async (claimed) => {
    const body = bodyOf(claimed);
    const { accountId: merchantId, eventId } = claimed;
    const at = tools.wall.now();
    const jws = await signing.signDetached(body, { merchantId, eventId, at });
    return {
      body,
      headers: {
        'content-type': claimed.contentType,
        'user-agent': 'Grosz-Notifications/1',
        ...webhookHeaders(keyOf(claimed), eventId, at, body),
        'x-jws-signature': jws,
      },
    };
  };
}

// POST /oauth/auth: issues a token for a client id and secret (docs/decisions/0001).

import { timingSafeEqual } from 'node:crypto';
import { type Fault, Refusal, refuse } from '../kernel/index.ts';
import { randomText } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { hashSecret } from './create.ts';
import { parseClientId, readBasic, tokenLifetime } from './rules.ts';
import { insertToken, listUsableSecrets } from './store.ts';

export interface TokenRequest {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly scope?: string;
}

export interface IssuedToken {
  readonly clientId: string;
  readonly accessToken: string;
  readonly scope: string;
  readonly issuedAt: Temporal.Instant;
}

/**
 * Issues a token, durable before the response. A wrong id, a wrong secret, a revoked credential and a blocked account
 * look the same from outside.
 */
export async function authorize(
  tools: Tools,
  request: TokenRequest,
  authorization: string | undefined,
): Promise<IssuedToken> {
  const { clientId, clientSecret } = clientOf(request, authorization);
  const client = parseClientId(clientId) ?? refuse('invalid_client');
  const secretHash = hashSecret(clientSecret);
  const usable = await listUsableSecrets(tools.db.sql, client.accountId, client.credentialId);
  if (!usable.some((secret) => timingSafeEqual(secret.secretHash, secretHash))) refuse('invalid_client');
  const accessToken = randomText(tools.random, 32);
  const issuedAt = tools.wall.now();
  const scope = request.scope === undefined || request.scope === '' ? 'read' : request.scope;
  await tools.db.batch(insertToken, {
    tokenHash: hashSecret(accessToken).toString('hex'),
    secretHash: secretHash.toString('hex'),
    credentialId: client.credentialId,
    scope,
    issuedAt: issuedAt.toString(),
    expiresAt: issuedAt.add(tokenLifetime).toString(),
  });
  return { clientId, accessToken, scope, issuedAt };
}

/** The body takes precedence; what it omits may be in HTTP Basic. */
function clientOf(
  request: TokenRequest,
  authorization: string | undefined,
): { clientId: string; clientSecret: string } {
  const basic = readBasic(authorization);
  const clientId = request.client_id ?? basic?.clientId;
  const clientSecret = request.client_secret ?? basic?.clientSecret;
  if (clientId === undefined || clientSecret === undefined) {
    const faults: Fault[] = [];
    if (clientId === undefined) faults.push({ code: 'field_required', field: 'client_id' });
    if (clientSecret === undefined) faults.push({ code: 'field_required', field: 'client_secret' });
    throw new Refusal(faults);
  }
  return { clientId, clientSecret };
}

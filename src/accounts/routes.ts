import { authorize as authorizeEndpoint, tokenInfo } from '../../contract/oauth.ts';
import { on, type Route } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { Merchant } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { tokenLifetime } from './rules.ts';

const unixSeconds = (at: Temporal.Instant) => Math.floor(at.epochMilliseconds / 1_000);

export const accountRoutes = (tools: Tools): Route<Merchant>[] => [
  on(authorizeEndpoint, async ({ body, authorization }) => {
    const issued = await authorize(tools, body, authorization);
    return {
      issued_at: unixSeconds(issued.issuedAt),
      scope: issued.scope,
      token_type: 'Bearer' as const,
      expires_in: tokenLifetime.seconds,
      client_id: issued.clientId,
      access_token: issued.accessToken,
    };
  }),
  on(tokenInfo, async ({ caller }) => ({
    issued_at: unixSeconds(caller.token.issuedAt),
    scope: caller.token.scope,
    token_type: 'Bearer' as const,
    expires_in: unixSeconds(caller.token.expiresAt) - unixSeconds(tools.wall.now()),
    client_id: caller.token.clientId,
    access: caller.readOnly ? ('read_only' as const) : ('full' as const),
  })),
];

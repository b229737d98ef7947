import {
  changeSeller as changeEndpoint,
  createSeller as createEndpoint,
  getSeller as getEndpoint,
  listSellers as listEndpoint,
  listPointsOfSale,
} from '../../contract/accounts.ts';
import { authorize as authorizeEndpoint, tokenInfo } from '../../contract/oauth.ts';
import { getPrices } from '../../contract/prices.ts';
import { on, onlyFor, type Route } from '../http/index.ts';
import { type AccountId, idFrom, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Merchant } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { listPricesOf } from './prices/store.ts';
import { requireMarketplace, scopeOf, tokenLifetime } from './rules.ts';
import { changeSeller, createSeller, listOwnSellers, showSeller } from './sellers.ts';
import { listPos } from './store.ts';
import { channelFaults, readSeller, serializePos, serializePrice, serializeSeller } from './wire.ts';

const success = 'success' as const;
const sellerIdOf = (text: string) => idFrom<AccountId>(text) ?? refuse('not_found');
const unixSeconds = (at: Temporal.Instant) => Math.floor(at.epochMilliseconds / 1_000);

export const accountRoutes = (tools: Tools): Route<Merchant>[] => [
  on(getPrices, async ({ caller, requestId }) => {
    const prices = await listPricesOf(tools.db.sql, caller.id, tools.clock.now());
    return { result: success, requestId, prices: prices.map(serializePrice) };
  }),
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
    scope: scopeOf(caller),
    token_type: 'Bearer' as const,
    expires_in: unixSeconds(caller.token.expiresAt) - unixSeconds(tools.wall.now()),
    client_id: caller.token.clientId,
    access: caller.readOnly ? ('read_only' as const) : ('full' as const),
  })),
  ...onlyFor<Merchant>(requireMarketplace, [
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { list, ...where } = await listOwnSellers(tools, caller, query);
      return { result: success, requestId, list: list.map(serializeSeller), ...where };
    }),
    on(listPointsOfSale, async ({ caller, requestId }) => {
      return { result: success, requestId, list: (await listPos(tools.db.sql, caller.id)).map(serializePos) };
    }),
    on(
      createEndpoint,
      async ({ caller, body, requestId, run }) => {
        const details = { ...readSeller(body), name: body.name, email: body.email };
        const seller = await createSeller(tools, caller, details, run.once);
        return { result: success, requestId, ...serializeSeller(seller) };
      },
      channelFaults,
    ),
    on(getEndpoint, async ({ caller, params, requestId }) => {
      const seller = await showSeller(tools, caller, sellerIdOf(params.accountId));
      return { result: success, requestId, ...serializeSeller(seller) };
    }),
    on(
      changeEndpoint,
      async ({ caller, params, body, requestId, run }) => {
        const seller = await changeSeller(tools, caller, sellerIdOf(params.accountId), readSeller(body), run.once);
        return { result: success, requestId, ...serializeSeller(seller) };
      },
      channelFaults,
    ),
  ]),
];

import { getCardKey } from '../../contract/cards.ts';
import { type Caller, on, type Route } from '../http/index.ts';
import type { CardKeys } from './keys.ts';

export const cardRoutes = <C extends Caller>(keys: CardKeys): Route<C>[] => [
  on(getCardKey, async ({ requestId }) => ({
    result: 'success' as const,
    requestId,
    keyId: keys.keyId,
    algorithm: 'RSA-OAEP-256' as const,
    publicKey: keys.publicPem,
  })),
];

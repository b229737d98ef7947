import { getCardKey } from '../../contract/cards.ts';
import { type Caller, on, type Route } from '../http/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { cardNumbersNotTaken } from './failures.ts';
import type { CardKeys } from './keys.ts';

/**
 * Whether any acquirer takes card numbers that payers type into merchants' own fields. If none does, no merchant gets
 * the key.
 */
function takeNumbers({ list }: Tools['acquirers']): boolean {
  return list.some(
    ({ takesNew, acquirer: { offers } }) =>
      takesNew && (offers?.some(({ method, fields }) => method === 'card' && fields === 'own') ?? true),
  );
}

export const cardRoutes = <C extends Caller>({ acquirers }: Pick<Tools, 'acquirers'>, keys: CardKeys): Route<C>[] => [
  on(getCardKey, async ({ requestId }) => {
    if (!takeNumbers(acquirers)) refuse(cardNumbersNotTaken);
    return {
      result: 'success' as const,
      requestId,
      keyId: keys.keyId,
      algorithm: 'RSA-OAEP-256' as const,
      publicKey: keys.publicPem,
    };
  }),
];

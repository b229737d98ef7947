import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import type { Detail } from '../transactions/status.tsx';
import { marketText } from './words.ts';

/** The transaction as its own screen has it: with names, disputes, and what can still be refunded. */
export function useDetail(transactionId: string): Detail | undefined {
  return useQuery(read('GET /panel/api/transactions/{transactionId}', { params: { transactionId } })).data;
}

/** The names of the sellers of a transaction and of the partner; ids until they are known. */
export function useSellerNames(transactionId: string): (id: string) => string {
  const t = useText(marketText);
  const { account } = useSession();
  const names = new Map(useDetail(transactionId)?.parts.map(({ sellerId, sellerName }) => [sellerId, sellerName]));
  return (id) => names.get(id) ?? (id === account?.id ? t('you') : id);
}

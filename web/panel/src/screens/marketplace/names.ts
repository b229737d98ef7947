import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import { marketText } from './words.ts';

/** The names of the sellers of a transaction and of the partner; ids until they are known. */
export function useSellerNames(transactionId: string): (id: string) => string {
  const t = useText(marketText);
  const { account } = useSession();
  const { data } = useQuery(read('GET /panel/api/transactions/{transactionId}', { params: { transactionId } }));
  const names = new Map(data?.parts.map(({ sellerId, sellerName }) => [sellerId, sellerName]));
  return (id) => names.get(id) ?? (id === account?.id ? t('you') : id);
}

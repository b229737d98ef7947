import { useText } from '../../language/text.ts';
import { Status } from '../../ui/status.tsx';
import { sellerText } from './words.ts';

export function SellerStatus({ status }: { readonly status: 'active' | 'blocked' }) {
  const t = useText(sellerText);
  return <Status tone={status === 'active' ? 'good' : 'bad'}>{t(status)}</Status>;
}

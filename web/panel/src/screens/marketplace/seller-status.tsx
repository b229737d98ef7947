import { sellerText } from '../../i18n/sellers.ts';
import { useText } from '../../i18n/text.ts';
import { Status } from '../../ui/status.tsx';

export function SellerStatus({ status }: { readonly status: 'active' | 'blocked' }) {
  const t = useText(sellerText);
  return <Status tone={status === 'active' ? 'good' : 'bad'}>{t(status)}</Status>;
}

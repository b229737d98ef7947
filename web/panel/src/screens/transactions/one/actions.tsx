import { useMay } from '../../../api/session.ts';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { RefundOrCancel } from '../../../ui/refund-or-cancel/refund-or-cancel.tsx';
import type { Detail } from '../status.tsx';
import { RefundDialog } from './refund.tsx';
import { oneTransactionText } from './words.ts';

interface Props {
  readonly transaction: Detail['transaction'];
}

export function Actions({ transaction }: Props) {
  const mayWrite = useMay('write');
  if (transaction.origin === 'marketplace') return <InMarketplace transaction={transaction} />;
  return mayWrite ? <Buttons transaction={transaction} /> : null;
}

/** There the sellers' shares are known. */
function InMarketplace({ transaction: { transactionId } }: Props) {
  const t = useText(oneTransactionText);
  if (!useMay('marketplace')) return null;
  return (
    <ButtonLink to={`/marketplace/transactions/${transactionId}`} variant="default">
      {t('inMarketplace')}
    </ButtonLink>
  );
}

function Buttons({ transaction }: Props) {
  const { transactionId, amount, currency, refundable, cancelable } = transaction;
  return (
    <RefundOrCancel
      // A question about one transaction must not stay for another.
      key={transactionId}
      transactionId={transactionId}
      endpoint="POST /transactions/{transactionId}/cancel"
      amount={useFormat().amount(amount, currency)}
      refundable={refundable > 0}
      cancelable={cancelable}
      refundDialog={(onClose) => <RefundDialog transaction={transaction} onClose={onClose} />}
    />
  );
}

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callWith } from '../../api/client.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { commonText } from '../../i18n/common.ts';
import { useFormat } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { oneTransactionText } from '../../i18n/transaction.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useTell } from '../../ui/failed.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { RefundDialog } from './refund.tsx';
import type { Detail } from './status.tsx';

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
  const t = useText(oneTransactionText);
  const [dialog, setDialog] = useState<'refund' | 'cancel'>();
  const props = { transaction, onClose: () => setDialog(undefined) };
  return (
    <>
      {transaction.refundable > 0 ? <Button onClick={() => setDialog('refund')}>{t('refundThis')}</Button> : null}
      {transaction.cancelable ? (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {t('cancelThis')}
        </Button>
      ) : null}
      {dialog === 'refund' ? <RefundDialog {...props} /> : null}
      {dialog === 'cancel' ? <Cancel {...props} /> : null}
    </>
  );
}

function Cancel({ transaction, onClose }: Props & { readonly onClose: () => void }) {
  const t = useText(oneTransactionText);
  const common = useText(commonText);
  const client = useQueryClient();
  const tell = useTell();
  const keyOf = useKeys();
  const { transactionId, amount, currency } = transaction;
  const exact = useFormat().amount(amount, currency);
  async function send(): Promise<void> {
    const key = { idempotencyKey: keyOf('cancel') };
    await callWith(key, 'POST /transactions/{transactionId}/cancel', { params: { transactionId } });
    await client.invalidateQueries();
    tell.done(t('canceledDone'));
  }
  return (
    <Confirm
      title={t('cancelTitle', { amount: exact })}
      submit={t('cancelYes')}
      danger
      keep={common('close')}
      onClose={onClose}
      send={send}
    >
      {t('cancelHint')}
    </Confirm>
  );
}

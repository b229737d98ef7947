// The two things that can be done with a transaction, each in a dialog. Canceling is the same for every kind of
// transaction; each kind has its own dialog for refunds.

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callWith } from '../../api/client.ts';
import { useKeys } from '../../api/key.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../confirm.tsx';
import { useNotify } from '../failed/failed.tsx';
import { commonText } from '../words.ts';
import { refundOrCancelText } from './words.ts';

interface CancelProps {
  readonly transactionId: string;
  readonly endpoint:
    | 'POST /transactions/{transactionId}/cancel'
    | 'POST /marketplace/v1/transaction/{transactionId}/cancel';
  /** Exact, with its currency. */
  readonly amount: string;
}

interface Props extends CancelProps {
  readonly refundable: boolean;
  readonly cancelable: boolean;
  readonly refundDialog: (onClose: () => void) => ReactNode;
}

export function RefundOrCancel({ refundable, cancelable, refundDialog, ...cancel }: Props) {
  const t = useText(refundOrCancelText);
  const [dialog, setDialog] = useState<'refund' | 'cancel'>();
  const onClose = () => setDialog(undefined);
  return (
    <>
      {refundable ? <Button onClick={() => setDialog('refund')}>{t('refundThis')}</Button> : null}
      {cancelable ? (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {t('cancelThis')}
        </Button>
      ) : null}
      {dialog === 'refund' ? refundDialog(onClose) : null}
      {dialog === 'cancel' ? <Cancel {...cancel} onClose={onClose} /> : null}
    </>
  );
}

function Cancel({ transactionId, endpoint, amount, onClose }: CancelProps & { readonly onClose: () => void }) {
  const t = useText(refundOrCancelText);
  const common = useText(commonText);
  const client = useQueryClient();
  const notify = useNotify();
  const keyOf = useKeys();
  async function send(): Promise<void> {
    await callWith({ idempotencyKey: keyOf('cancel') }, endpoint, { params: { transactionId } });
    await client.invalidateQueries();
    notify.done(t('canceledDone'));
  }
  return (
    <Confirm
      title={t('cancelTitle', { amount })}
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

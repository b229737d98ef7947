import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { refundText } from './words.ts';

export type Refund = Answer<'GET /refunds/{refundId}'>;
export type RefundState = Refund['status'];

const tones: Readonly<Record<RefundState, Tone>> = {
  New: 'info',
  Pending: 'info',
  Cancel: 'plain',
  Hold: 'wait',
  Done: 'good',
  Processed: 'good',
  BLIK_pending: 'info',
  BLIK_processed: 'good',
  BLIK_incorrect: 'bad',
};

export function RefundStatus({ status }: { readonly status: RefundState }) {
  const t = useText(refundText);
  return <Status tone={tones[status]}>{t(status)}</Status>;
}

/** Whether it ended without the payer getting the money. */
export function hasNoMoney(status: RefundState): boolean {
  return status === 'Cancel' || status === 'BLIK_incorrect';
}

/** Whether something will still happen to it by itself. */
export function isMoving(status: RefundState): boolean {
  return ['New', 'Pending', 'Processed', 'BLIK_pending'].includes(status);
}

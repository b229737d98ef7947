import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { transactionText } from './words.ts';

export type Row = Answer<'GET /panel/api/transactions'>['transactions'][number];
export type Detail = Answer<'GET /panel/api/transactions/{transactionId}'>;
type Mark = Row['status'] | 'declined' | 'partly';

const tones: Readonly<Record<Mark, Tone>> = {
  pending: 'info',
  declined: 'bad',
  paid: 'good',
  partly: 'wait',
  refund: 'plain',
  canceled: 'plain',
};

function markOf({ status, paymentStatus, refunded }: Pick<Row, 'status' | 'paymentStatus' | 'refunded'>): Mark {
  if (status === 'pending' && paymentStatus === 'declined') return 'declined';
  return status === 'paid' && refunded > 0 ? 'partly' : status;
}

export function TransactionStatus({ of }: { readonly of: Pick<Row, 'status' | 'paymentStatus' | 'refunded'> }) {
  const t = useText(transactionText);
  const mark = markOf(of);
  return <Status tone={tones[mark]}>{t(mark)}</Status>;
}

import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { marketText } from './words.ts';

export type MarketTransaction = Answer<'GET /marketplace/v1/transaction/{transactionId}'>;
export type Child = MarketTransaction['childTransactions'][number];
export type State = MarketTransaction['status'];

type Mark = State | 'partly';

const tones: Readonly<Record<Mark, Tone>> = {
  pending: 'info',
  paid: 'good',
  partly: 'wait',
  refund: 'plain',
  canceled: 'plain',
};

/** As among all transactions, where it is known: one that was refunded in part is paid to the API. */
export function StateMark({ status, refunded = 0 }: { readonly status: State; readonly refunded?: number }) {
  const t = useText(marketText);
  const mark = status === 'paid' && refunded > 0 ? 'partly' : status;
  return <Status tone={tones[mark]}>{t(mark)}</Status>;
}

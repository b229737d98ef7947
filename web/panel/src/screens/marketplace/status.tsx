import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { marketText } from './words.ts';

export type MarketTransaction = Answer<'GET /marketplace/v1/transaction/{transactionId}'>;
export type Child = MarketTransaction['childTransactions'][number];
export type State = MarketTransaction['status'];

const tones: Readonly<Record<State, Tone>> = { pending: 'info', paid: 'good', refund: 'wait', canceled: 'plain' };

export function StateMark({ status }: { readonly status: State }) {
  const t = useText(marketText);
  return <Status tone={tones[status]}>{t(status)}</Status>;
}

import type { Answer } from '../../api/endpoints.ts';
import { marketText } from '../../i18n/marketplace.ts';
import { useText } from '../../i18n/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';

export type MarketTransaction = Answer<'GET /marketplace/v1/transaction/{transactionId}'>;
export type Child = MarketTransaction['childTransactions'][number];
export type State = MarketTransaction['status'];

export const states = ['pending', 'paid', 'refund', 'canceled'] as const satisfies readonly State[];

const tones: Readonly<Record<State, Tone>> = { pending: 'info', paid: 'good', refund: 'wait', canceled: 'plain' };

export function StateMark({ status }: { readonly status: State }) {
  const t = useText(marketText);
  return <Status tone={tones[status]}>{t(status)}</Status>;
}

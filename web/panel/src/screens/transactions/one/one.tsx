import { useQuery } from '@tanstack/react-query';
import { usePathPart } from '../../../address.ts';
import { read } from '../../../api/client.ts';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { TextLink } from '../../../ui/link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page, Section } from '../../../ui/page.tsx';
import { Note } from '../../../ui/status.tsx';
import { isMoving, type RefundState } from '../../refunds/status.tsx';
import { PaymentLink } from '../new/payment-link.tsx';
import { newPaymentText } from '../new/words.ts';
import { type Detail, TransactionStatus } from '../status.tsx';
import { transactionText } from '../words.ts';
import { Actions } from './actions.tsx';
import { Details } from './details.tsx';
import { DisputeNotes } from './dispute-notes.tsx';
import { Disputes } from './disputes.tsx';
import { Parts, Refunds } from './money.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { oneTransactionText } from './words.ts';

/** While something still happens to it. */
const refreshMilliseconds = 3_000;

/** Whether a payer, the bank or a notification is about to change something. */
function isOpen({ transaction, attempts, refunds, notifications }: Detail): boolean {
  return (
    transaction.cancelable ||
    attempts.some(({ state }) => ['sent', 'waiting', 'unknown'].includes(state)) ||
    refunds.some(({ status }) => isMoving(status as RefundState)) ||
    notifications.some(({ status, tries }) => status === 'pending' && tries.length === 0)
  );
}

export default function OneTransaction() {
  const transactionId = usePathPart('transactionId');
  const found = useQuery({
    ...read('GET /panel/api/transactions/{transactionId}', { params: { transactionId } }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? refreshMilliseconds : false),
  });
  return <Loaded query={found}>{(data) => <Shown detail={data} />}</Loaded>;
}

function Shown({ detail }: { readonly detail: Detail }) {
  const t = useText(oneTransactionText);
  const list = useText(transactionText);
  const format = useFormat();
  const { transaction } = detail;
  const { title, amount, currency, origin } = transaction;
  return (
    <Page
      title={`${title} · ${format.amount(amount, currency)}`}
      mark={<TransactionStatus of={transaction} />}
      about={
        <TextLink to="/transactions" size="sm">
          {list('all')}
        </TextLink>
      }
      actions={<Actions transaction={transaction} />}
    >
      <DisputeNotes detail={detail} />
      {origin === 'marketplace' ? <Note tone="info">{t('marketNote')}</Note> : null}
      <Details detail={detail} />
      {transaction.cancelable ? <Link detail={detail} /> : null}
      <Parts detail={detail} />
      <Refunds detail={detail} />
      <Disputes detail={detail} />
      <Timeline detail={detail} />
    </Page>
  );
}

function Link({ detail: { transaction } }: { readonly detail: Detail }) {
  const t = useText(oneTransactionText);
  const link = useText(newPaymentText);
  const { transactionPaymentUrl, amount, currency, description, payerEmail } = transaction;
  return (
    <Section title={link('link')} about={t('linkAbout')}>
      <PaymentLink
        url={transactionPaymentUrl}
        amount={amount}
        currency={currency}
        description={description}
        email={payerEmail}
      />
    </Section>
  );
}

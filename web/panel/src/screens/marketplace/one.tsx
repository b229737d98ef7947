import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePathPart } from '../../address.ts';
import { read } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { useCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Facts, Id } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { RefundOrCancel } from '../../ui/refund-or-cancel/refund-or-cancel.tsx';
import { DisputeNotes } from '../transactions/one/dispute-notes.tsx';
import { Disputes } from '../transactions/one/disputes.tsx';
import type { Detail } from '../transactions/status.tsx';
import { Children } from './children.tsx';
import { useDetail } from './names.ts';
import { RefundDialog } from './refund.tsx';
import { Refunds } from './refunds.tsx';
import { type MarketTransaction, StateMark } from './status.tsx';
import { marketText } from './words.ts';

export default function OneMarketTransaction() {
  const transactionId = usePathPart('transactionId');
  const found = useQuery(read('GET /marketplace/v1/transaction/{transactionId}', { params: { transactionId } }));
  return <Loaded query={found}>{(data) => <Shown transaction={data} />}</Loaded>;
}

function refundedOf({ childTransactions }: MarketTransaction): number {
  return childTransactions.reduce((sum, { refunded }) => sum + refunded, 0);
}

interface Props {
  readonly transaction: MarketTransaction;
}

function Shown({ transaction }: Props) {
  const t = useText(marketText);
  const cents = useCents();
  const detail = useDetail(transaction.transactionId);
  return (
    <Page
      title={`${transaction.title} · ${cents(transaction.amount, transaction.currency)}`}
      mark={<StateMark status={transaction.status} refunded={refundedOf(transaction)} />}
      about={
        <TextLink to="/marketplace/transactions" size="sm">
          {t('all')}
        </TextLink>
      }
      actions={useMay('write') ? <Actions transaction={transaction} detail={detail} /> : null}
    >
      {detail ? <DisputeNotes detail={detail} /> : null}
      <Details transaction={transaction} />
      <Children transaction={transaction} />
      <Refunds transaction={transaction} />
      {detail ? <Disputes detail={detail} /> : null}
    </Page>
  );
}

function Details({ transaction }: Props) {
  const t = useText(marketText);
  const list = useText(listText);
  const format = useFormat();
  const { transactionId, description, hiddenDescription, billingAddress, date, paymentUrl, status } = transaction;
  const payable = status === 'pending' && paymentUrl;
  return (
    <Section title={t('details')}>
      <Facts
        facts={[
          { label: list('description'), value: description },
          { label: t('reference'), value: hiddenDescription },
          { label: list('payer'), value: billingAddress.name },
          { label: list('payerEmail'), value: billingAddress.email },
          { label: t('created'), value: format.local(date.creation) },
          { label: t('paidAt'), value: date.realization ? format.local(date.realization) : '' },
          { label: list('id'), value: <Id text={transactionId} /> },
          {
            label: t('payPage'),
            value: payable ? (
              <Anchor href={paymentUrl} target="_blank" rel="noreferrer" size="sm">
                {t('open')}
              </Anchor>
            ) : null,
          },
        ]}
      />
      <TextLink to={`/transactions/${transactionId}`} size="sm">
        {t('everything')}
      </TextLink>
    </Section>
  );
}

/** What payers dispute cannot be refunded, so the detail says whether anything can. */
function Actions({ transaction, detail }: Props & { readonly detail: Detail | undefined }) {
  const { transactionId, amount, currency, status } = transaction;
  const { refundable = 0, disputed = 0 } = detail?.transaction ?? {};
  return (
    <RefundOrCancel
      // A question about one transaction must not stay for another.
      key={transactionId}
      transactionId={transactionId}
      endpoint="POST /marketplace/v1/transaction/{transactionId}/cancel"
      amount={useCents()(amount, currency)}
      refundable={status === 'paid' && refundable > 0}
      cancelable={status === 'pending'}
      refundDialog={(onClose) => (
        <RefundDialog transaction={transaction} left={{ refundable, disputed }} onClose={onClose} />
      )}
    />
  );
}

import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { useChannelName } from '../../../ui/channels/channels.ts';
import { type Fact, Facts, Id } from '../../../ui/facts.tsx';
import { TextLink } from '../../../ui/link.tsx';
import { listText } from '../../../ui/list/words.ts';
import { Section } from '../../../ui/page.tsx';
import type { Detail } from '../status.tsx';
import { transactionText } from '../words.ts';
import { oneTransactionText } from './words.ts';

export function Details({ detail }: { readonly detail: Detail }) {
  const t = useText(oneTransactionText);
  return (
    <Section title={t('details')}>
      <Facts facts={[...usePaymentFacts(detail), ...usePayerFacts(detail), ...useOtherFacts(detail)]} />
    </Section>
  );
}

function usePaymentFacts({ transaction }: Detail): Fact[] {
  const t = useText(oneTransactionText);
  const words = useText(transactionText);
  const list = useText(listText);
  const format = useFormat();
  const channelName = useChannelName();
  const { currency, amountPaid, refunded, refundable, disputed, channelId, paidAt } = transaction;
  const sum = (amount: number) => (amount > 0 ? format.amount(amount, currency) : '');
  return [
    { label: list('description'), value: transaction.description },
    { label: t('reference'), value: transaction.hiddenDescription },
    { label: t('amountPaid'), value: sum(amountPaid) },
    { label: t('refunded'), value: sum(refunded) },
    { label: t('disputed'), value: sum(disputed) },
    { label: t('refundable'), value: sum(refundable) },
    { label: words('method'), value: channelId === null ? '' : channelName(channelId) },
    { label: words('created'), value: format.dateTime(transaction.createdAt) },
    { label: words('paidAt'), value: paidAt ? format.dateTime(paidAt) : '' },
  ];
}

function usePayerFacts({ transaction }: Detail): Fact[] {
  const t = useText(oneTransactionText);
  const list = useText(listText);
  const { phone, address, postalCode, city, taxId } = transaction.payer;
  const place = [postalCode, city].filter(Boolean).join(' ');
  return [
    { label: list('payer'), value: transaction.payerName },
    { label: list('payerEmail'), value: transaction.payerEmail },
    { label: t('phone'), value: phone },
    { label: t('address'), value: [address, place].filter(Boolean).join(', ') },
    { label: t('taxId'), value: taxId },
  ];
}

function useOtherFacts({ transaction, recurring }: Detail): Fact[] {
  const t = useText(oneTransactionText);
  const list = useText(listText);
  return [
    { label: t('pos'), value: transaction.posName },
    { label: t('notifyUrl'), value: transaction.notificationUrl },
    {
      label: t('recurring'),
      value: recurring ? (
        <TextLink to={`/recurring/${recurring.recurringId}`} size="sm">
          {t('iteration', { description: recurring.description, number: recurring.iteration })}
        </TextLink>
      ) : null,
    },
    { label: list('id'), value: <Id text={transaction.transactionId} /> },
  ];
}

import { Anchor, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePathPart } from '../../address.ts';
import { callWith, read } from '../../api/client.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { useCents } from '../../i18n/cents.ts';
import { commonText } from '../../i18n/common.ts';
import { useFormat } from '../../i18n/format.ts';
import { listText } from '../../i18n/list.ts';
import { marketText } from '../../i18n/marketplace.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useTell } from '../../ui/failed.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Children } from './children.tsx';
import { RefundDialog } from './refund.tsx';
import { Refunds } from './refunds.tsx';
import { type MarketTransaction, StateMark } from './status.tsx';

export default function OneMarketTransaction() {
  const transactionId = usePathPart('transactionId');
  const found = useQuery(read('GET /marketplace/v1/transaction/{transactionId}', { params: { transactionId } }));
  return <Loaded query={found}>{(data) => <Shown transaction={data} />}</Loaded>;
}

interface Props {
  readonly transaction: MarketTransaction;
}

function Shown({ transaction }: Props) {
  const t = useText(marketText);
  const cents = useCents();
  return (
    <Page
      title={`${transaction.title} · ${cents(transaction.amount, transaction.currency)}`}
      mark={<StateMark status={transaction.status} />}
      about={
        <TextLink to="/marketplace/transactions" size="sm">
          {t('all')}
        </TextLink>
      }
      actions={useMay('write') ? <Actions transaction={transaction} /> : null}
    >
      <Details transaction={transaction} />
      <Children transaction={transaction} />
      <Refunds transaction={transaction} />
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

function Actions({ transaction }: Props) {
  const t = useText(marketText);
  const [dialog, setDialog] = useState<'refund' | 'cancel'>();
  const props = { transaction, onClose: () => setDialog(undefined) };
  const { status } = transaction;
  return (
    <>
      {status === 'paid' ? <Button onClick={() => setDialog('refund')}>{t('refundThis')}</Button> : null}
      {status === 'pending' ? (
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
  const t = useText(marketText);
  const common = useText(commonText);
  const client = useQueryClient();
  const tell = useTell();
  const keyOf = useKeys();
  const { transactionId, amount, currency } = transaction;
  const exact = useCents()(amount, currency);
  async function send(): Promise<void> {
    const key = { idempotencyKey: keyOf('cancel') };
    await callWith(key, 'POST /marketplace/v1/transaction/{transactionId}/cancel', { params: { transactionId } });
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

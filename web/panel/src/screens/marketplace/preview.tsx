import { Stack, Text, Title } from '@mantine/core';
import type { Answer } from '../../api/endpoints.ts';
import { useCents } from '../../language/cents.ts';
import { useText } from '../../language/text.ts';
import { Facts } from '../../ui/facts.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { useSellerNames } from './names.ts';
import type { MarketTransaction } from './status.tsx';
import { marketText } from './words.ts';

type Refunded = Answer<'POST /marketplace/v1/transaction/{transactionId}/refund'>;
type Part = NonNullable<Refunded['preview']>['childTransactions'][number];
type Balance = NonNullable<Refunded['preview']>['balances'][number];

interface PreviewProps {
  readonly transaction: MarketTransaction;
  readonly answer: Refunded;
}

/** What a refund would do, as the service says. */
export function Preview({ transaction, answer: { amount, preview } }: PreviewProps) {
  const t = useText(marketText);
  const list = useText(listText);
  const money = useCents();
  const nameOf = useSellerNames(transaction.transactionId);
  const cents = (value: number) => money(value, transaction.currency);
  const parts: readonly Column<Part>[] = [
    { key: 'seller', label: t('seller'), lead: true, cell: ({ merchantId }) => nameOf(merchantId) },
    { key: 'amount', label: list('amount'), align: 'end', cell: (part) => cents(part.amount) },
    { key: 'fee', label: t('fee'), align: 'end', cell: ({ fee }) => cents(fee) },
    {
      key: 'commission',
      label: t('commissionReturned'),
      align: 'end',
      cell: ({ commissionReturned }) => cents(commissionReturned),
    },
  ];
  const balances: readonly Column<Balance>[] = [
    { key: 'seller', label: t('seller'), lead: true, cell: ({ merchantId }) => nameOf(merchantId) },
    { key: 'before', label: t('before'), align: 'end', cell: ({ before }) => cents(before) },
    { key: 'after', label: t('after'), align: 'end', cell: ({ after }) => <strong>{cents(after)}</strong> },
  ];
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {t('previewAbout')}
      </Text>
      <Facts facts={[{ label: t('payerGets'), value: <strong>{cents(amount)}</strong> }]} />
      {preview ? (
        <>
          <Table label={t('preview')} columns={parts} rows={preview.childTransactions} keyOf={({ id }) => id} />
          <Title order={3}>{t('balances')}</Title>
          <Table label={t('balances')} columns={balances} rows={preview.balances} keyOf={(one) => one.merchantId} />
        </>
      ) : null}
    </Stack>
  );
}

// The parts of a transaction: what each seller gets, and its products.

import { Stack, Text, Title } from '@mantine/core';
import { useCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Section } from '../../ui/page.tsx';
import { useSellerNames } from './names.ts';
import type { Child, MarketTransaction } from './status.tsx';
import { marketText } from './words.ts';

export function Children({ transaction }: { readonly transaction: MarketTransaction }) {
  const t = useText(marketText);
  const nameOf = useSellerNames(transaction.transactionId);
  return (
    <Section title={t('children')} about={t('childAbout')}>
      <Stack gap="xl">
        {transaction.childTransactions.map((child) => (
          <OneChild key={child.id} child={child} currency={transaction.currency} name={nameOf(child.merchant.id)} />
        ))}
      </Stack>
    </Section>
  );
}

interface ChildProps {
  readonly child: Child;
  readonly currency: string;
  readonly name: string;
}

function OneChild({ child, currency, name }: ChildProps) {
  const t = useText(marketText);
  const list = useText(listText);
  const cents = useCents();
  return (
    <Stack gap="sm" component="article">
      <Title order={3}>
        <TextLink to={`/marketplace/sellers/${child.merchant.id}`} inherit>
          {name}
        </TextLink>
      </Title>
      <Facts
        facts={[
          { label: list('amount'), value: <strong>{cents(child.amount, currency)}</strong> },
          { label: list('description'), value: child.description },
          { label: t('reference'), value: child.hiddenDescription },
          { label: t('fee'), value: cents(child.fee, currency) },
          { label: t('commission'), value: cents(child.commission, currency) },
          { label: t('refunded'), value: cents(child.refunded, currency) },
          {
            label: t('commissionReturned'),
            value: child.commissionReturned > 0 ? cents(child.commissionReturned, currency) : '',
          },
        ]}
      />
      {child.products.length > 0 ? (
        <Products child={child} currency={currency} name={name} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('noProducts')}
        </Text>
      )}
    </Stack>
  );
}

function Products({ child, currency, name }: ChildProps) {
  const t = useText(marketText);
  const format = useFormat();
  const cents = useCents();
  const isRefunded = child.refunded >= child.amount;
  const rows = child.products.map((product, index) => ({ ...product, index }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { key: 'name', label: t('product'), lead: true, cell: (product) => product.name || product.externalId },
    { key: 'id', label: t('productId'), cell: ({ externalId }) => <span className="mono">{externalId}</span> },
    { key: 'price', label: t('unitPrice'), align: 'end', cell: ({ unitPrice }) => cents(unitPrice, currency) },
    { key: 'quantity', label: t('quantity'), align: 'end', cell: ({ quantity }) => format.number(quantity) },
    {
      key: 'refunded',
      label: t('refundedQuantity'),
      align: 'end',
      // A refund of a whole part names no products.
      cell: ({ quantity, refundedQuantity }) => format.number(isRefunded ? quantity : refundedQuantity),
    },
  ];
  return <Table label={t('products', { name })} columns={columns} rows={rows} keyOf={({ index }) => String(index)} />;
}

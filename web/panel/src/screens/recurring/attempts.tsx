// Every attempt, the newest first.

import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../api/client.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import { type Attempt, AttemptStatus, type Recurring } from './status.tsx';
import { recurringText } from './words.ts';

/** While one is in progress. */
const refreshMilliseconds = 3_000;
const shownAtFirst = 30;

interface Props {
  readonly recurring: Recurring;
}

export function Attempts({ recurring }: Props) {
  const t = useText(recurringText);
  const { id: recurringId } = recurring;
  const attempts = useQuery({
    ...read('GET /recurring/{recurringId}/transactions', { params: { recurringId } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? refreshMilliseconds : false,
  });
  return (
    <Section title={t('attempts')}>
      <Loaded query={attempts} lines={3}>
        {({ items }) =>
          items.length > 0 ? (
            <AttemptTable recurring={recurring} items={items.toReversed()} />
          ) : (
            <Text size="sm">{t('noAttempts')}</Text>
          )
        }
      </Loaded>
    </Section>
  );
}

function AttemptTable({ recurring, items }: Props & { readonly items: readonly Attempt[] }) {
  const t = useText(recurringText);
  const list = useText(listText);
  const common = useText(commonText);
  const format = useFormat();
  const { amount, currency } = recurring.schedule;
  const [shown, setShown] = useState(shownAtFirst);
  const columns: readonly Column<Attempt>[] = [
    {
      key: 'date',
      label: list('date'),
      lead: true,
      cell: ({ transactionId, createdAt }) => (
        <TextLink to={`/transactions/${transactionId}`} size="sm">
          {format.dateTime(createdAt)}
        </TextLink>
      ),
    },
    // All charges of a recurring payment have its amount.
    { key: 'amount', label: list('amount'), align: 'end', cell: () => format.amount(amount, currency) },
    { key: 'status', label: list('status'), cell: ({ status }) => <AttemptStatus status={status} /> },
    { key: 'iteration', label: t('charge'), align: 'end', cell: ({ iterationCount }) => iterationCount },
    { key: 'attempt', label: t('attempt'), align: 'end', cell: ({ iterationAttemptCount }) => iterationAttemptCount },
    { key: 'reason', label: t('reason'), cell: ({ reason }) => (reason ? t(reason) : '') },
  ];
  return (
    <>
      <Table
        label={t('attempts')}
        columns={columns}
        rows={items.slice(0, shown)}
        keyOf={({ transactionId }) => transactionId}
        links
      />
      {items.length > shown ? (
        <Button variant="default" onClick={() => setShown(shown * 2)}>
          {common('more')}
        </Button>
      ) : null}
    </>
  );
}

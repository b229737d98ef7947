// Transactions in the palette: what the service finds for the text.

import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { read } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useFormat } from '../language/format.ts';
import { useText } from '../language/text.ts';
import { shellText } from './words.ts';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly onClick: () => void;
  readonly leftSection?: ReactNode;
  readonly rightSection?: ReactNode;
}

const searchedFrom = 3;
const typingMilliseconds = 200;
const shownAtMost = 5;

export function useFound(query: string): Command[] {
  const t = useText(shellText);
  const format = useFormat();
  const navigate = useNavigate();
  const session = useSession();
  const [q] = useDebouncedValue(query, typingMilliseconds);
  const enabled = session.account !== null && query.length >= searchedFrom;
  const { data } = useQuery({
    ...read('GET /panel/api/transactions', { query: { q, limit: shownAtMost } }),
    enabled: enabled && q.length >= searchedFrom,
    placeholderData: keepPreviousData,
  });
  if (!enabled) return [];
  const rows = data?.transactions ?? [];
  return [
    // First, so that what is marked stays marked when results arrive.
    {
      id: 'find',
      label: t('findTransactions', { query }),
      onClick: () => void navigate({ to: '/transactions', search: { q: query } as never }),
      leftSection: <IconSearch size={18} stroke={1.75} aria-hidden="true" />,
    },
    ...rows.map(({ transactionId, title, description, amount, currency }) => ({
      id: transactionId,
      label: title,
      description,
      onClick: () => void navigate({ to: `/transactions/${transactionId}` }),
      leftSection: <IconListDetails size={18} stroke={1.75} aria-hidden="true" />,
      rightSection: (
        <Text size="sm" className="numeric">
          {format.amount(amount, currency)}
        </Text>
      ),
    })),
  ];
}

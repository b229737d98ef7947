// Leafing through a list that the service gives in pages.

import { Button, Group, Text } from '@mantine/core';
import { useText } from '../../language/text.ts';
import { listText } from './words.ts';

interface PagesProps {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly open: (page: number) => void;
}

/** Nothing if everything is on one page. */
export function Pages({ page, limit, total, open }: PagesProps) {
  const t = useText(listText);
  const last = Math.max(1, Math.ceil(total / limit));
  return (
    <Group justify="space-between" p="sm" gap="xs" component="nav" aria-label={t('pages')}>
      <Text size="sm" c="dimmed" role="status">
        {t('total', { count: total })}
        {last > 1 ? ` · ${t('pageOf', { page, last })}` : ''}
      </Text>
      {last > 1 ? (
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={page <= 1} onClick={() => open(page - 1)}>
            {t('previous')}
          </Button>
          <Button size="xs" variant="default" disabled={page >= last} onClick={() => open(page + 1)}>
            {t('next')}
          </Button>
        </Group>
      ) : null}
    </Group>
  );
}

// Leafing through a list that is read from the newest on, by a position in the address.

import { Button, Group } from '@mantine/core';
import { useText } from '../../language/text.ts';
import { listText } from './words.ts';

interface OlderProps {
  /** Empty at the newest. */
  readonly before: string;
  readonly nextBefore: string | null | undefined;
  readonly open: (before: string) => void;
}

/** Nothing if everything is on one page. */
export function Older({ before, nextBefore, open }: OlderProps) {
  const t = useText(listText);
  if (!before && !nextBefore) return null;
  return (
    <Group justify="space-between" component="nav" aria-label={t('pages')}>
      <Button variant="default" disabled={!before} onClick={() => open('')}>
        {t('newest')}
      </Button>
      <Button variant="default" disabled={!nextBefore} onClick={() => open(nextBefore ?? '')}>
        {t('older')}
      </Button>
    </Group>
  );
}

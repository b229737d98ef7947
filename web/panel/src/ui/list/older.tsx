// Leafing through a list that is read from the newest on, by a position in the address.

import { Button, Group } from '@mantine/core';
import { useText } from '../../language/text.ts';
import { listText } from './words.ts';

export interface OlderLook {
  /** Small and at the end, inside the card. */
  readonly inside?: boolean;
  /** Also if everything is on one page. */
  readonly always?: boolean;
  readonly newest?: string;
  readonly older?: string;
}

interface OlderProps extends OlderLook {
  /** Empty at the newest. */
  readonly before: string;
  readonly nextBefore: string | number | null | undefined;
  readonly open: (before: string) => void;
}

/** Nothing if everything is on one page. */
export function Older({ before, nextBefore, open, inside = false, always = false, newest, older }: OlderProps) {
  const t = useText(listText);
  if (!before && !nextBefore && !always) return null;
  const layout = inside
    ? ({ justify: 'flex-end', p: 'sm', gap: 'xs' } as const)
    : ({ justify: 'space-between' } as const);
  const button = { variant: 'default', ...(inside ? { size: 'xs' } : {}) } as const;
  return (
    <Group {...layout} component="nav" aria-label={t('pages')}>
      <Button {...button} disabled={!before} onClick={() => open('')}>
        {newest ?? t('newest')}
      </Button>
      <Button {...button} disabled={!nextBefore} onClick={() => open(String(nextBefore ?? ''))}>
        {older ?? t('older')}
      </Button>
    </Group>
  );
}

import { Button, Stack } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError, Offline } from '../api/failure.ts';
import { useText } from '../language/text.ts';
import { Failed } from '../ui/failed/failed.tsx';
import { Page } from '../ui/page.tsx';
import { commonText } from '../ui/words.ts';

/** Instead of a screen that threw: the rest of the panel still works. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const t = useText(commonText);
  const router = useRouter();
  const known = error instanceof ApiError || error instanceof Offline;
  // A screen of an older build may be gone from the server: only loading the page anew helps.
  const again = known ? () => void router.invalidate().then(reset) : () => location.reload();
  return (
    <Page title={t('screenFailed')}>
      <Stack align="flex-start">
        <Failed error={error} />
        <Button onClick={again}>{known ? t('retry') : t('reload')}</Button>
      </Stack>
    </Page>
  );
}

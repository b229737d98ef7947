import { Anchor, Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { viewAs } from '../api/client.ts';
import { ApiError } from '../api/failure.ts';
import { useText } from '../language/text.ts';
import { Failed } from '../ui/failed/failed.tsx';
import { commonText } from '../ui/words.ts';
import { Outside } from './outside.tsx';
import { shellText } from './words.ts';

/** Instead of the whole panel: the session could not be loaded, or the account to look as does not exist. */
export function Unopened({ error }: ErrorComponentProps) {
  const t = useText(shellText);
  const common = useText(commonText);
  if (viewAs !== undefined && error instanceof ApiError && error.status === 404) {
    return (
      <Outside title={common('notFound')} about={t('noSuchAccount')}>
        {/* A full load, without the account in the address. */}
        <Anchor href="/panel/">{common('toOverview')}</Anchor>
      </Outside>
    );
  }
  return (
    <Outside title={common('screenFailed')}>
      <Failed error={error} />
      <Button onClick={() => location.reload()}>{common('reload')}</Button>
    </Outside>
  );
}

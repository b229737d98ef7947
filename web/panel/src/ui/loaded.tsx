// The three states of a query: being loaded, failed, there.

import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../api/failure.ts';
import { useText } from '../language/text.ts';
import { Failed } from './failed/failed.tsx';
import { Missing } from './missing.tsx';
import { commonText } from './words.ts';

/** Gray lines where the content will be. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  const t = useText(commonText);
  return (
    <Stack gap="sm" p="md" aria-busy="true">
      <VisuallyHidden role="status">{t('loading')}</VisuallyHidden>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <Skeleton key={index} height={18} width={`${100 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

/** Of one answer, or of page after page. */
interface Query<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}

/** Shows the data of a query. "Not found" has a screen of its own; other failures can be retried. */
export function Loaded<T>({ query, lines, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    if (query.error instanceof ApiError && query.error.status === 404) return <Missing />;
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  }
  return <Loading {...(lines === undefined ? {} : { lines })} />;
}

// What went wrong, in the user's language where we have a sentence for it.

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { ApiError, Offline } from '../api/failure.ts';
import { commonText } from '../i18n/common.ts';
import { type Translate, useText } from '../i18n/text.ts';
import { Note } from './status.tsx';

function sentenceOf(error: unknown, t: Translate<typeof commonText>): string {
  if (error instanceof Offline) return t('offline');
  if (!(error instanceof ApiError)) return t('unexpected');
  if (error.status === 429) return t('tooMany');
  if (error.status === 403) return t('forbidden');
  if (error.status === 404) return t('notFoundHint');
  return error.message;
}

/** The sentence for an error. */
export function useSentence(): (error: unknown) => string {
  const t = useText(commonText);
  return useCallback((error: unknown) => sentenceOf(error, t), [t]);
}

export function Failed({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useText(commonText);
  const requestId = error instanceof ApiError ? error.requestId : '';
  return (
    <Note tone="bad">
      <Group justify="space-between" gap="sm">
        <div>
          {sentenceOf(error, t)}
          {requestId ? (
            <Text size="xs" className="mono" mt={2}>
              {t('requestId', { id: requestId })}
            </Text>
          ) : null}
        </div>
        {retry ? (
          <Button size="xs" variant="default" onClick={retry}>
            {t('retry')}
          </Button>
        ) : null}
      </Group>
    </Note>
  );
}

/** Tells about the end of something that was asked for. */
export function useTell() {
  const t = useText(commonText);
  const sentence = useSentence();
  return {
    done: (message: string) => notifications.show({ message, color: 'green' }),
    failed: (error: unknown) =>
      notifications.show({ title: t('failed'), message: sentence(error), color: 'red', autoClose: 10_000 }),
  };
}

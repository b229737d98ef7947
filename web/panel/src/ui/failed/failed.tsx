// What went wrong, in the user's language where we have a sentence for it.

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { ApiError, Offline } from '../../api/failure.ts';
import { type Language, translate, useLanguage, useText } from '../../language/text.ts';
import { Note } from '../status.tsx';
import { commonText } from '../words.ts';
import { errorText } from './words.ts';

/** What the service says when a value is wrong and there is nothing more to say about it. */
const nothingMore = 'The value is not valid.';

/** In the user's language, where we know the code; otherwise as the service writes it. */
function sentenceOfCode(language: Language, code: string, message: string): string {
  const sentence = translate(language, errorText, code);
  if (sentence === undefined) return message;
  if (code !== 'not_valid' || message === nothingMore) return sentence;
  return `${sentence} ${message}`;
}

/** The sentences for an error: of the whole, and by field for forms. */
export function useSentences() {
  const t = useText(commonText);
  const language = useLanguage();
  return useMemo(
    () => ({
      whole: (error: unknown): string => {
        if (error instanceof Offline) return t('offline');
        if (!(error instanceof ApiError)) return t('unexpected');
        return sentenceOfCode(language, error.code, error.message);
      },
      fields: (error: unknown): Readonly<Record<string, string>> => {
        const faults = error instanceof ApiError ? error.faults.toReversed() : [];
        return Object.fromEntries(
          faults.flatMap(({ field, code, message }) =>
            field ? [[field, sentenceOfCode(language, code, message)]] : [],
          ),
        );
      },
    }),
    [language, t],
  );
}

export function Failed({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useText(commonText);
  const sentences = useSentences();
  // A refusal explains itself; a failure of the service is found in its log by this.
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : '';
  return (
    <Note tone="bad">
      <Group justify="space-between" gap="sm">
        <div>
          {sentences.whole(error)}
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
export function useNotify() {
  const t = useText(commonText);
  const sentences = useSentences();
  const closeButtonProps = { 'aria-label': t('close') };
  return {
    done: (message: string) => notifications.show({ message, color: 'green', closeButtonProps }),
    failed: (error: unknown) =>
      notifications.show({
        title: t('failed'),
        message: sentences.whole(error),
        color: 'red',
        autoClose: 10_000,
        closeButtonProps,
      }),
  };
}

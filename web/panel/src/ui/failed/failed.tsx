// What went wrong, in the user's language where we have a sentence for it.

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import type { ValueRule } from '../../../../../contract/codes/values.ts';
import { ApiError, type Fault, Offline } from '../../api/failure.ts';
import { useSentence } from '../../language/sentences.ts';
import { type Language, translate, useLanguage, useText } from '../../language/text.ts';
import { Note } from '../status.tsx';
import { commonText } from '../words.ts';
import { valueWords } from './values/sentences.ts';
import { errorText } from './words.ts';

/**
 * In the user's language: what the value must be, else what the code says; as the service writes it where both are
 * unknown.
 */
function sentenceOfFault(language: Language, { code, message, rule }: Fault, ruleText: (rule: ValueRule) => string) {
  if (rule) return ruleText(rule);
  return translate(language, errorText, code) ?? message;
}

/** The sentences for an error: of the whole, and by field for forms. */
export function useSentences() {
  const t = useText(commonText);
  const language = useLanguage();
  const ruleText = useSentence(valueWords);
  return useMemo(
    () => ({
      whole: (error: unknown): string => {
        if (error instanceof Offline) return t('offline');
        if (!(error instanceof ApiError)) return t('unexpected');
        const { code, message, faults, retryAfterSeconds = 0 } = error;
        if (code === 'too_many_requests' && retryAfterSeconds > 90)
          return t('waitMinutes', { count: Math.ceil(retryAfterSeconds / 60) });
        return sentenceOfFault(language, faults[0] ?? { code, message, field: '' }, ruleText);
      },
      fields: (error: unknown): Readonly<Record<string, string>> => {
        const faults = error instanceof ApiError ? error.faults.toReversed() : [];
        return Object.fromEntries(
          faults.flatMap((fault) => (fault.field ? [[fault.field, sentenceOfFault(language, fault, ruleText)]] : [])),
        );
      },
    }),
    [language, t, ruleText],
  );
}

export function Failed({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useText(commonText);
  const sentences = useSentences();
  // A refusal explains itself; a failure of the service is found in its log by this.
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : '';
  // What was asked for is wrong: the same once more is wrong again.
  const again = error instanceof ApiError && error.status === 400 ? undefined : retry;
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
        {again ? (
          <Button size="xs" variant="default" onClick={again}>
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

import type { Answer } from '../../api/endpoints.ts';
import { type Translate, useText } from '../../language/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { recurringText } from './words.ts';

export type Recurring = Answer<'GET /recurring/{recurringId}'>;
export type Attempt = Answer<'GET /recurring/{recurringId}/transactions'>['items'][number];

const tones: Readonly<Record<Recurring['status'], Tone>> = {
  active: 'good',
  finished: 'plain',
  failed: 'bad',
  canceled: 'plain',
};

export function RecurringStatus({ status }: { readonly status: Recurring['status'] }) {
  const t = useText(recurringText);
  return <Status tone={tones[status]}>{t(status)}</Status>;
}

const attempts = {
  pending: { tone: 'info', text: 'attemptPending' },
  correct: { tone: 'good', text: 'attemptCorrect' },
  failed: { tone: 'bad', text: 'attemptFailed' },
  canceled: { tone: 'plain', text: 'attemptCanceled' },
} as const;

export function AttemptStatus({ status }: { readonly status: Attempt['status'] }) {
  const t = useText(recurringText);
  const { tone, text } = attempts[status];
  return <Status tone={tone}>{t(text)}</Status>;
}

export function everyText(
  t: Translate<typeof recurringText>,
  { interval, intervalType }: Pick<Recurring['schedule'], 'interval' | 'intervalType'>,
): string {
  return t(intervalType === 'days' ? 'everyDays' : 'everyMonths', { count: interval });
}

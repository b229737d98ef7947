import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { notificationText } from './words.ts';

export type Listed = Answer<'GET /panel/api/notifications'>['notifications'][number];
export type Notification = Answer<'GET /panel/api/notifications/{eventId}'>['notification'];

const tones: Readonly<Record<Listed['status'], Tone>> = {
  pending: 'info',
  delivered: 'good',
  exhausted: 'bad',
  no_address: 'plain',
};

export function DeliveryStatus({ status }: { readonly status: Listed['status'] }) {
  const t = useText(notificationText);
  return <Status tone={tones[status]}>{t(status)}</Status>;
}

/** Where what a notification is about can be seen. */
export function subjectPath({ type, subjectId }: Pick<Listed, 'type' | 'subjectId'>): string {
  const places = {
    transaction: '/transactions',
    recurring: '/transactions',
    marketplace: '/marketplace/transactions',
    refund: '/refunds',
    dispute: '/disputes',
  } as const;
  return `${places[type]}/${subjectId}`;
}

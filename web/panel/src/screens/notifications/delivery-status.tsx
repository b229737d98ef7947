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

/** Those that are never sent, with an address or without. */
const onlyRead: readonly string[] = ['refund', 'dispute'];

export function isToBeRead({ status, type }: { readonly status: string; readonly type: string }): boolean {
  return status === 'no_address' && onlyRead.includes(type);
}

export function DeliveryStatus({ of }: { readonly of: Pick<Listed, 'status' | 'type'> }) {
  const t = useText(notificationText);
  return <Status tone={tones[of.status]}>{t(isToBeRead(of) ? 'toBeRead' : of.status)}</Status>;
}

/** Where what a notification is about can be seen. */
export function subjectPath({ type, subjectId }: Pick<Listed, 'type' | 'subjectId'>): string {
  const places = {
    transaction: '/transactions',
    recurring: '/transactions',
    marketplace: '/marketplace/transactions',
    refund: '/refunds',
    dispute: '/disputes',
    settlement: '/money/settlements',
    payout: '/money/payouts',
  } as const;
  return `${places[type]}/${subjectId}`;
}

// Notifications on screen, to wire.

import { decimalFromMinor } from '../../kernel/index.ts';
import type { Notification, Subject } from './read.ts';

export function serializeNotification(notification: Notification, subject: Subject | undefined) {
  return {
    ...notification,
    title: subject?.title ?? null,
    amount: subject ? decimalFromMinor(subject.amountMinor) : null,
    currency: subject?.currency ?? null,
    createdAt: notification.createdAt.toString(),
    nextTryAt: notification.nextTryAt?.toString() ?? null,
  };
}

// One happening of the timeline in words. What is not known here is shown as the service names it.

import { isOnlySeen } from '../../../../../../../contract/codes/parking.ts';
import { useKnown, useText } from '../../../../language/text.ts';
import { useChannelName } from '../../../../ui/channels/channels.ts';
import { useDeliveryFault } from '../../../../ui/delivery-fault/delivery-fault.ts';
import { useDisputeReason } from '../../../../ui/dispute-reason.ts';
import { useParkReason } from '../../../../ui/park-reason/park-reason.ts';
import { refundDeclineText } from '../../../../ui/refund-decline/words.ts';
import type { Tone } from '../../../../ui/status.tsx';
import { isToBeRead } from '../../../notifications/delivery-status.tsx';
import { refundText } from '../../../refunds/words.ts';
import type { Detail } from '../../status.tsx';
import { timelineText } from './words.ts';

export type Happening = Detail['timeline'][number];
type Attempt = Detail['attempts'][number];

export interface Words {
  readonly text: string;
  readonly tone: Tone;
  /** What it came to. */
  readonly outcome?: string;
  readonly details?: string;
}

const attemptOutcomes = {
  correct: { tone: 'good', text: 'succeeded' },
  surplus: { tone: 'wait', text: 'surplus' },
  failed: { tone: 'bad', text: 'failed' },
  canceled: { tone: 'plain', text: 'canceled' },
} as const;

const refundTones: Readonly<Record<string, Tone>> = {
  Done: 'good',
  Processed: 'good',
  BLIK_processed: 'good',
  BLIK_incorrect: 'bad',
};
const disputeTones: Readonly<Record<string, Tone>> = { dispute_won: 'good', dispute_lost: 'bad' };
const byWhom = { merchant: 'byMerchant', operator: 'byOperator', bank: 'byBank' } as const;
const deliveryTones: Readonly<Record<string, Tone>> = { delivered: 'good', pending: 'info', exhausted: 'bad' };
const mailMarks = {
  sent: { tone: 'good', text: 'sent' },
  pending: { tone: 'info', text: 'pending' },
  failed: { tone: 'bad', text: 'mail_failed' },
} as const;

/** For example "Card Visa •••• 1111". */
export function useInstrument(): (attempt: Attempt) => string {
  const channelName = useChannelName();
  return ({ channelId, instrument: { brand, tail } }) =>
    [channelName(channelId), brand, tail ? `•••• ${tail}` : null].filter(Boolean).join(' ');
}

export function useWords(detail: Detail): (happening: Happening) => Words {
  const t = useText(timelineText);
  const known = useKnown(timelineText);
  const instrument = useInstrument();
  const ofAttempt = useAttemptWords(detail);
  const ofRefund = useRefundWords(detail);
  const faultOf = useDeliveryFault();
  const reasonOf = useParkReason();
  const disputeText = useDisputeReason();

  function ofTry({ status, error }: Happening): Words {
    const good = status?.startsWith('2') && !error;
    const outcome = status === null ? t('noAnswer') : t('answered', { status });
    return {
      text: t('notification_tried'),
      tone: good ? 'good' : 'bad',
      outcome,
      details: error ? faultOf(error) : '',
    };
  }

  function ofNotification({ id, status }: Happening): Words {
    const tone = deliveryTones[status ?? ''] ?? 'plain';
    const notification = detail.notifications.find(({ eventId }) => eventId === id);
    const isRead = notification !== undefined && isToBeRead(notification);
    const outcome = isRead ? t('toBeRead') : (known(status ?? '') ?? status ?? '');
    return { text: t('notification'), tone, outcome, details: notification?.url ?? '' };
  }

  function ofMail({ id, status }: Happening): Words {
    const mail = detail.mails.find(({ mailId }) => mailId === id);
    const { tone, text } = mailMarks[status as keyof typeof mailMarks] ?? mailMarks.pending;
    // A refund that came back is told to the merchant.
    const toPayer = mail?.recipient === detail.transaction.payerEmail;
    return { text: t(toPayer ? 'mail' : 'mailToMerchant'), tone, outcome: t(text), details: mail?.subject ?? '' };
  }

  function disputeReason({ id }: Happening): string {
    return disputeText(detail.disputes.find(({ disputeId }) => disputeId === id)?.reason ?? '');
  }

  return (happening) => {
    const { kind, status, why } = happening;
    if (kind.startsWith('attempt_')) return ofAttempt(happening, instrument);
    if (kind.startsWith('refund_')) return ofRefund(happening);
    if (kind === 'notification') return ofNotification(happening);
    if (kind === 'notification_tried') return ofTry(happening);
    if (kind === 'mail') return ofMail(happening);
    if (kind === 'journal') return { text: known(`journal ${status}`) ?? status ?? '', tone: 'plain' };
    if (kind.startsWith('dispute_')) {
      return { text: known(kind) ?? kind, tone: disputeTones[kind] ?? 'wait', details: disputeReason(happening) };
    }
    if (kind === 'canceled')
      return { text: t('canceledAll'), tone: 'plain', details: known(`canceled by ${status}`) ?? '' };
    return { text: known(kind) ?? kind, tone: kind === 'paid' ? 'good' : 'info', details: reasonOf(why) };
  };
}

function useRefundWords({ refunds }: Detail) {
  const t = useText(timelineText);
  const known = useKnown(timelineText);
  const knownRefund = useKnown(refundText);
  const declined = useText(refundDeclineText);
  const reasonOf = useParkReason();

  /** One that came back had been paid: nobody canceled it. */
  function canceledWords({ canceledBy, cameBackAt, paidLateAt, refusedWhy }: Detail['refunds'][number]): string {
    if (canceledBy === null || (cameBackAt !== null && paidLateAt === null)) return '';
    const by = t(byWhom[canceledBy]);
    return refusedWhy === null ? by : t('because', { what: by, why: declined(refusedWhy) });
  }

  return ({ kind, id, status, why }: Happening): Words => {
    if (kind === 'refund_parked') {
      const isSeen = why !== null && isOnlySeen(why);
      return { text: t(isSeen ? 'refund_noted' : kind), tone: 'info', details: reasonOf(why) };
    }
    if (kind !== 'refund_ended') return { text: known(kind) ?? kind, tone: 'info' };
    const refund = refunds.find(({ refundId }) => refundId === id);
    return {
      text: t('refund_ended'),
      tone: refundTones[status ?? ''] ?? 'plain',
      outcome: knownRefund(status ?? '') ?? status ?? '',
      details: refund ? canceledWords(refund) : '',
    };
  };
}

function useAttemptWords({ attempts }: Detail) {
  const t = useText(timelineText);
  const known = useKnown(timelineText);
  const reasonOf = useParkReason();
  return ({ kind, id, status, why }: Happening, instrument: (attempt: Attempt) => string): Words => {
    const attempt = attempts.find(({ attemptId }) => attemptId === id);
    const number = attempt?.number ?? '';
    if (kind === 'attempt_started') {
      return {
        text: t('attempt_started', { number }),
        tone: 'info',
        details: attempt ? [instrument(attempt), attempt.acquirer].filter(Boolean).join(' · ') : '',
      };
    }
    if (kind === 'attempt_parked')
      return { text: t('attempt_parked', { number }), tone: 'wait', details: reasonOf(why) };
    // Of an attempt whose late money went back, that counts.
    const end = attempt?.state === 'surplus' ? 'surplus' : status;
    const { tone, text } = attemptOutcomes[end as keyof typeof attemptOutcomes] ?? attemptOutcomes.canceled;
    const reason = attempt?.reason ? (known(attempt.reason) ?? attempt.reason) : '';
    const code = attempt?.paymentErrorCode;
    const withCode = reason && code ? t('reasonWithCode', { reason, code }) : reason;
    return { text: t('attempt_ended', { number }), tone, outcome: t(text), details: withCode };
  };
}

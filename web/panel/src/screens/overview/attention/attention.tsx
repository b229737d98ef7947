// What needs attention, each with the screen where something can be done about it.

import { useQuery } from '@tanstack/react-query';
import { read } from '../../../api/client.ts';
import type { Answer } from '../../../api/endpoints.ts';
import { useFormat } from '../../../language/format.ts';
import { type Translate, useText } from '../../../language/text.ts';
import { useDisputeReason } from '../../../ui/dispute-reason.ts';
import { TextLink } from '../../../ui/link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { attentionText } from './words.ts';

type Item = Answer<'GET /panel/api/attention'>['items'][number];
type T = Translate<typeof attentionText>;

export function Attention({ currency }: { readonly currency: string }) {
  const t = useText(attentionText);
  const attention = useQuery(read('GET /panel/api/attention'));
  return (
    <Section title={t('title')}>
      <Loaded query={attention} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Status tone="good">{t('nothing')}</Status>
          ) : (
            <ul className="plain-list attention">
              {items.map((item, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two disputes may be about one transaction
                <One key={`${item.kind} ${item.subject} ${place}`} item={item} currency={currency} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The screen where somebody sees more, or does something. */
function placeOf({ kind, subject }: Item): string {
  switch (kind) {
    case 'failing_endpoint':
    case 'exhausted_notifications':
      return '/developers/notifications';
    case 'expiring_certificate':
      return '/settings/wallet';
    case 'no_second_factor':
      return '/settings/users';
    case 'low_balance':
      return '/money';
    case 'parked_payment':
    case 'parked_surplus':
    case 'parked_charge':
    case 'parked_refund':
    case 'refund_came_back':
    case 'dispute_to_answer':
      return subject ? `/transactions/${subject}` : '/transactions';
  }
}

function hintOf(t: T, { kind }: Item, amount: string): string {
  switch (kind) {
    case 'failing_endpoint':
      return t('fixEndpoint');
    case 'exhausted_notifications':
      return t('resend');
    case 'expiring_certificate':
      return t('renew');
    case 'no_second_factor':
      return t('protect');
    case 'low_balance':
      return t('coverRefunds', { amount });
    case 'refund_came_back':
      return t('payAgain', { amount });
    case 'dispute_to_answer':
      return t('sendEvidence');
    case 'parked_payment':
    case 'parked_surplus':
    case 'parked_charge':
    case 'parked_refund':
      return amount ? `${t('inDoubt', { amount })}. ${t('operatorDecides')}` : t('operatorDecides');
  }
}

function titleOf(t: T, { kind, subject, count, merchantIdentifier }: Item, amount: string): string {
  switch (kind) {
    case 'failing_endpoint':
      return t(kind, { subject: subject ?? '' });
    case 'expiring_certificate':
      return t(kind, { subject: merchantIdentifier ?? '' });
    case 'dispute_to_answer':
      return t(kind, { amount });
    case 'exhausted_notifications':
    case 'no_second_factor':
      return t(kind, { count });
    default:
      return t(kind);
  }
}

function One({ item, currency }: { readonly item: Item; readonly currency: string }) {
  const t = useText(attentionText);
  const format = useFormat();
  const amount = item.amount === null ? '' : format.amount(item.amount, currency);
  const reasonOf = useDisputeReason();
  const until = item.kind === 'dispute_to_answer' ? 'respondBy' : 'until';
  const details = [
    item.reason ? reasonOf(item.reason) : '',
    hintOf(t, item, amount),
    item.since ? t('since', { time: format.dateTime(item.since) }) : '',
    item.until ? t(until, { time: format.dateTime(item.until) }) : '',
  ].filter(Boolean);
  return (
    <li>
      <Status tone={item.severity === 'critical' ? 'bad' : 'wait'}>{t(item.severity)}</Status>
      <div className="attention-text">
        <TextLink to={placeOf(item)} size="sm" fw={600}>
          {titleOf(t, item, amount)}
        </TextLink>
        <div className="tile-about">{details.join(' · ')}</div>
      </div>
    </li>
  );
}

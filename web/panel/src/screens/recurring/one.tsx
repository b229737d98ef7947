import { useQuery } from '@tanstack/react-query';
import { usePathPart } from '../../address.ts';
import { read } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Facts, Id } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note } from '../../ui/status.tsx';
import { Actions } from './actions.tsx';
import { Attempts } from './attempts.tsx';
import { Coming } from './coming.tsx';
import { everyText, type Recurring, RecurringStatus } from './status.tsx';
import { recurringText } from './words.ts';

export default function OneRecurring() {
  const recurringId = usePathPart('recurringId');
  const recurring = useQuery(read('GET /recurring/{recurringId}', { params: { recurringId } }));
  return <Loaded query={recurring}>{(data) => <Shown recurring={data} />}</Loaded>;
}

function Shown({ recurring }: { readonly recurring: Recurring }) {
  const t = useText(recurringText);
  const { id, description, status, reason } = recurring;
  return (
    <Page
      title={description}
      mark={<RecurringStatus status={status} />}
      about={
        <TextLink to="/recurring" size="sm">
          {t('all')}
        </TextLink>
      }
      actions={useMay('write') ? <Actions recurring={recurring} /> : null}
    >
      {reason ? <Note tone="bad">{t('lastFailed', { reason: t(reason) })}</Note> : null}
      <Plan recurring={recurring} />
      <Coming recurringId={id} />
      <Attempts recurring={recurring} />
    </Page>
  );
}

function Plan({ recurring }: { readonly recurring: Recurring }) {
  const t = useText(recurringText);
  const list = useText(listText);
  const format = useFormat();
  const { id, payer, schedule, paymentInstrument, hiddenDescription, callbackUrl } = recurring;
  return (
    <Section title={t('plan')}>
      <Facts
        facts={[
          { label: t('each'), value: <strong>{format.amount(schedule.amount, schedule.currency)}</strong> },
          { label: t('repeats'), value: everyText(t, schedule) },
          { label: t('charges'), value: schedule.chargeCount ?? t('untilCanceled') },
          { label: t('instrument'), value: t(paymentInstrument.paymentType) },
          { label: list('payer'), value: payer.name },
          { label: list('payerEmail'), value: payer.email },
          { label: t('hidden'), value: hiddenDescription },
          { label: t('notified'), value: callbackUrl },
          { label: list('id'), value: <Id text={id} /> },
        ]}
      />
    </Section>
  );
}

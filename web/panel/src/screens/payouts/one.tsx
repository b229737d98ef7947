import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePathPart } from '../../address.ts';
import { callWith, read } from '../../api/client.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextLink } from '../../ui/link.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { Lines } from '../settlements/one.tsx';
import { type Payout, toneOf } from './tone.ts';
import { payoutsText } from './words.ts';

export default function OnePayout() {
  const payoutId = usePathPart('payoutId');
  const payout = useQuery(read('GET /payouts/{payoutId}', { params: { payoutId } }));
  return <Loaded query={payout}>{(data) => <Shown payout={data.payout} />}</Loaded>;
}

interface PayoutProps {
  readonly payout: Payout;
}

function Shown({ payout }: PayoutProps) {
  const t = useText(payoutsText);
  const format = useFormat();
  const { settlementId, currency } = payout;
  return (
    <Page
      title={`${t('payout')}: ${format.amount(payout.amount, currency)}`}
      mark={<Status tone={toneOf(payout)}>{t(payout.status)}</Status>}
      about={
        <TextLink to="/money/payouts" size="sm">
          {t('all')}
        </TextLink>
      }
      actions={<Cancel payout={payout} />}
    >
      <Section title={t('history')}>
        <History payout={payout} />
      </Section>
      {settlementId === null ? (
        <Text size="sm">{t('noSettlement')}</Text>
      ) : (
        <Lines settlement={{ settlementId, currency }} />
      )}
    </Page>
  );
}

/** What is known of it, and when it got which status. */
function History({ payout }: PayoutProps) {
  const t = useText(payoutsText);
  const list = useText(listText);
  const format = useFormat();
  const { date, reason, fee, settlementId } = payout;
  const at = (label: string, time: string | null) => (time === null ? [] : [{ label, value: format.local(time) }]);
  return (
    <Facts
      facts={[
        { label: t('to'), value: t('toHint', payout.bankAccount) },
        { label: t('why'), value: t(payout.onDemand ? 'onDemand' : 'bySchedule') },
        ...(fee === 0 ? [] : [{ label: t('fee'), value: format.amount(fee, payout.currency) }]),
        { label: t('created'), value: format.local(date.creation) },
        ...at(t('approved'), date.approved),
        ...at(t('sent'), date.sent),
        ...at(t('paid'), date.paid),
        ...at(date.ended === null ? t('ended') : t(payout.status), date.ended),
        ...(reason === null ? [] : [{ label: t('reason'), value: t(reason.code) }]),
        { label: t('bankSays'), value: [reason?.bankCode, reason?.bankWords].filter(Boolean).join(' ') },
        ...(settlementId === null
          ? []
          : [
              {
                label: t('settlement'),
                value: (
                  <TextLink to={`/money/settlements/${settlementId}`} size="sm">
                    {t('showSettlement')}
                  </TextLink>
                ),
              },
            ]),
        { label: list('id'), value: <Id text={payout.payoutId} /> },
      ]}
    />
  );
}

function Cancel({ payout: { payoutId, status, amount, currency } }: PayoutProps) {
  const t = useText(payoutsText);
  const common = useText(commonText);
  const format = useFormat();
  const notify = useNotify();
  const client = useQueryClient();
  const keyOf = useKeys();
  const [asking, setAsking] = useState(false);
  const mayWrite = useMay('write');
  async function send(): Promise<void> {
    await callWith({ idempotencyKey: keyOf('cancel') }, 'POST /payouts/{payoutId}/cancel', { params: { payoutId } });
    await client.invalidateQueries();
    notify.done(t('cancelDone'));
  }
  if (!mayWrite || status !== 'created') return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('cancelThis')}
      </Button>
      {asking ? (
        <Confirm
          title={t('cancelThis')}
          submit={t('cancelThis')}
          danger
          keep={common('close')}
          onClose={() => setAsking(false)}
          send={send}
        >
          {t('cancelAbout', { amount: format.amount(amount, currency) })}
        </Confirm>
      ) : null}
    </>
  );
}

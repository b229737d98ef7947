import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePathPart } from '../../address.ts';
import { call, callWith, read } from '../../api/client.ts';
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
import { refundDeclineText } from '../../ui/refund-decline/words.ts';
import { Note } from '../../ui/status.tsx';
import { useNotifyUndo } from '../../ui/undo.tsx';
import { commonText } from '../../ui/words.ts';
import { hasNoMoney, isMoving, type Refund, RefundStatus } from './status.tsx';
import { refundText } from './words.ts';

/** While something still happens to it. */
const refreshMilliseconds = 3_000;

export default function OneRefund() {
  const refundId = usePathPart('refundId');
  const refund = useQuery({
    ...read('GET /refunds/{refundId}', { params: { refundId } }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? refreshMilliseconds : false),
  });
  return <Loaded query={refund}>{(data) => <Shown refund={data} />}</Loaded>;
}

function Shown({ refund }: { readonly refund: Refund }) {
  const t = useText(refundText);
  const list = useText(listText);
  const format = useFormat();
  const { refundId, transactionId, transactionTitle, status, amount, currency, date } = refund;
  return (
    <Page
      title={`${t('refund')} ${format.amount(amount, currency)}`}
      mark={<RefundStatus status={status} />}
      about={
        <TextLink to="/refunds" size="sm">
          {t('allRefunds')}
        </TextLink>
      }
      actions={useMay('write') ? <Actions refund={refund} /> : null}
    >
      <Stack gap="lg">
        {status === 'Hold' ? <Note tone="wait">{t('heldNote')}</Note> : null}
        {hasNoMoney(status) ? <Why refund={refund} /> : null}
        <Section title={t('refund')}>
          <Facts
            facts={[
              { label: list('amount'), value: <strong>{format.amount(amount, currency)}</strong> },
              {
                label: list('transaction'),
                value: (
                  <TextLink to={`/transactions/${transactionId}`} className="mono" size="sm">
                    {transactionTitle}
                  </TextLink>
                ),
              },
              { label: t('requested'), value: format.local(date.schedule) },
              { label: t('processed'), value: date.processed ? format.local(date.processed) : '' },
              { label: list('id'), value: <Id text={refundId} /> },
            ]}
          />
        </Section>
      </Stack>
    </Page>
  );
}

/** Why the payer does not have the money, which the API of refunds does not say. */
function Why({ refund: { refundId, transactionId } }: { readonly refund: Refund }) {
  const t = useText(refundText);
  const declined = useText(refundDeclineText);
  const format = useFormat();
  const params = { transactionId };
  const { data } = useQuery(read('GET /panel/api/transactions/{transactionId}', { params }));
  const found = data?.refunds.find((one) => one.refundId === refundId);
  if (!found) return null;
  const { canceledBy, cameBackAt, paidLateAt, refusedWhy } = found;
  if (cameBackAt !== null) return <Note tone="wait">{t('cameBackNote', { at: format.dateTime(cameBackAt) })}</Note>;
  if (canceledBy !== 'bank' || paidLateAt !== null) return null;
  const note = refusedWhy === null ? t('refusedNote') : t('refusedWhyNote', { why: declined(refusedWhy) });
  return <Note tone="bad">{note}</Note>;
}

type Question = 'release' | 'cancel';

function Actions({ refund }: { readonly refund: Refund }) {
  const t = useText(refundText);
  const [question, setQuestion] = useState<Question>();
  const { status } = refund;
  return (
    <>
      {status === 'New' || status === 'BLIK_pending' ? <Hold refund={refund} /> : null}
      {status === 'Hold' ? <Button onClick={() => setQuestion('release')}>{t('release')}</Button> : null}
      {status === 'New' || status === 'Hold' ? (
        <Button variant="default" onClick={() => setQuestion('cancel')}>
          {t('cancel')}
        </Button>
      ) : null}
      {question ? <Ask question={question} refund={refund} onClose={() => setQuestion(undefined)} /> : null}
    </>
  );
}

function useShow(): (refund: Refund) => void {
  const client = useQueryClient();
  return (refund) => {
    const { refundId } = refund;
    client.setQueryData(read('GET /refunds/{refundId}', { params: { refundId } }).queryKey, refund);
    void client.invalidateQueries({ predicate: ({ queryKey }) => /refund|transaction/i.test(String(queryKey[0])) });
  };
}

/** Held without a question, because it can be taken back. */
function Hold({ refund: { refundId } }: { readonly refund: Refund }) {
  const t = useText(refundText);
  const notify = useNotify();
  const notifyUndo = useNotifyUndo();
  const show = useShow();
  const params = { refundId };
  const hold = useMutation({
    mutationFn: () => call('POST /refunds/{refundId}/hold', { params }),
    onSuccess: (held) => {
      show(held);
      notifyUndo(t('held'), async () => show(await call('POST /refunds/{refundId}/release', { params })));
    },
    onError: notify.failed,
  });
  return (
    <Button variant="default" loading={hold.isPending} onClick={() => hold.mutate()}>
      {t('hold')}
    </Button>
  );
}

interface AskProps {
  readonly question: Question;
  readonly refund: Refund;
  readonly onClose: () => void;
}

function Ask({ question, refund: { refundId, amount, currency }, onClose }: AskProps) {
  const t = useText(refundText);
  const common = useText(commonText);
  const notify = useNotify();
  const show = useShow();
  const keyOf = useKeys();
  const exact = useFormat().amount(amount, currency);
  const name = question === 'cancel' ? 'POST /refunds/{refundId}/cancel' : 'POST /refunds/{refundId}/release';
  const params = { refundId };
  return (
    <Confirm
      title={t(`${question}Title`, { amount: exact })}
      submit={t(question)}
      danger={question === 'cancel'}
      keep={common('close')}
      onClose={onClose}
      send={async () => {
        show(await callWith({ idempotencyKey: keyOf(question) }, name, { params }));
        notify.done(t(question === 'cancel' ? 'canceled' : 'released'));
      }}
    >
      {question === 'cancel' ? t('cancelHint', { amount: exact }) : t('releaseHint')}
    </Confirm>
  );
}

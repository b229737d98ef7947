// Refunding in two steps: choosing, then confirming the exact amount.

import { Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callWith } from '../../../api/client.ts';
import { ApiError } from '../../../api/failure.ts';
import { useKeys } from '../../../api/key.ts';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { decimalOf } from '../../../ui/decimal.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { useNotify } from '../../../ui/failed/failed.tsx';
import { Form, TextField, type Values } from '../../../ui/form.tsx';
import type { Detail } from '../status.tsx';
import { oneTransactionText } from './words.ts';

interface Props {
  readonly transaction: Detail['transaction'];
  readonly onClose: () => void;
}

interface Chosen {
  readonly how: 'all' | 'part';
  readonly amount: number;
}

export function RefundDialog({ transaction, onClose }: Props) {
  const t = useText(oneTransactionText);
  const keyOf = useKeys();
  const [chosen, setChosen] = useState<Chosen>();
  // What was offered when the dialog opened; the screen behind it goes on changing.
  const [offered] = useState(transaction);
  return (
    <Dialog onClose={onClose} title={t('refundTitle', { title: offered.title })} closeOnClickOutside={false}>
      {/* Kept while the amount is confirmed: what was typed is still there after going back. */}
      <div hidden={chosen !== undefined}>
        <Choose transaction={offered} onClose={onClose} next={setChosen} />
      </div>
      {chosen ? (
        <Approve
          transaction={offered}
          chosen={chosen}
          keyOf={keyOf}
          back={() => setChosen(undefined)}
          onClose={onClose}
        />
      ) : null}
    </Dialog>
  );
}

function Choose({ transaction, onClose, next }: Props & { readonly next: (chosen: Chosen) => void }) {
  const t = useText(oneTransactionText);
  const format = useFormat();
  const [how, setHow] = useState<Chosen['how']>('all');
  const { refundable, currency } = transaction;
  const left = format.amount(refundable, currency);

  async function choose(values: Values): Promise<void> {
    if (how === 'all') return next({ how, amount: refundable });
    const text = values('amount').replaceAll(/\s/g, '');
    // More places would be rounded on screen: the confirmed amount must be the exact one.
    const plain = /^\d{1,10}([.,]\d{1,2})?$/.test(text) ? text : '';
    const amount = decimalOf(plain, 'amount', t('notAmount'));
    if (amount === 0 || amount > refundable) {
      throw new ApiError(400, [{ code: '', message: t('amountOutside', { amount: left }), field: 'amount' }], '');
    }
    next({ how, amount });
  }

  return (
    <Form send={choose} submit={t('next')} cancel={onClose}>
      <Radio.Group label={t('how')} value={how} onChange={(value) => setHow(value as Chosen['how'])}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('howAll', { amount: left })} />
          <Radio value="part" label={t('howPart')} />
        </Stack>
      </Radio.Group>
      {how === 'part' ? (
        <TextField
          name="amount"
          label={t('amountIn', { currency })}
          description={t('atMost', { amount: left })}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
        />
      ) : null}
    </Form>
  );
}

interface ApproveProps extends Props {
  readonly chosen: Chosen;
  readonly keyOf: (request: unknown) => string;
  readonly back: () => void;
}

function Approve({ transaction, chosen: { how, amount }, keyOf, back, onClose }: ApproveProps) {
  const t = useText(oneTransactionText);
  const format = useFormat();
  const notify = useNotify();
  const client = useQueryClient();
  const { transactionId, currency, refundFee } = transaction;
  const params = { transactionId };
  const exact = format.amount(amount, currency);

  /** "Everything" is whatever is left when it arrives, so it is compared with what is being confirmed. */
  async function checkLeft(): Promise<void> {
    const now = await call('GET /panel/api/transactions/{transactionId}', { params });
    if (now.transaction.refundable === amount) return;
    throw new ApiError(409, [{ code: '', message: t('amountChanged'), field: '' }], '');
  }

  async function refund(): Promise<void> {
    // Of a disputed payment only a part can be refunded, also if it is all that is left.
    const body = how === 'all' && transaction.disputed === 0 ? {} : { amount };
    if (how === 'all') await checkLeft();
    await callWith({ idempotencyKey: keyOf(body) }, 'POST /transactions/{transactionId}/refunds', { params, body });
    await client.invalidateQueries();
    notify.done(t('refundDone', { amount: exact }));
    onClose();
  }

  return (
    <Form send={refund} submit={t('confirmRefund', { amount: exact })} cancel={back} cancelLabel={t('change')}>
      <Text size="sm">{t('confirmAbout')}</Text>
      <Facts
        facts={[
          { label: t('payerGets'), value: <strong>{exact}</strong> },
          { label: t('feeForRefund'), value: format.amount(refundFee, currency) },
        ]}
      />
      <Text size="sm" c="dimmed">
        {t('fromBalance')}
      </Text>
    </Form>
  );
}

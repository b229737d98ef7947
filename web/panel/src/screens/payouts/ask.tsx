import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callWith, read } from '../../api/client.ts';
import { useKeys } from '../../api/key.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { decimalOf } from '../../ui/decimal.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextField, type Values } from '../../ui/form.tsx';
import { payoutsText } from './words.ts';

/** The button and its question, for those who may. */
export function Ask() {
  const t = useText(payoutsText);
  const [asking, setAsking] = useState(false);
  if (!useMay('write')) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('ask')}</Button>
      {asking ? <Question onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function Question({ onClose }: { readonly onClose: () => void }) {
  const t = useText(payoutsText);
  const format = useFormat();
  const notify = useNotify();
  const client = useQueryClient();
  const keyOf = useKeys();
  const { data } = useQuery(read('GET /balance'));
  async function send(values: Values): Promise<void> {
    const text = values('amount').trim();
    const body = text === '' ? {} : { amount: decimalOf(text, 'amount', t('askBad')) };
    await callWith({ idempotencyKey: keyOf(JSON.stringify(body)) }, 'POST /payouts', { body });
    await client.invalidateQueries();
    notify.done(t('askDone'));
  }
  return (
    <Confirm
      title={t('ask')}
      submit={t('ask')}
      onClose={onClose}
      send={send}
      fields={<TextField name="amount" label={t('askAmount')} inputMode="decimal" maxLength={15} data-autofocus />}
    >
      {data ? t('askAbout', { due: format.amount(data.balance.due, data.balance.currency) }) : null}
    </Confirm>
  );
}

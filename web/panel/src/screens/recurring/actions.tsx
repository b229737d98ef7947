import { Button, Checkbox, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callWith } from '../../api/client.ts';
import type { BodyOf } from '../../api/endpoints.ts';
import { useKeys } from '../../api/key.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { commonText } from '../../ui/words.ts';
import type { Recurring } from './status.tsx';
import { recurringText } from './words.ts';

type Dialog = 'retry' | 'change' | 'cancel';

export function Actions({ recurring }: { readonly recurring: Recurring }) {
  const t = useText(recurringText);
  const [dialog, setDialog] = useState<Dialog>();
  const props = { recurring, onClose: () => setDialog(undefined) };
  const { status, reason } = recurring;
  const failed = status === 'failed';
  return (
    <>
      {reason && status === 'active' ? <Button onClick={() => setDialog('retry')}>{t('retry')}</Button> : null}
      {status === 'active' || failed ? (
        <>
          <Button variant={failed ? 'filled' : 'default'} onClick={() => setDialog('change')}>
            {t(failed ? 'restore' : 'change')}
          </Button>
          <Button variant="default" onClick={() => setDialog('cancel')}>
            {t('cancel')}
          </Button>
        </>
      ) : null}
      {dialog === 'retry' ? <Retry {...props} /> : null}
      {dialog === 'change' ? <Change {...props} /> : null}
      {dialog === 'cancel' ? <Cancel {...props} /> : null}
    </>
  );
}

interface DialogProps {
  readonly recurring: Recurring;
  readonly onClose: () => void;
}

/** Everything about recurring payments on screen is asked for anew: what is told shows there already. */
function useDone(): (message: string) => Promise<void> {
  const client = useQueryClient();
  const notify = useNotify();
  return async (message) => {
    await client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('/recurring') });
    notify.done(message);
  };
}

function useAmount({ schedule }: Recurring): string {
  return useFormat().amount(schedule.amount, schedule.currency);
}

function Retry({ recurring, onClose }: DialogProps) {
  const t = useText(recurringText);
  const done = useDone();
  const keyOf = useKeys();
  const amount = useAmount(recurring);
  const { id: recurringId, payer } = recurring;
  return (
    <Confirm
      title={t('retryTitle', { amount })}
      submit={t('retry')}
      onClose={onClose}
      send={async () => {
        const key = { idempotencyKey: keyOf('retry') };
        await callWith(key, 'POST /recurring/{recurringId}/retry', { params: { recurringId } });
        await done(t('retried'));
      }}
    >
      {t('retryHint', { amount, name: payer.name })}
    </Confirm>
  );
}

function Cancel({ recurring, onClose }: DialogProps) {
  const t = useText(recurringText);
  const common = useText(commonText);
  const done = useDone();
  const keyOf = useKeys();
  const amount = useAmount(recurring);
  const { id: recurringId, description } = recurring;
  return (
    <Confirm
      title={t('cancelTitle', { description })}
      submit={t('cancelYes')}
      danger
      keep={common('close')}
      onClose={onClose}
      send={async () => {
        const key = { idempotencyKey: keyOf('cancel') };
        await callWith(key, 'POST /recurring/{recurringId}/cancel', { params: { recurringId } });
        await done(t('canceledDone'));
      }}
    >
      {recurring.status === 'failed' ? t('cancelFailedHint') : t('cancelHint', { amount })}
    </Confirm>
  );
}

type Instrument = BodyOf<'POST /recurring/{recurringId}/payment_instrument'>['paymentInstrument'];

function instrumentOf(values: Values): Instrument {
  const value = values('paymentInstrument.value').trim();
  if (values('paymentInstrument.paymentType') === 'card_token') return { paymentType: 'card_token', value };
  const model = values('paymentInstrument.blik.model') as 'A' | 'M' | 'O';
  const noDelay = values('paymentInstrument.blik.noDelay') === 'on';
  return { paymentType: 'blik_payid', value, blik: { model, ...(noDelay ? { noDelay } : {}) } };
}

function Change({ recurring, onClose }: DialogProps) {
  const t = useText(recurringText);
  const done = useDone();
  const keyOf = useKeys();
  const amount = useAmount(recurring);
  const failed = recurring.status === 'failed';
  const title = t(failed ? 'restore' : 'change');
  return (
    <Confirm
      title={title}
      submit={title}
      onClose={onClose}
      fields={<InstrumentFields />}
      send={async (values) => {
        const body = { paymentInstrument: instrumentOf(values) };
        const params = { recurringId: recurring.id };
        const key = { idempotencyKey: keyOf(body) };
        await callWith(key, 'POST /recurring/{recurringId}/payment_instrument', { params, body });
        await done(t(failed ? 'restored' : 'changed'));
      }}
    >
      {failed ? t('restoreHint', { amount }) : t('changeHint')}
    </Confirm>
  );
}

function InstrumentFields() {
  const t = useText(recurringText);
  const [type, setType] = useState<string>('card_token');
  const [model, setModel] = useState('A');
  return (
    <Stack gap="sm">
      <SelectField
        name="paymentInstrument.paymentType"
        label={t('type')}
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
        data={[
          { value: 'card_token', label: t('cardToken') },
          { value: 'blik_payid', label: t('blikAlias') },
        ]}
      />
      <TextField name="paymentInstrument.value" label={t('value')} autoComplete="off" required withAsterisk={false} />
      {type === 'blik_payid' ? (
        <>
          <SelectField
            name="paymentInstrument.blik.model"
            label={t('model')}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
            data={['A', 'M', 'O']}
          />
          {model === 'M' ? null : <Checkbox name="paymentInstrument.blik.noDelay" label={t('noDelay')} />}
        </>
      ) : null}
    </Stack>
  );
}

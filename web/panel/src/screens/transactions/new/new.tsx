import { Box, Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callWith } from '../../../api/client.ts';
import type { Answer, BodyOf } from '../../../api/endpoints.ts';
import { useKeys } from '../../../api/key.ts';
import { useText } from '../../../language/text.ts';
import { screenText } from '../../../menu/words.ts';
import { decimalOf } from '../../../ui/decimal.ts';
import { Form, TextField, type Values } from '../../../ui/form.tsx';
import { ButtonLink, TextLink } from '../../../ui/link.tsx';
import { listText } from '../../../ui/list/words.ts';
import { Page, Section } from '../../../ui/page.tsx';
import { transactionText } from '../words.ts';
import { PaymentLink } from './payment-link.tsx';
import { newPaymentText } from './words.ts';

const name = 'POST /transactions';
const currency = 'PLN';
type Created = Answer<typeof name>;

export default function NewPayment() {
  const t = useText(newPaymentText);
  const list = useText(transactionText);
  const screen = useText(screenText);
  const [created, setCreated] = useState<Created>();
  return (
    <Page
      title={created ? t('ready') : screen('newPayment')}
      about={
        <Stack gap={4}>
          {created ? null : t('about')}
          <TextLink to="/transactions" size="sm">
            {list('all')}
          </TextLink>
        </Stack>
      }
    >
      {created ? <Ready created={created} again={() => setCreated(undefined)} /> : <PaymentForm done={setCreated} />}
    </Page>
  );
}

/** Empty fields are left out: the service takes them for given otherwise. */
function bodyOf(values: Values, notAmount: string): BodyOf<typeof name> {
  const given = (field: string) => values(field).trim();
  const [email, payerName, hiddenDescription] = ['payer.email', 'payer.name', 'hiddenDescription'].map(given);
  const payer = { ...(email ? { email } : {}), ...(payerName ? { name: payerName } : {}) };
  return {
    amount: decimalOf(values('amount').replaceAll(/\s/g, ''), 'amount', notAmount),
    currency,
    description: given('description'),
    ...(hiddenDescription ? { hiddenDescription } : {}),
    ...(email || payerName ? { payer } : {}),
  };
}

function PaymentForm({ done }: { readonly done: (created: Created) => void }) {
  const t = useText(newPaymentText);
  const list = useText(listText);
  const client = useQueryClient();
  const keyOf = useKeys();
  async function send(values: Values): Promise<void> {
    const body = bodyOf(values, t('notAmount'));
    done(await callWith({ idempotencyKey: keyOf(body) }, name, { body }));
    await client.invalidateQueries();
  }
  return (
    <Section title={t('payment')}>
      <Box maw="30rem">
        <Form send={send} submit={t('create')}>
          <TextField
            name="amount"
            label={t('amountIn', { currency })}
            inputMode="decimal"
            required
            autoComplete="off"
          />
          <TextField
            name="description"
            label={list('description')}
            description={t('descriptionHint')}
            maxLength={128}
            required
          />
          <TextField
            name="payer.email"
            label={list('payerEmail')}
            description={t('optional')}
            type="email"
            autoComplete="off"
          />
          <TextField name="payer.name" label={t('payerName')} description={t('optional')} autoComplete="off" />
          <TextField name="hiddenDescription" label={t('reference')} description={t('referenceHint')} maxLength={255} />
        </Form>
      </Box>
    </Section>
  );
}

function Ready({ created, again }: { readonly created: Created; readonly again: () => void }) {
  const t = useText(newPaymentText);
  const { transactionId, title, amount, description, payer, transactionPaymentUrl } = created;
  return (
    <Section title={title}>
      <PaymentLink
        url={transactionPaymentUrl}
        amount={amount}
        currency={created.currency}
        description={description}
        email={payer.email}
      />
      <Group gap="xs">
        <ButtonLink to={`/transactions/${transactionId}`} variant="default">
          {t('toTransaction')}
        </ButtonLink>
        <Button variant="subtle" onClick={again}>
          {t('another')}
        </Button>
      </Group>
    </Section>
  );
}

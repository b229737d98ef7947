// Refunding in two steps: choosing, then looking at what would happen and confirming it. The service computes both.

import { Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callWith } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useKeys } from '../../api/key.ts';
import { useCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, TextField, type Values } from '../../ui/form.tsx';
import { Note } from '../../ui/status.tsx';
import { atInputs, choiceOf, type How, productField, type RefundBody, sellerField, sellersOf } from './choice.ts';
import { useSellerNames } from './names.ts';
import { Preview } from './preview.tsx';
import type { MarketTransaction } from './status.tsx';
import { marketText } from './words.ts';

const path = 'POST /marketplace/v1/transaction/{transactionId}/refund';

/** In whole units of the currency. */
interface Left {
  readonly refundable: number;
  /** What is disputed cannot be refunded, nor can everything at once. */
  readonly disputed: number;
}

interface Props {
  readonly transaction: MarketTransaction;
  readonly left: Left;
  readonly onClose: () => void;
}

interface Previewed {
  readonly body: RefundBody;
  readonly answer: Answer<typeof path>;
}

export function RefundDialog({ transaction, left, onClose }: Props) {
  const t = useText(marketText);
  const notify = useNotify();
  const client = useQueryClient();
  const keyOf = useKeys();
  const cents = useCents();
  const [previewed, setPreviewed] = useState<Previewed>();
  const { transactionId, title, currency } = transaction;
  const params = { transactionId };

  async function refund(body: RefundBody): Promise<void> {
    const { amount } = await callWith({ idempotencyKey: keyOf(body) }, path, { params, body });
    await client.invalidateQueries();
    notify.done(t('refundDone', { amount: cents(amount, currency) }));
    onClose();
  }

  return (
    <Dialog onClose={onClose} title={t('refundTitle', { title })} size="lg" closeOnClickOutside={false}>
      {/* Kept while the preview is shown: what was typed is still there after going back. */}
      <div hidden={previewed !== undefined}>
        <Choose transaction={transaction} left={left} onClose={onClose} next={setPreviewed} />
      </div>
      {previewed ? (
        <Form
          send={() => refund(previewed.body)}
          submit={t('confirmRefund', { amount: cents(previewed.answer.amount, currency) })}
          cancel={() => setPreviewed(undefined)}
          cancelLabel={t('changeChoice')}
        >
          <Preview transaction={transaction} answer={previewed.answer} />
        </Form>
      ) : null}
    </Dialog>
  );
}

function Choose({ transaction, left, onClose, next }: Props & { readonly next: (previewed: Previewed) => void }) {
  const t = useText(marketText);
  const isDisputed = left.disputed > 0;
  const [how, setHow] = useState<How>(isDisputed ? 'products' : 'all');

  async function preview(values: Values): Promise<void> {
    const complaints = {
      nothingChosen: t('nothingChosen'),
      notAmount: t('notAmount'),
      notQuantity: t('notQuantity'),
    };
    const choice = choiceOf(how, transaction, values, complaints);
    const { body } = choice;
    const { transactionId } = transaction;
    const answer = await call(path, { params: { transactionId }, query: { dryRun: 'true' }, body }).catch(
      (error: unknown) => {
        throw atInputs(error, choice);
      },
    );
    next({ body, answer });
  }

  return (
    <Form send={preview} submit={t('preview')} cancel={onClose}>
      {isDisputed ? <AtMost left={left} currency={transaction.currency} /> : null}
      <Radio.Group label={t('how')} value={how} onChange={(value) => setHow(value as How)}>
        <Stack gap="xs" mt="xs">
          {isDisputed ? null : <Radio value="all" label={t('howAll')} />}
          <Radio value="products" label={t('howProducts')} />
          <Radio value="sellers" label={t('howSellers')} />
        </Stack>
      </Radio.Group>
      {how === 'products' ? <ProductFields transaction={transaction} /> : null}
      {how === 'sellers' ? <SellerFields transaction={transaction} /> : null}
    </Form>
  );
}

function AtMost({ left: { refundable, disputed }, currency }: { readonly left: Left; readonly currency: string }) {
  const t = useText(marketText);
  const format = useFormat();
  const [amount, most] = [format.amount(disputed, currency), format.amount(refundable, currency)];
  return <Note tone="wait">{t('disputedMost', { amount, most })}</Note>;
}

function ProductFields({ transaction }: { readonly transaction: MarketTransaction }) {
  const t = useText(marketText);
  const format = useFormat();
  const cents = useCents();
  const nameOf = useSellerNames(transaction.transactionId);
  const { currency, childTransactions } = transaction;
  return (
    <>
      <Text size="sm">{t('productsHint')}</Text>
      {childTransactions.map(({ id, merchant, products }, place) => (
        <fieldset key={id} className="choices">
          <legend>{nameOf(merchant.id)}</legend>
          {products.length === 0 ? <Text size="sm">{t('noProducts')}</Text> : null}
          {products.map(({ externalId, name, quantity, refundedQuantity, unitPrice }, number) => (
            <TextField
              // biome-ignore lint/suspicious/noArrayIndexKey: products have no other identity
              key={number}
              name={productField(place, number)}
              label={name || externalId}
              description={t('sold', {
                quantity: format.number(quantity),
                price: cents(unitPrice, currency),
                refunded: format.number(refundedQuantity),
              })}
              aria-label={t('quantityOf', { name: name || externalId })}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </fieldset>
      ))}
    </>
  );
}

function SellerFields({ transaction }: { readonly transaction: MarketTransaction }) {
  const t = useText(marketText);
  const cents = useCents();
  const nameOf = useSellerNames(transaction.transactionId);
  const { currency, childTransactions } = transaction;
  return (
    <>
      <Text size="sm">{t('sellersHint')}</Text>
      {sellersOf(transaction).map((seller) => (
        <TextField
          key={seller}
          name={sellerField(seller)}
          label={nameOf(seller)}
          description={childTransactions
            .filter(({ merchant }) => merchant.id === seller)
            .map(({ amount, refunded }) =>
              t('ofParts', { amount: cents(amount, currency), refunded: cents(refunded, currency) }),
            )
            .join('; ')}
          placeholder={t('amountIn', { currency })}
          inputMode="decimal"
          autoComplete="off"
        />
      ))}
    </>
  );
}

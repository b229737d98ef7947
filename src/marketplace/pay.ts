// M2: paying on-site. The payment is that of any transaction; the methods are those that all sellers have.

import { type Merchant, requireMarketplace } from '../accounts/index.ts';
import { type Fault, Refusal, refuse, type TransactionId } from '../kernel/index.ts';
import {
  dataFields,
  methodOfData,
  type PaymentData,
  type ReadyInstrument,
  type RepeatedToken,
} from '../methods/index.ts';
import { listShares } from '../transactions/index.ts';
import { findSplit } from './create.ts';
import { commonChannels } from './methods.ts';
import type { MarketplaceTools } from './tools.ts';

/** The data of exactly one method is given. */
export function paymentDataFaults(body: unknown): Fault[] {
  const given = dataFields.filter((field) => Object.hasOwn((body ?? {}) as object, field));
  const message = `Send one of ${dataFields.join(', ')}.`;
  if (given.length === 0) return [{ code: 'field_required', field: 'blikPaymentData', message }];
  return given.slice(1).map((field) => ({ code: 'not_valid', field, message }));
}

/** Reads the payment data of a request; refuses a method that not all sellers have. */
export async function readPayment(
  tools: MarketplaceTools,
  partner: Merchant,
  id: TransactionId,
  data: PaymentData,
): Promise<ReadyInstrument | RepeatedToken> {
  requireMarketplace(partner);
  const transaction = await findSplit(tools, partner, id);
  const field = dataFields.find((name) => data[name] !== undefined) ?? refuse('field_required', 'blikPaymentData');
  const { id: channelId } = methodOfData(field);
  const shares = await listShares(tools.db.sql, [id]);
  const channels = await commonChannels(
    tools,
    partner,
    shares.map(({ merchantId }) => merchantId),
    () => '',
  );
  if (!channels.includes(channelId))
    throw new Refusal([
      {
        code: 'not_valid',
        field,
        message: 'Is not a payment method that all sellers of the transaction have.',
        devMessage: 'GET /marketplace/v1/bank-groups lists the common methods.',
      },
    ]);
  return tools.transactions.readInstrument({ id: partner.id, channels }, channelId, data, () => transaction);
}

// Builds the event that notifies a merchant about a transaction (docs/decisions/0011).

import { openSecurityCode } from '../accounts/index.ts';
import type { SavedCard } from '../cards/index.ts';
import { money, Secret } from '../kernel/index.ts';
import {
  marketplaceNotification,
  type NewEvent,
  type Payload,
  transactionNotification,
} from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import type { Transaction } from './model.ts';
import type { NotificationFacts } from './store/transactions.ts';

/**
 * The notification URL of the transaction takes precedence over that of the point of sale. A marketplace transaction has
 * only the notification that it is paid.
 */
export function transactionEvent(
  tools: Tools,
  transaction: Transaction,
  facts: NotificationFacts,
  status: 'TRUE' | 'FALSE' | 'CHARGEBACK',
  more: { readonly card?: SavedCard | undefined; readonly error?: string } = {},
): NewEvent {
  const isSplit = transaction.origin === 'marketplace';
  return {
    id: tools.ids.ulid(),
    accountId: transaction.merchantId,
    type: isSplit ? 'marketplace' : 'transaction',
    subjectId: transaction.id,
    url: transaction.notificationUrl ?? facts.posNotificationUrl,
    payload: isSplit
      ? marketplacePayload(transaction, facts)
      : standardPayload(tools, transaction, facts, status, more),
    createdAt: tools.clock.now(),
    webhookSecretSealed: facts.webhookSecretSealed,
  };
}

function standardPayload(
  tools: Tools,
  transaction: Transaction,
  facts: NotificationFacts,
  status: 'TRUE' | 'FALSE' | 'CHARGEBACK',
  { card, error = 'none' }: { readonly card?: SavedCard | undefined; readonly error?: string },
): Payload {
  const { merchantId, amount } = transaction;
  return transactionNotification({
    merchantNumber: facts.merchantNumber,
    title: transaction.title,
    createdAt: transaction.createdAt,
    zone: facts.zone,
    hiddenDescription: transaction.hiddenDescription,
    amount,
    paid: money(transaction.amountPaidMinor, amount.currency),
    description: transaction.description,
    status,
    error,
    payerEmail: transaction.payer.email,
    testMode: facts.testMode,
    channelId: transaction.channelId,
    securityCode: openSecurityCode(tools, merchantId, facts.securityCodeSealed),
    ...(card
      ? { savedCard: { token: new Secret(card.token), expiryDate: card.expiry, tail: card.tail, brand: card.brand } }
      : {}),
  });
}

/** The partner is notified once the whole payment is there; sellers are not. */
function marketplacePayload(transaction: Transaction, { zone }: NotificationFacts): Payload {
  const { id, merchantId, title, amount, amountPaidMinor, status, hiddenDescription, createdAt, description } =
    transaction;
  return marketplaceNotification({
    merchantId,
    transactionId: id,
    title,
    amount,
    paid: money(amountPaidMinor, amount.currency),
    status,
    hiddenDescription,
    payerEmail: transaction.payer.email,
    createdAt,
    zone,
    description,
  });
}

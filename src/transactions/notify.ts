// Builds the event that notifies a merchant about a transaction (docs/decisions.md 7).

import { openSecurityCode } from '../accounts/index.ts';
import type { SavedCard } from '../cards/index.ts';
import { money, Secret } from '../kernel/index.ts';
import { type NewEvent, transactionNotification } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import type { Transaction } from './model.ts';
import type { NotificationFacts } from './store/transactions.ts';

/** The notification URL of the transaction takes precedence over that of the point of sale. */
export function transactionEvent(
  tools: Tools,
  transaction: Transaction,
  facts: NotificationFacts,
  status: 'TRUE' | 'FALSE' | 'CHARGEBACK',
  card?: SavedCard,
): NewEvent {
  const { merchantId, amount } = transaction;
  const payload = transactionNotification({
    accountId: merchantId,
    title: transaction.title,
    createdAt: transaction.createdAt,
    zone: facts.zone,
    hiddenDescription: transaction.hiddenDescription,
    amount,
    paid: money(transaction.amountPaidMinor, amount.currency),
    description: transaction.description,
    status,
    payerEmail: transaction.payer.email,
    testMode: facts.testMode,
    channelId: transaction.channelId,
    securityCode: openSecurityCode(tools, merchantId, facts.securityCodeSealed),
    ...(card
      ? { savedCard: { token: new Secret(card.token), expiryDate: card.expiry, tail: card.tail, brand: card.brand } }
      : {}),
  });
  return {
    id: tools.ids.ulid(),
    accountId: merchantId,
    type: 'transaction',
    subjectId: transaction.id,
    url: transaction.notificationUrl ?? facts.posNotificationUrl,
    payload,
    createdAt: tools.clock.now(),
    webhookSecretSealed: facts.webhookSecretSealed,
  };
}

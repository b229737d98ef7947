// The one place where an order becomes paid: a notification from Grosz whose signatures were verified. What the payer's
// browser says, by coming to the success page for example, proves nothing.

import { cachePem, NotificationFault, verifyNotification } from '../../sdk/verify.ts';
import type { Order, OrderStatus, Orders } from './orders.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface NotificationSecrets {
  readonly baseUrl: string;
  readonly webhookSecret: string;
  readonly securityCode: string;
}

export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const statuses: Readonly<Record<string, OrderStatus>> = { TRUE: 'paid', CHARGEBACK: 'refunded', FALSE: 'failed' };

/** Answers what to send back: 200 and TRUE once it is stored, so that it is not sent again. */
export function openNotifications(
  secrets: NotificationSecrets,
  orders: Orders,
  subscriptions: Subscriptions,
  now: () => Date,
) {
  const { baseUrl, webhookSecret, securityCode } = secrets;
  // The certificates are fetched once in a while, not for each notification.
  const jws = { baseUrl, fetchPem: cachePem() };
  return async ({ headers, body }: Received): Promise<{ status: number; text: string }> => {
    try {
      const { id, notification } = await verifyNotification({ headers, body, webhookSecret, jws, securityCode });
      // Charges of subscriptions: the page asks Grosz for them, so here they are only received.
      if (notification.kind !== 'transaction') return { status: 200, text: 'TRUE' };
      const { tr_crc: orderId = '', tr_status: shown = '', tr_paid: paid = '' } = notification.fields;
      if (shown === 'TRUE' && (await subscriptions.takeFirstPayment(orderId, notification.fields))) {
        return { status: 200, text: 'TRUE' };
      }
      const order = orders.find(orderId);
      const arrived = {
        id,
        orderId,
        arrivedAt: now().toISOString(),
        status: shown,
        checks: 'webhook-signature, X-JWS-Signature, md5sum',
        body: body.toString('utf8'),
      };
      orders.take(arrived, order && isWhole(order, shown, paid) ? statuses[shown] : undefined);
      return { status: 200, text: 'TRUE' };
    } catch (error) {
      if (!(error instanceof NotificationFault)) throw error;
      return { status: 400, text: error.code };
    }
  };
}

/** Signed by Grosz, and about the sum of our order: less money than the order costs does not pay it. */
function isWhole(order: Order, status: string, paid: string): boolean {
  return status !== 'TRUE' || paid === (order.totalGrosz / 100).toFixed(2);
}

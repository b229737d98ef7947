// The one place where an order becomes paid: a notification from Grosz whose signatures were verified. What the payer's
// browser says, by coming to the success page for example, proves nothing.

import { cachePem, type FetchPem, NotificationFault, verifyNotification } from '../../sdk/verify.ts';
import { isPaid, type Order, type OrderStatus, type Orders } from './orders.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface NotificationSecrets {
  readonly baseUrl: string;
  /** The account's id: what is signed for another one is not ours. */
  readonly id: string;
  readonly merchantNumber: number;
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
  // The certificates are fetched once in a while, not for each notification.
  fetchPem: FetchPem = cachePem(),
) {
  const { baseUrl, id: merchantId, merchantNumber, webhookSecret, securityCode } = secrets;
  const jws = { baseUrl, fetchPem };
  return async ({ headers, body }: Received): Promise<{ status: number; text: string }> => {
    try {
      const trust = { webhookSecret, jws, merchantId, merchantNumber, securityCode };
      const { id, notification } = await verifyNotification({ headers, body, ...trust });
      // Charges of subscriptions: the page asks Grosz for them, so here they are only received.
      if (notification.kind !== 'transaction') return { status: 200, text: 'TRUE' };
      const { tr_crc: orderId = '', tr_status: shown = '' } = notification.fields;
      if (shown === 'TRUE' && (await subscriptions.startFromPayment(orderId, notification.fields))) {
        return { status: 200, text: 'TRUE' };
      }
      const order = orders.find(orderId);
      const arrived = {
        id,
        orderId,
        arrivedAt: now().toISOString(),
        status: shown,
        checks: 'webhook-signature, X-JWS-Signature, md5sum, account',
        body: body.toString('utf8'),
      };
      orders.applyNotification(arrived, order && isAbout(order, notification.fields) ? statuses[shown] : undefined);
      return { status: 200, text: 'TRUE' };
    } catch (error) {
      if (!(error instanceof NotificationFault)) throw error;
      return { status: 400, text: error.code };
    }
  };
}

/**
 * Signed by Grosz is not enough: it must be about the transaction that we created for this order, and a payment must be
 * of the order's whole sum.
 */
function isAbout(order: Order, fields: Readonly<Record<string, string>>): boolean {
  return fields.tr_id === order.title && (fields.tr_status !== 'TRUE' || isPaid(fields, order.totalGrosz));
}

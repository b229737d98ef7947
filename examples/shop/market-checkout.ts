// From a cart over several sellers to one payment, on the pay page or here; and the notification that it is paid.

import { cachePem, type FetchPem, NotificationFault, verifyNotification } from '../../sdk/verify.ts';
import { reasonOf } from './checkout.ts';
import { type Grosz, type GroszAccess, GroszRefusal, type Split } from './grosz.ts';
import type { Answer } from './http.ts';
import { childrenOf, itemsOf, type MarketLine, sumOf } from './market.ts';
import type { Received } from './notifications.ts';
import type { Order, Orders } from './orders.ts';

export interface MarketAccess extends GroszAccess {
  /** The account of the market. */
  readonly id: string;
  readonly posId: string;
  /** The ids of its sellers. */
  readonly sellers: readonly string[];
}

export interface MarketCheckout {
  /** Made when the form was shown: a form that is sent twice is one order. */
  readonly orderId: string;
  readonly name: string;
  readonly email: string;
  /** Of the pay page and the mail. */
  readonly language: 'PL' | 'EN';
  readonly way: 'redirect' | 'blik' | 'card';
  readonly blikCode: string;
  /** Encrypted in the browser. */
  readonly card: string;
  readonly cart: readonly MarketLine[];
}

/** Both answer where the payer goes next. */
export class MarketCheckouts {
  readonly #grosz: Grosz;
  readonly #orders: Orders;
  readonly #access: MarketAccess;
  readonly #shopUrl: string;
  readonly #now: () => Date;

  constructor(grosz: Grosz, orders: Orders, access: MarketAccess, shopUrl: string, now: () => Date) {
    this.#grosz = grosz;
    this.#orders = orders;
    this.#access = access;
    this.#shopUrl = shopUrl;
    this.#now = now;
  }

  /** Where the payer returns to, and where the notification goes. */
  #callbacksOf(orderPath: string): object[] {
    return [
      { type: 1, value: `${this.#shopUrl}${orderPath}?paid` },
      { type: 2, value: `${this.#shopUrl}${orderPath}?unpaid` },
      { type: 3, value: `${this.#shopUrl}/market/notifications` },
    ];
  }

  /**
   * A canceled transaction can no longer be paid: the order gets another one with the same parts. The key names the
   * canceled one, so that it is one, however often it is asked for.
   */
  async payAgain(order: Order, canceled: Split): Promise<string> {
    const created = await this.#grosz.createSplit(`${order.id}-after-${canceled.transactionId}`, {
      currency: 'PLN',
      description: `Order ${order.id}`,
      hiddenDescription: order.id,
      pos: { id: this.#access.posId },
      billingAddress: canceled.billingAddress,
      childTransactions: canceled.childTransactions.map(({ merchant, amount, commission, description, products }) => ({
        merchant,
        amount,
        commission,
        description,
        products: products.map(({ externalId, name, quantity, unitPrice }) => ({
          externalId,
          name,
          quantity,
          unitPrice,
        })),
      })),
      transactionCallbacks: this.#callbacksOf(`/market/orders/${order.id}`),
      transactionEmails: { transactionCreated: false },
    });
    const { transactionId, title, paymentUrl } = created;
    this.#orders.replaceTransaction(order.id, { transactionId, title, transactionPaymentUrl: paymentUrl });
    return paymentUrl;
  }

  async checkOut(wish: MarketCheckout): Promise<string> {
    const { orderId, cart, way, email } = wish;
    const orderPath = `/market/orders/${orderId}`;
    const items = itemsOf(cart);
    this.#orders.insert({
      id: orderId,
      email,
      way,
      items,
      totalGrosz: sumOf(cart),
      createdAt: this.#now().toISOString(),
    });
    if (this.#orders.find(orderId)?.transactionId) return orderPath;
    const created = await this.#grosz.createSplit(orderId, {
      currency: 'PLN',
      description: `Order ${orderId}`,
      // Comes back in the notification.
      hiddenDescription: orderId,
      languageCode: wish.language,
      pos: { id: this.#access.posId },
      billingAddress: { email, name: wish.name },
      childTransactions: childrenOf(cart, this.#access.sellers),
      transactionCallbacks: this.#callbacksOf(orderPath),
      // Who pays here needs no link to the pay page by mail.
      transactionEmails: { transactionCreated: way === 'redirect' },
    });
    const { transactionId, title, paymentUrl } = created;
    this.#orders.saveTransaction(orderId, { transactionId, title, transactionPaymentUrl: paymentUrl });
    return way === 'redirect' ? paymentUrl : ((await this.#payHere(wish, transactionId)) ?? orderPath);
  }

  /** The address of the bank's page if the payer must confirm there. That the order is paid comes by notification. */
  async #payHere(wish: MarketCheckout, transactionId: string): Promise<string | undefined> {
    const { orderId, way, blikCode, card } = wish;
    const data = way === 'blik' ? { blikPaymentData: { blikToken: blikCode } } : { cardPaymentData: { card } };
    try {
      const paid = await this.#grosz.paySplit(`${orderId}-pay`, transactionId, data);
      if (paid.result === 'failed') this.#orders.saveDeclined(orderId, reasonOf(paid));
      return paid.result === 'pending' && way === 'card' ? paid.paymentUrl : undefined;
    } catch (error) {
      if (!(error instanceof GroszRefusal) || error.status >= 500) throw error;
      this.#orders.saveDeclined(orderId, 'The payment details could not be read.');
      return undefined;
    }
  }
}

/**
 * The only place where an order of the market becomes paid. The signature with the certificate of Grosz and the id of
 * our account prove where a notification comes from; with the account's webhook secret, that could be checked as well.
 */
export function openMarketNotifications(
  { baseUrl, id: merchantId }: Pick<MarketAccess, 'baseUrl' | 'id'>,
  orders: Orders,
  now: () => Date,
  fetchPem: FetchPem = cachePem(),
) {
  return async ({ headers, body }: Received): Promise<Answer> => {
    try {
      const { id, notification } = await verifyNotification({ headers, body, merchantId, jws: { baseUrl, fetchPem } });
      if (notification.kind === 'marketplace') {
        const { transactionHiddenDescription, transactionTitle, transactionStatus: status } = notification.data;
        const orderId = transactionHiddenDescription ?? '';
        const order = orders.find(orderId);
        // For the transaction of this order, and all of its sum.
        const isPaid =
          status === 'paid' &&
          transactionTitle === order?.title &&
          notification.data.transactionPaidAmount === (order.totalGrosz / 100).toFixed(2);
        const checks = 'X-JWS-Signature, account';
        const arrived = { id, orderId, status, checks, arrivedAt: now().toISOString(), body: body.toString('utf8') };
        orders.applyNotification(arrived, isPaid ? 'paid' : undefined);
      }
      return { type: 'application/json', body: '{"result": true}' };
    } catch (error) {
      if (!(error instanceof NotificationFault)) throw error;
      return { status: 400, type: 'application/json', body: JSON.stringify({ result: false, reason: error.code }) };
    }
  };
}

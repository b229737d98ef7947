// From a cart to a payment: on the pay page (redirect), in its form within the shop's page (form), or on the shop's own page
// (BLIK, card, wallet).

import { type Grosz, GroszRefusal, type Transaction } from './grosz.ts';
import type { Order, Orders } from './orders.ts';

export interface Checkout {
  /** Made when the form was shown: a form that is sent twice is one order. */
  readonly orderId: string;
  readonly email: string;
  readonly items: string;
  readonly totalGrosz: number;
  readonly way: 'redirect' | 'form' | 'blik' | 'card' | 'wallet';
  readonly blikCode: string;
  /** Encrypted in the browser; the shop never sees a card number. */
  readonly card: string;
  /** The payment token of the device's wallet, in base64. */
  readonly walletToken: string;
  /** The payer's address: wallet payments need it. */
  readonly ip: string;
}

const reasons: Readonly<Record<string, string>> = {
  'wrong code': 'The BLIK code is wrong or no longer valid.',
  'insufficient funds': 'There is not enough money in the account.',
  'payer rejected': 'The payment was refused in the bank’s app.',
  'instrument rejected': 'The bank refused the card.',
  'instrument invalid': 'The card is not valid.',
  'authentication failed': 'The bank could not confirm that it was you.',
};

/** Both answer where the payer goes next. */
export class Checkouts {
  readonly #grosz: Grosz;
  readonly #orders: Orders;
  readonly #shopUrl: string;
  readonly #now: () => Date;

  constructor(grosz: Grosz, orders: Orders, shopUrl: string, now: () => Date) {
    this.#grosz = grosz;
    this.#orders = orders;
    this.#shopUrl = shopUrl;
    this.#now = now;
  }

  async checkOut(wish: Checkout): Promise<string> {
    const orderPath = `/orders/${wish.orderId}`;
    this.#orders.insert({ ...wish, id: wish.orderId, createdAt: this.#now().toISOString() });
    // Sent twice: the order goes on from where it is. One whose answer was lost on the way is asked for again.
    if (this.#orders.find(wish.orderId)?.transactionId) return orderPath;
    const created = await this.#grosz.createTransaction(wish.orderId, {
      ...this.#transactionOf({ ...wish, id: wish.orderId }),
      payer: { email: wish.email, ...(wish.way === 'wallet' ? { ip: wish.ip } : {}) },
      ...(wish.way === 'wallet' ? { pay: { channelId: 75 } } : {}),
    });
    this.#orders.saveTransaction(wish.orderId, created);
    if (wish.way === 'redirect') return created.transactionPaymentUrl;
    if (wish.way === 'form') return `${orderPath}/form`;
    const order = this.#orders.find(wish.orderId);
    return order ? this.#payHere(order, wish) : orderPath;
  }

  #transactionOf({ id, items, totalGrosz, email }: Pick<Order, 'id' | 'items' | 'totalGrosz' | 'email'>) {
    const address = `${this.#shopUrl}/orders/${id}`;
    return {
      amount: totalGrosz / 100,
      description: `Order ${id}: ${items}`.slice(0, 128),
      hiddenDescription: id,
      payer: { email },
      callbacks: {
        payerUrls: { success: `${address}?paid`, error: `${address}?unpaid` },
        notification: { url: `${this.#shopUrl}/notifications` },
      },
    };
  }

  /**
   * A canceled transaction can no longer be paid, so the order gets another one, which the payer pays on the pay page. The
   * key names the canceled one: asked for twice, it is one.
   */
  async payAgain(order: Order): Promise<string> {
    const before = order.transactionId ?? '';
    const isCanceled = before !== '' && (await this.#grosz.transaction(before)).status === 'canceled';
    if (!isCanceled) return order.paymentUrl ?? `/orders/${order.id}`;
    const created = await this.#grosz.createTransaction(`${order.id}-after-${before}`, this.#transactionOf(order));
    this.#orders.replaceTransaction(order.id, created);
    return created.transactionPaymentUrl;
  }

  /** The answer says only how the attempt began; that the order is paid comes by notification. */
  async #payHere(order: Order, wish: Checkout): Promise<string> {
    const data = dataOf(order.way, wish);
    try {
      const paid = await this.#grosz.payTransaction(`${order.id}-pay`, order.transactionId ?? '', data);
      if (paid.result === 'failed') this.#orders.saveDeclined(order.id, reasonOf(paid));
      // 3-D Secure: the bank asks the payer on its own page.
      if (paid.result === 'pending' && order.way === 'card') return paid.transactionPaymentUrl;
    } catch (error) {
      if (!(error instanceof GroszRefusal) || error.status >= 500) throw error;
      this.#orders.saveDeclined(order.id, 'The payment details could not be read.');
    }
    return `/orders/${order.id}`;
  }
}

function dataOf(way: string, { blikCode, card, walletToken }: Checkout): object {
  if (way === 'blik') return { groupId: 150, blikPaymentData: { blikToken: blikCode } };
  if (way === 'wallet') return { channelId: 75, walletPayPaymentData: walletToken };
  return { channelId: 53, cardPaymentData: { card } };
}

/** Why a payment was declined, for the payer. */
export function reasonOf({ payments }: Pick<Transaction, 'payments'>): string {
  return reasons[payments.errors?.[0]?.errorMessage ?? ''] ?? 'The payment did not succeed.';
}

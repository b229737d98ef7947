// The addresses of the market, below /market.

import type { DatabaseSync } from 'node:sqlite';
import { Grosz, GroszRefusal, type Split } from './grosz.ts';
import type { Answer, Fields } from './http.ts';
import { marketProducts, sumOf } from './market.ts';
import { type MarketAccess, type MarketCheckout, MarketCheckouts, openMarketNotifications } from './market-checkout.ts';
import { officeOrderPage, officePage, previewPage, refusedPage } from './market-office.ts';
import { marketCartPage, marketOrderPage, marketProductsPage } from './market-pages.ts';
import { readRefund } from './market-refunds.ts';
import { newOrderId, type Order, Orders } from './orders.ts';
import { cameBy } from './pages.ts';
import { changeCart, countOf, formatCart, readCart } from './products.ts';

export type { MarketAccess } from './market-checkout.ts';

/** The market: what it shows, what is sent to it, and the notifications that it gets. */
export class Market {
  readonly receive: ReturnType<typeof openMarketNotifications>;
  readonly #access: MarketAccess;
  readonly #grosz: Grosz;
  readonly #orders: Orders;
  readonly #checkouts: MarketCheckouts;

  constructor(access: MarketAccess, db: DatabaseSync, shopUrl: string, now: () => Date) {
    this.#access = access;
    this.#grosz = new Grosz(access);
    this.#orders = new Orders(db, 'market_');
    this.#checkouts = new MarketCheckouts(this.#grosz, this.#orders, access, shopUrl, now);
    this.receive = openMarketNotifications(access, this.#orders, now);
  }

  /** The names of accounts by id; the market's own is not among its sellers. */
  async #names(): Promise<(id: string) => string> {
    const sellers = await this.#grosz.sellers();
    return (id) => sellers.get(id) ?? 'The market';
  }

  /** What Grosz says of an order; undefined while it has not been sent. */
  async #splitOf({ transactionId }: Order): Promise<Split | undefined> {
    return transactionId === null ? undefined : this.#grosz.split(transactionId);
  }

  async get({ pathname: path, searchParams }: URL, cookie: string): Promise<Answer | undefined> {
    const cart = readCart(cookie, marketProducts);
    if (path === '/market/office') {
      const statuses = await this.#grosz.splitStatuses();
      const rows = this.#orders.list().map((order) => ({
        order,
        status: statuses.get(order.transactionId ?? ''),
        arrived: this.#orders.listArrived(order.id),
      }));
      return { body: officePage(rows) };
    }
    if (path === '/market' || path === '/market/cart') {
      const nameOf = await this.#names();
      const sellers = this.#access.sellers.map(nameOf);
      if (path === '/market') return { body: marketProductsPage(sellers, countOf(cart)) };
      return { body: marketCartPage(cart, sellers, newOrderId(), await this.#grosz.ways(sumOf(cart))) };
    }
    const [, place, id = '', rest = ''] = /^\/market\/(orders|office)\/([A-Z0-9]+)(\/[a-z]+)?$/.exec(path) ?? [];
    const order = this.#orders.find(id);
    if (!order) return undefined;
    if (place === 'office') return this.#office(order, rest, searchParams);
    if (rest === '/status') return { type: 'application/json', body: JSON.stringify({ status: order.status }) };
    const [nameOf, split] = await Promise.all([this.#names(), this.#splitOf(order)]);
    // The cart is done with once its order is seen.
    return { body: marketOrderPage(order, split, nameOf, cameBy(searchParams)), cookie: 'market=' };
  }

  async #office(order: Order, rest: string, query: URLSearchParams): Promise<Answer | undefined> {
    const [nameOf, split] = await Promise.all([this.#names(), this.#splitOf(order)]);
    if (rest === '') return { body: officeOrderPage(order, split, nameOf) };
    if (rest !== '/refund' || !split) return undefined;
    const body = readRefund((name) => query.get(name) ?? '', split);
    if (!body) return unreadable(order);
    return orRefused(order, async () => {
      const preview = await this.#grosz.previewRefund(split.transactionId, body);
      return { body: previewPage(order, preview, nameOf, [...query, ['key', newOrderId()]]) };
    });
  }

  async post(path: string, given: Fields, cookie: string): Promise<Answer | undefined> {
    const cart = readCart(cookie, marketProducts);
    if (path === '/market/cart') {
      const product = marketProducts.find(({ id }) => id === given('id'));
      const changed = changeCart(cart, product, given('change') === '-1' ? -1 : 1);
      return { location: '/market/cart', cookie: `market=${formatCart(changed)}` };
    }
    if (path === '/market/checkout') {
      const orderId = given('orderId');
      if (cart.length === 0 || !/^[A-Z0-9]{10}$/.test(orderId)) return { location: '/market/cart' };
      const way = given('way') === 'blik' || given('way') === 'card' ? given('way') : 'redirect';
      const language = given('language') === 'PL' ? 'PL' : 'EN';
      const payer = { name: given('name'), email: given('email'), language, way, blikCode: given('blikCode') };
      return {
        location: await this.#checkouts.checkOut({ ...payer, orderId, cart, card: given('card') } as MarketCheckout),
      };
    }
    const [, place, id = ''] = /^\/market\/(office|orders)\/([A-Z0-9]+)\/(?:refund|pay)$/.exec(path) ?? [];
    const order = this.#orders.find(id);
    if (!order) return undefined;
    return place === 'office' ? this.#refund(order, given) : this.#pay(order);
  }

  /** Again, after the payment was canceled; otherwise the order's page says what can be done. */
  async #pay(order: Order): Promise<Answer> {
    const split = await this.#splitOf(order);
    return {
      location:
        split?.status === 'canceled' ? await this.#checkouts.payAgain(order, split) : `/market/orders/${order.id}`,
    };
  }

  /** The key was drawn with the preview: the form can be sent twice and still be one refund. */
  async #refund(order: Order, given: Fields): Promise<Answer | undefined> {
    const split = await this.#splitOf(order);
    const body = split && readRefund(given, split);
    if (!body || !/^[A-Z0-9]{10}$/.test(given('key'))) return unreadable(order);
    return orRefused(order, async () => {
      await this.#grosz.refundSplit(`${order.id}-refund-${given('key')}`, split.transactionId, body);
      return { location: `/market/office/${order.id}` };
    });
  }
}

function unreadable(order: Order): Answer {
  return { status: 400, body: refusedPage(order, ['Enter a quantity, or an amount such as 12.50.']) };
}

/** What Grosz refuses is shown with its reasons: more than is left, or a balance that is too low. */
async function orRefused(order: Order, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GroszRefusal) || error.status >= 500) throw error;
    return { status: 409, body: refusedPage(order, error.reasons) };
  }
}

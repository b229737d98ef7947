// The shop's server: Node's own http, a table of routes, one SQLite file.

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Checkout, openCheckout } from './checkout.ts';
import { Grosz, type GroszAccess, GroszRefusal } from './grosz.ts';
import { type Answer, cookieOf, type Fields, isOwnForm, isOwnHost, readBytes, send } from './http.ts';
import { type MarketAccess, openMarket } from './market-routes.ts';
import { type NotificationSecrets, openNotifications } from './notifications.ts';
import { newOrderId, type Order, Orders } from './orders.ts';
import { cameBy, cartPage, faultPage, formPage, orderPage, ordersPage, productsPage, refundPage } from './pages.ts';
import { changeCart, countOf, formatCart, type Line, products, readCart, totalOf } from './products.ts';
import { cancelPage, subscriptionsPage } from './subscription-pages.ts';
import { newRecurringId, Subscriptions } from './subscriptions.ts';

export interface ShopOptions {
  readonly host: string;
  readonly port: number;
  /** For `shop.sqlite`. */
  readonly dataDir: string;
  readonly grosz: GroszAccess & NotificationSecrets;
  /** The account of the market; without it there is none. */
  readonly market?: MarketAccess;
  /** The wallet vendor's script, which provides the session object where the browser itself has none. */
  readonly walletScript?: string;
  readonly onError?: (error: unknown) => void;
}

export interface Shop {
  readonly url: string;
  close(): Promise<void>;
}

/** Our forms have fewer fields; thousands of empty ones would take long to read. */
const fieldsAtMost = 20;
const lockedMilliseconds = 5_000;

/** Another shop may have the file open, of a second start on the same folder: they take turns. */
function openFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: lockedMilliseconds });
  db.exec('pragma journal_mode = wal');
  return db;
}

/** Starts the shop; it answers once this resolves. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${options.port}`;
  const now = () => new Date();
  const db = openFile(join(options.dataDir, 'shop.sqlite'));
  const orders = new Orders(db);
  const grosz = new Grosz(options.grosz);
  const { checkOut, payAgain } = openCheckout(grosz, orders, url, now);
  const subscriptions = new Subscriptions(db, grosz, url);
  const receive = openNotifications(options.grosz, orders, subscriptions, now);
  const market = options.market && openMarket(options.market, db, url, now);
  const file = (name: string) => readFile(new URL(`./web/${name}`, import.meta.url), 'utf8');
  const [style, script] = await Promise.all([file('shop.css'), file('shop.js')]);
  const [walletScript, formScript] = await Promise.all([file('wallet.js'), file('form.js')]);
  const { baseUrl } = options.grosz;
  const vendor = options.walletScript === undefined ? '' : new URL(options.walletScript).origin;
  const origins = { grosz: new URL(baseUrl).origin, vendor };
  let association: string | undefined;

  async function get(address: URL, request: IncomingMessage): Promise<Answer | undefined> {
    const { pathname: path, searchParams } = address;
    if (path.startsWith('/market')) return market?.get(address, cookieOf(request, 'market'));
    const cart = readCart(cookieOf(request, 'cart'), products);
    const count = countOf(cart);
    if (path === '/') return { body: productsPage(count) };
    if (path === '/cart') return { body: cartPage(cart, newOrderId(), await grosz.cardKey(), options.walletScript) };
    if (path === '/subscriptions') {
      const newId = newRecurringId(now().getTime());
      const [views, key, clock] = await Promise.all([subscriptions.list(), grosz.cardKey(), grosz.clock()]);
      return { body: subscriptionsPage(views, newId, key, clock, count) };
    }
    if (path === '/subscriptions/cancel') {
      const subscription = subscriptions.find(searchParams.get('id') ?? '');
      return subscription && { body: cancelPage(subscription) };
    }
    if (path === '/orders') {
      return {
        body: ordersPage(
          orders.list().map((order) => ({ order, arrived: orders.listArrived(order.id) })),
          count,
        ),
      };
    }
    if (path === '/shop.css') return { type: 'text/css', body: style };
    if (path === '/shop.js') return { type: 'text/javascript', body: script };
    if (path === '/wallet.js') return { type: 'text/javascript', body: walletScript };
    if (path === '/form.js') return { type: 'text/javascript', body: formScript };
    if (path === '/.well-known/wallet-developer-merchantid-domain-association') {
      association ??= await grosz.walletAssociation();
      return { type: 'text/plain', body: association };
    }
    const [, id = '', rest] = /^\/orders\/([A-Z0-9]+)(\/status|\/refund|\/form)?$/.exec(path) ?? [];
    const order = orders.find(id);
    if (!order) return undefined;
    if (rest === '/refund') return { body: refundPage(order) };
    if (rest === '/form')
      return order.status === 'new' ? { body: formPage(order, baseUrl) } : { location: `/orders/${id}` };
    if (rest) return { type: 'application/json', body: JSON.stringify({ status: order.status }) };
    // The cart is done with once its order is seen.
    return { body: orderPage(order, cameBy(searchParams), await isCanceled(order)), cookie: 'cart=' };
  }

  /** Canceling is not notified, so Grosz is asked; without an answer the page says what is known here. */
  async function isCanceled({ status, transactionId }: Order): Promise<boolean> {
    if (status === 'paid' || status === 'refunded' || transactionId === null) return false;
    return grosz.transaction(transactionId).then(
      (transaction) => transaction.status === 'canceled',
      () => false,
    );
  }

  /** What staff and payers do with an order that exists. */
  async function changeOrder(path: string): Promise<Answer | undefined> {
    const [, id = '', action] = /^\/orders\/([A-Z0-9]+)\/(pay|refund)$/.exec(path) ?? [];
    const order = orders.find(id);
    if (!order) return undefined;
    if (action === 'pay') return { location: await payAgain(order) };
    try {
      // The order becomes refunded by notification. The key: asked for twice, it is one refund.
      await grosz.refundTransaction(`${id}-refund`, order.transactionId ?? '');
      orders.saveRefundAsked(id);
      return { location: '/orders' };
    } catch (error) {
      if (!(error instanceof GroszRefusal) || error.status >= 500) throw error;
      return { status: 409, body: faultPage('This cannot be refunded', error.reasons.join(' ')) };
    }
  }

  async function post(path: string, request: IncomingMessage): Promise<Answer | undefined> {
    const signed = path === '/notifications' || path === '/market/notifications';
    if (!signed && !(isOwnForm(request) && isOwnHost(request, options.host))) {
      return { status: 403, body: faultPage('That was not our form', 'Nothing was ordered or changed.') };
    }
    const body = await readBytes(request);
    const received = { headers: request.headers, body };
    if (path === '/market/notifications') return market?.receive(received);
    if (path === '/notifications') {
      const { status, text } = await receive(received);
      return { status, type: 'text/plain', body: text };
    }
    const form = new URLSearchParams(body.toString('utf8').split('&', fieldsAtMost).join('&'));
    const given = (name: string) => form.get(name) ?? '';
    if (path.startsWith('/market')) return market?.post(path, given, cookieOf(request, 'market'));
    if (path.startsWith('/subscriptions')) return subscription(path, given);
    if (path.startsWith('/orders/')) return changeOrder(path);
    const cart = readCart(cookieOf(request, 'cart'), products);
    if (path === '/cart') {
      const change = given('change') === '-1' ? -1 : 1;
      const product = products.find(({ id }) => id === given('id'));
      return { location: '/cart', cookie: `cart=${formatCart(changeCart(cart, product, change))}` };
    }
    if (path === '/wallet/session') return walletSession(given('validationUrl'));
    if (path === '/wallet/pay') return payByWallet(given, cart, request.socket.remoteAddress ?? '');
    if (path !== '/checkout') return undefined;
    if (cart.length === 0 || !/^[A-Z0-9]{10}$/.test(given('orderId'))) return { location: '/cart' };
    const way = ['form', 'blik', 'card'].find((name) => name === given('way')) ?? 'redirect';
    const items = itemsOf(cart);
    const wish = { orderId: given('orderId'), email: given('email'), items, totalGrosz: totalOf(cart), way };
    return { location: await checkOut({ ...wish, blikCode: given('blikCode'), card: given('card') } as Checkout) };
  }

  /** The page has the vendor's validation URL; the session for it is asked for here, with the shop's credentials. */
  async function walletSession(validationUrl: string): Promise<Answer> {
    try {
      const session = await grosz.walletSession(new URL(url).host, 'Leaf & Cup', validationUrl);
      return { type: 'application/json', body: JSON.stringify(session) };
    } catch (error) {
      if (!(error instanceof GroszRefusal)) throw error;
      options.onError?.(error);
      return { status: 502, type: 'application/json', body: '{}' };
    }
  }

  /** The payer confirmed: one transaction, paid with the token. Whether it is paid comes by notification. */
  async function payByWallet(given: Fields, cart: readonly Line[], ip: string): Promise<Answer> {
    const orderId = given('orderId');
    if (cart.length === 0 || !/^[A-Z0-9]{10}$/.test(orderId))
      return { status: 400, type: 'application/json', body: '{}' };
    const items = itemsOf(cart);
    const wish = { orderId, email: given('email'), items, totalGrosz: totalOf(cart), way: 'wallet' as const };
    const location = await checkOut({ ...wish, ip, walletToken: given('token'), blikCode: '', card: '' });
    const paid = orders.find(orderId)?.status !== 'declined';
    return { type: 'application/json', body: JSON.stringify({ paid, location }) };
  }

  async function subscription(path: string, given: Fields): Promise<Answer | undefined> {
    const id = given('id');
    if (path === '/subscriptions' && /^[0-9A-Z]{26}$/.test(id)) {
      return { location: await subscriptions.subscribe(id, given('email'), given('card'), now().toISOString()) };
    }
    if (path === '/subscriptions/clock') await grosz.moveClock(given('advance') === 'P1M' ? 'P1M' : 'P1D');
    if (path === '/subscriptions/change' && given('action') === 'cancel') await subscriptions.cancel(id);
    else if (path === '/subscriptions/change') await subscriptions.changeCard(id, given('action') === 'good');
    return { location: '/subscriptions' };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', url);
    const found = await (request.method === 'POST' ? post(address.pathname, request) : get(address, request));
    send(response, found ?? { status: 404, body: faultPage('Not found', 'There is no such page.') }, origins);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.onError?.(error);
      send(response, { status: 502, body: faultPage('That did not work', 'Please try again in a moment.') });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  }).catch((error: unknown) => {
    db.close();
    throw error;
  });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          db.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function itemsOf(cart: readonly Line[]): string {
  return cart.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(', ');
}

// What the shop shows.

import type { IncomingMessage } from 'node:http';
import { type Answer, cookieOf } from './http.ts';
import { newOrderId, type Order } from './orders.ts';
import { cameBy, cartPage, formPage, orderPage, ordersPage, productsPage, refundPage } from './pages.ts';
import type { Parts } from './parts.ts';
import { countOf, products, readCart, totalOf } from './products.ts';
import { cancelPage, subscriptionsPage } from './subscription-pages.ts';
import { box, newRecurringId } from './subscriptions.ts';

export async function get(parts: Parts, address: URL, request: IncomingMessage): Promise<Answer | undefined> {
  const { orders, grosz, market, files, walletScript } = parts;
  const { pathname: path, searchParams } = address;
  if (path.startsWith('/market')) return market?.get(address, cookieOf(request, 'market'));
  const cart = readCart(cookieOf(request, 'cart'), products);
  const count = countOf(cart);
  if (path === '/') return { body: productsPage(count) };
  if (path === '/cart') {
    return { body: cartPage(cart, newOrderId(), await grosz.ways(totalOf(cart)), walletScript) };
  }
  if (path.startsWith('/subscriptions')) return subscription(parts, address, count);
  if (path === '/orders') {
    return {
      body: ordersPage(
        orders.list().map((order) => ({ order, arrived: orders.listArrived(order.id) })),
        count,
      ),
    };
  }
  const file = files.get(path);
  if (file) return file;
  if (path === '/.well-known/wallet-developer-merchantid-domain-association')
    return { type: 'text/plain', body: await parts.association() };
  return ofOrder(parts, path, searchParams);
}

async function subscription(
  { grosz, subscriptions, now }: Parts,
  { pathname: path, searchParams }: URL,
  count: number,
): Promise<Answer | undefined> {
  if (path === '/subscriptions') {
    const newId = newRecurringId(now().getTime());
    const [views, ways, clock] = await Promise.all([subscriptions.list(), grosz.ways(box.priceGrosz), grosz.clock()]);
    return { body: subscriptionsPage(views, newId, ways, clock, count) };
  }
  if (path === '/subscriptions/cancel') {
    const subscription = subscriptions.find(searchParams.get('id') ?? '');
    return subscription && { body: cancelPage(subscription) };
  }
  return undefined;
}

async function ofOrder(parts: Parts, path: string, query: URLSearchParams): Promise<Answer | undefined> {
  const { orders, baseUrl } = parts;
  const [, id = '', rest] = /^\/orders\/([A-Z0-9]+)(\/status|\/refund|\/form)?$/.exec(path) ?? [];
  const order = orders.find(id);
  if (!order) return undefined;
  if (rest === '/refund') return { body: refundPage(order) };
  if (rest === '/form')
    return order.status === 'new' ? { body: formPage(order, baseUrl) } : { location: `/orders/${id}` };
  if (rest) return { type: 'application/json', body: JSON.stringify({ status: order.status }) };
  // The cart is done with once its order is seen.
  return { body: orderPage(order, cameBy(query), await isCanceled(parts, order)), cookie: 'cart=' };
}

/** Canceling is not notified, so Grosz is asked; without an answer the page says what is known here. */
async function isCanceled({ grosz }: Parts, { status, transactionId }: Order): Promise<boolean> {
  if (status === 'paid' || status === 'refunded' || transactionId === null) return false;
  return grosz.transaction(transactionId).then(
    (transaction) => transaction.status === 'canceled',
    () => false,
  );
}

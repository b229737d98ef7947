// What payers and staff send to the shop.

import type { IncomingMessage } from 'node:http';
import type { Checkout } from './checkout.ts';
import { GroszRefusal } from './grosz.ts';
import { type Answer, cookieOf, type Fields, isOwnForm, isOwnHost, readBytes } from './http.ts';
import { faultPage } from './pages.ts';
import type { Parts } from './parts.ts';
import { changeCart, formatCart, type Line, products, readCart, totalOf } from './products.ts';

/** Our forms have fewer fields; thousands of empty ones would take long to read. */
const fieldsAtMost = 20;

export async function post(parts: Parts, path: string, request: IncomingMessage): Promise<Answer | undefined> {
  const { host, market, receive } = parts;
  const signed = path === '/notifications' || path === '/market/notifications';
  if (!signed && !(isOwnForm(request) && isOwnHost(request, host))) {
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
  if (path.startsWith('/subscriptions')) return subscription(parts, path, given);
  if (path.startsWith('/orders/')) return changeOrder(parts, path);
  const cart = readCart(cookieOf(request, 'cart'), products);
  if (path === '/cart') {
    const change = given('change') === '-1' ? -1 : 1;
    const product = products.find(({ id }) => id === given('id'));
    return { location: '/cart', cookie: `cart=${formatCart(changeCart(cart, product, change))}` };
  }
  if (path === '/wallet/session') return walletSession(parts, given('validationUrl'));
  if (path === '/wallet/pay') return payByWallet(parts, given, cart, request.socket.remoteAddress ?? '');
  if (path !== '/checkout') return undefined;
  if (cart.length === 0 || !/^[A-Z0-9]{10}$/.test(given('orderId'))) return { location: '/cart' };
  const way = ['form', 'blik', 'card'].find((name) => name === given('way')) ?? 'redirect';
  const items = itemsOf(cart);
  const wish = { orderId: given('orderId'), email: given('email'), items, totalGrosz: totalOf(cart), way };
  return {
    location: await parts.checkout.checkOut({ ...wish, blikCode: given('blikCode'), card: given('card') } as Checkout),
  };
}

/** What staff and payers do with an order that exists. */
async function changeOrder({ orders, grosz, checkout }: Parts, path: string): Promise<Answer | undefined> {
  const [, id = '', action] = /^\/orders\/([A-Z0-9]+)\/(pay|refund)$/.exec(path) ?? [];
  const order = orders.find(id);
  if (!order) return undefined;
  if (action === 'pay') return { location: await checkout.payAgain(order) };
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

/** The page has the vendor's validation URL; the session for it is asked for here, with the shop's credentials. */
async function walletSession({ grosz, url, onError }: Parts, validationUrl: string): Promise<Answer> {
  try {
    const session = await grosz.walletSession(new URL(url).host, 'Leaf & Cup', validationUrl);
    return { type: 'application/json', body: JSON.stringify(session) };
  } catch (error) {
    if (!(error instanceof GroszRefusal)) throw error;
    onError?.(error);
    return { status: 502, type: 'application/json', body: '{}' };
  }
}

/** The payer confirmed: one transaction, paid with the token. Whether it is paid comes by notification. */
async function payByWallet(
  { orders, checkout }: Parts,
  given: Fields,
  cart: readonly Line[],
  ip: string,
): Promise<Answer> {
  const orderId = given('orderId');
  if (cart.length === 0 || !/^[A-Z0-9]{10}$/.test(orderId))
    return { status: 400, type: 'application/json', body: '{}' };
  const items = itemsOf(cart);
  const wish = { orderId, email: given('email'), items, totalGrosz: totalOf(cart), way: 'wallet' as const };
  const location = await checkout.checkOut({ ...wish, ip, walletToken: given('token'), blikCode: '', card: '' });
  const paid = orders.find(orderId)?.status !== 'declined';
  return { type: 'application/json', body: JSON.stringify({ paid, location }) };
}

async function subscription(
  { grosz, subscriptions, now }: Parts,
  path: string,
  given: Fields,
): Promise<Answer | undefined> {
  const id = given('id');
  if (path === '/subscriptions' && /^[0-9A-Z]{26}$/.test(id)) {
    return { location: await subscriptions.subscribe(id, given('email'), given('card'), now().toISOString()) };
  }
  if (path === '/subscriptions/clock') await grosz.moveClock(given('advance') === 'P1M' ? 'P1M' : 'P1D');
  if (path === '/subscriptions/change' && given('action') === 'cancel') await subscriptions.cancel(id);
  else if (path === '/subscriptions/change') await subscriptions.changeCard(id, given('action') === 'good');
  return { location: '/subscriptions' };
}

function itemsOf(cart: readonly Line[]): string {
  return cart.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(', ');
}

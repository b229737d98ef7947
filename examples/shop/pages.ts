// The pages of the shop.

import { type Html, html } from './html.ts';
import type { Arrived, Order, OrderStatus } from './orders.ts';
import { countOf, type Line, type Product, products, totalOf } from './products.ts';

const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'PLN' });

export function price(grosz: number): string {
  return format.format(grosz / 100);
}

/** Of the shop's account. The service tells times in UTC and charges in this zone; people read one of them. */
const zone = 'Europe/Warsaw';

export function timeText(at: string): string {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}

const tea = html`<a href="/market">Market</a><a href="/subscriptions">Subscriptions</a><a href="/orders">Orders</a>`;

/** `count` is how much is in the cart. Each part of the site has its own links and its own cart. */
export function page(
  title: string,
  count: number,
  content: Html,
  head?: Html,
  { links, cart }: { readonly links: Html; readonly cart: string } = { links: tea, cart: '/cart' },
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Leaf & Cup</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
<script type="module" src="/shop.js"></script>
${head}</head>
<body>
<header><a class="brand" href="/">Leaf <span>&amp;</span> Cup</a><nav>${links}<a href="${cart}">Cart${count > 0 && html` <b>${count}</b>`}</a></nav></header>
<main>
${content}
</main>
<footer><p>A demo shop. Nothing is sent, and no money moves.</p></footer>
</body>
</html>
`.text;
}

export function tin({ color }: Product): Html {
  return html`<svg class="tin" viewBox="0 0 120 120" aria-hidden="true"><ellipse cx="60" cy="106" rx="40" ry="6" fill="#000" opacity=".08"/><rect x="28" y="30" width="64" height="74" rx="7" fill="${color}"/><rect x="24" y="18" width="72" height="18" rx="6" fill="${color}"/><rect x="24" y="18" width="72" height="18" rx="6" fill="#fff" opacity=".22"/><circle cx="60" cy="70" r="19" fill="#fffaf0"/><path d="M60 82c-9-5-11-15-6-24 8 2 14 9 12 19zM60 82c0-6-1-11-4-16" fill="none" stroke="${color}" stroke-width="2.5" stroke-linecap="round"/></svg>`;
}

export function productsPage(count: number): string {
  const cards = products.map(
    (product) => html`
<li class="product">${tin(product)}
<h2>${product.name}</h2><p>${product.about}</p>
<form method="post" action="/cart"><strong>${price(product.priceGrosz)}</strong><input type="hidden" name="id" value="${product.id}"><button aria-label="Add ${product.name} to the cart">Add</button></form></li>`,
  );
  return page(
    'Tea',
    count,
    html`<h1>Tea, freshly imported</h1><p class="lead">100 g each, packed by hand.</p><ul class="products">${cards}</ul>`,
  );
}

function cartLine({ product, quantity }: Line): Html {
  return html`<tr><th scope="row">${product.name}</th><td>${stepsHtml('/cart', product, String(quantity))}</td><td class="sum">${price(product.priceGrosz * quantity)}</td></tr>`;
}

/** One less, how much, one more. */
export function stepsHtml(action: string, { id, name }: Pick<Product, 'id' | 'name'>, quantity: string): Html {
  const step = (change: number, label: string, sign: string) =>
    html`<button name="change" value="${change}" aria-label="${label} ${name}">${sign}</button>`;
  return html`<form class="steps" method="post" action="${action}"><input type="hidden" name="id" value="${id}">${step(-1, 'One less', '−')}<span>${quantity}</span>${step(1, 'One more', '+')}</form>`;
}

export const needsScript = html`<noscript><p class="needs">Needs JavaScript: it encrypts the card before it leaves this page.</p></noscript>`;

/**
 * The fields have no names: the browser encrypts them, and the form cannot send them. What sends them is disabled until
 * the script that encrypts is there.
 */
export function cardFields(): Html {
  return html`<label class="field">Card number<input data-card="number" inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="4111 1111 1111 1111"></label>
<div class="pair"><label class="field">Expiration (MM/YY)<input data-card="expiry" inputmode="numeric" autocomplete="cc-exp" maxlength="5" placeholder="12/39"></label><label class="field">Security code<input data-card="code" inputmode="numeric" autocomplete="cc-csc" maxlength="4" placeholder="123"></label></div>
<p class="fault" role="alert"></p>`;
}

/** What can be paid with now, and how. */
export interface Ways {
  /** The ids of the channels that take this amount. */
  readonly offered: ReadonlySet<string>;
  /** With which the browser encrypts cards; undefined: they are entered on the pay page only. */
  readonly cardKey: string | undefined;
}

const [cardChannel, blikChannel, walletChannel] = ['53', '64', '75'];

/** Whether a card can be entered in a form of the shop. */
export function takesCards({ offered, cardKey }: Ways): boolean {
  return offered.has(cardChannel) && cardKey !== undefined;
}

const formWay = html`<div class="way"><label><input type="radio" name="way" value="form"> On this page, in the embedded form</label><p>Card or BLIK.</p></div>\n`;

const blikWay = html`<div class="way"><label><input type="radio" name="way" value="blik"> BLIK, here</label>
<div class="data"><label class="field">BLIK code<input name="blikCode" inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}" placeholder="777123"></label></div></div>\n`;

const cardWay = html`<div class="way"><label><input type="radio" name="way" value="card" disabled data-needs-script> Card, here</label>${needsScript}
<div class="data">${cardFields()}</div></div>\n`;

/** On the pay page, or here what is taken here; `withForm`: also in the form that the pay page lends. */
export function waysHtml(ways: Ways, withForm = false): Html {
  const [card, blik] = [takesCards(ways), ways.offered.has(blikChannel)];
  return html`<fieldset><legend>How do you want to pay?</legend>
<div class="way"><label><input type="radio" name="way" value="redirect" checked> On the secure payment page</label><p>All methods; you come back here.</p></div>
${withForm && (card || blik) && formWay}${blik && blikWay}${card && cardWay}</fieldset>`;
}

/** `orderId` is drawn now, so that the form can be sent twice and still be one order. */
export function cartPage(
  lines: readonly Line[],
  orderId: string,
  ways: Ways,
  walletScript: string | undefined,
): string {
  const count = countOf(lines);
  if (lines.length === 0)
    return page('Cart', 0, html`<h1>Your cart is empty</h1><p><a class="main" href="/">Choose some tea</a></p>`);
  const total = price(totalOf(lines));
  return page(
    'Cart',
    count,
    html`<h1>Your cart</h1>
<table class="cart"><caption class="away">What you buy</caption><tbody>${lines.map(cartLine)}</tbody><tfoot><tr><th scope="row" colspan="2">Total</th><td class="sum">${total}</td></tr></tfoot></table>
<form class="checkout" method="post" action="/checkout" data-key="${ways.cardKey ?? ''}">
<input type="hidden" name="orderId" value="${orderId}"><input type="hidden" name="card" value="">
<label class="field">Email<input type="email" name="email" required autocomplete="email" value="jan.nowak@example.com"></label>
${waysHtml(ways, true)}
<button class="main">Order and pay ${total}</button>
${ways.offered.has(walletChannel) && walletHtml(totalOf(lines))}</form>`,
    html`${walletScript !== undefined && html`<script defer src="${walletScript}"></script>\n`}<script type="module" src="/wallet.js"></script>\n`,
  );
}

function walletHtml(totalGrosz: number): Html {
  return html`<div class="wallet" hidden data-amount="${(totalGrosz / 100).toFixed(2)}"><p class="or">or</p><button class="main" type="button">Pay with the wallet</button><p class="fault" role="alert"></p></div>\n`;
}

/** The embedded form: card data goes from its frame to Grosz. The link in it is for browsers without a script. */
export function formPage({ id, items, totalGrosz, paymentUrl }: Order, baseUrl: string): string {
  return page(
    'Payment',
    0,
    html`<h1>Pay ${price(totalGrosz)}</h1>
<p class="lead">Order ${id}: ${items}</p>
<div id="payment" data-pay-url="${paymentUrl ?? ''}" data-order-path="/orders/${id}"><a class="main" href="${paymentUrl ?? ''}">Open the payment page</a></div>
<p class="said" role="status"></p>
<p><a class="quiet" href="/orders/${id}?unpaid">Pay later</a></p>`,
    html`<script defer src="${baseUrl}/embed.js"></script>\n<script defer src="/form.js"></script>\n`,
  );
}

const statusTexts: Readonly<Record<OrderStatus, { title: string; text: string; mood: string }>> = {
  new: {
    title: 'Waiting for the payment',
    text: 'We have not heard of it yet. This page goes on by itself.',
    mood: 'wait',
  },
  declined: { title: 'The payment was declined', text: 'You were not charged.', mood: 'bad' },
  paid: { title: 'Thank you, your order is paid', text: 'Your tea is being packed.', mood: 'good' },
  refunded: { title: 'Your order was refunded', text: 'The money is on its way back to you.', mood: 'wait' },
  failed: { title: 'The payment was not made', text: 'You were not charged.', mood: 'bad' },
};

/** A canceled payment can no longer be made; the order can be paid by another one. */
const canceledPayment = {
  title: 'The payment was canceled',
  text: 'You were not charged. You can still pay for this order.',
  mood: 'bad',
};

const unfinished = {
  title: 'You have not paid yet',
  text: 'The payment was not finished. You were not charged.',
  mood: 'bad',
};

/** By which address the payer came back from the payment page, if they did. */
export function cameBy(query: URLSearchParams): 'paid' | 'unpaid' | undefined {
  if (query.has('unpaid')) return 'unpaid';
  return query.has('paid') ? 'paid' : undefined;
}

/**
 * The result: fed by the notification, not by the fact that the payer came here. Whoever was declined and then paid may be
 * here before the notification: that is waiting, not declined.
 */
export function resultOf({ status }: Pick<Order, 'status'>, came: ReturnType<typeof cameBy>, canceled = false) {
  if (canceled && status !== 'paid' && status !== 'refunded')
    return { ...canceledPayment, open: false, waits: false, canceled, came };
  const open = status === 'declined' || status === 'new';
  const waits = open && (came === 'paid' || (status === 'new' && came === undefined));
  return {
    ...(waits ? statusTexts.new : status === 'new' ? unfinished : statusTexts[status]),
    open,
    waits,
    canceled: false,
    came,
  };
}

/** `canceled`: Grosz says that the payment was canceled; that is not notified. */
export function orderPage(order: Order, came: ReturnType<typeof cameBy>, canceled: boolean): string {
  const result = resultOf(order, came, canceled);
  const details = html`<dl><div><dt>Order</dt><dd>${order.id}</dd></div><div><dt>For</dt><dd>${order.items}</dd></div><div><dt>Total</dt><dd>${price(order.totalGrosz)}</dd></div></dl>`;
  return page(
    result.title,
    0,
    resultHtml(order, result, details, html`<a class="quiet" href="/orders">All orders</a>`, `/orders/${order.id}/pay`),
  );
}

/** What became of an order, with a way to pay it while it is open. The page's script looks for news while it waits. */
export function resultHtml(
  order: Order,
  result: ReturnType<typeof resultOf>,
  details: Html,
  links: Html,
  payPath: string,
): Html {
  const { title, text, mood, open, waits, canceled, came } = result;
  const again = html`<form method="post" action="${payPath}"><button>Pay again</button></form>`;
  const payable = order.paymentUrl !== null && open;
  const declined = order.status === 'declined' && !waits;
  const label = declined ? 'Try again on the payment page' : 'Open the payment page';
  return html`<section class="result ${mood}" data-order="${order.id}" data-status="${order.status}"${waits && html` data-waits`}>
<h1>${title}</h1>
<p role="status">${waits || canceled ? '' : (order.note ?? '')} ${text}</p>
${details}
<div class="links">${canceled && again}${payable && html`<a class="${declined ? 'main' : 'quiet'}" href="${order.paymentUrl ?? ''}">${label}</a>`}${links}</div>
</section>
${waits && html`<noscript><p><a href="${came ? `?${came}` : '?'}">Look again</a></p></noscript>`}`;
}

export function ordersPage(orders: readonly { order: Order; arrived: readonly Arrived[] }[], count: number): string {
  const rows = orders.map(
    ({ order, arrived }) => html`
<li class="order"><h2><a href="/orders/${order.id}">${order.id}</a> <b class="${statusTexts[order.status].mood}">${order.status}</b></h2>
<p>${order.items} · ${price(order.totalGrosz)} · ${order.way} · <time datetime="${order.createdAt}">${timeText(order.createdAt)}</time></p>
${order.status === 'paid' && order.note !== null && html`<p role="status">${order.note}</p>`}
${order.status === 'paid' && order.note === null && html`<p><a class="quiet" href="/orders/${order.id}/refund" aria-label="Refund order ${order.id}">Refund</a></p>`}
${arrived.length === 0 ? html`<p class="none">No notification yet.</p>` : arrived.map(arrivedHtml)}</li>`,
  );
  const none = html`<p>There are none yet. <a href="/">Choose some tea.</a></p>`;
  return page(
    'Orders',
    count,
    html`<h1>Orders, and what arrived about them</h1>${rows.length > 0 ? html`<ul class="orders">${rows}</ul>` : none}`,
  );
}

/** Asked before anything moves. */
export function refundPage({ id, items, totalGrosz }: Order): string {
  return page(
    'Refund',
    0,
    html`<h1>Refund ${price(totalGrosz)}?</h1>
<p class="lead">The payer of order ${id} (${items}) gets the whole amount back. Nothing has moved yet.</p>
<form class="links" method="post" action="/orders/${id}/refund"><button class="main">Refund ${price(totalGrosz)}</button><a class="quiet" href="/orders">Back</a></form>`,
  );
}

function arrivedHtml({ id, arrivedAt, status, checks, body }: Arrived): Html {
  const fields = [...new URLSearchParams(body)].map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  return html`<details><summary><code>tr_status=${status}</code> ${timeText(arrivedAt)} <span class="checked">verified: ${checks}</span></summary><dl><div><dt>webhook-id</dt><dd>${id}</dd></div>${fields}</dl></details>`;
}

export function orderMood(status: OrderStatus): string {
  return statusTexts[status].mood;
}

export function faultPage(title: string, text: string): string {
  return page(title, 0, html`<h1>${title}</h1><p>${text}</p><p><a class="main" href="/">To the shop</a></p>`);
}

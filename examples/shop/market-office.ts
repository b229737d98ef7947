// The back office of the market: its orders, and refunds with a preview. A real one would ask who you are.

import type { Child, RefundPreview, Split } from './grosz.ts';
import { type Html, html } from './html.ts';
import { marketPage } from './market-pages.ts';
import { leftOf, partStatus } from './market-refunds.ts';
import type { Arrived, Order } from './orders.ts';
import { orderMood, price, timeText } from './pages.ts';

type NameOf = (id: string) => string;

interface OfficeRow {
  readonly order: Order;
  /** What Grosz says: canceling and refunds send no notification. */
  readonly status: Split['status'] | undefined;
  readonly arrived: readonly Arrived[];
}

export function officePage(orders: readonly OfficeRow[]): string {
  const rows = orders.map(
    ({ order, status, arrived }) => html`
<li class="order"><h2><a href="/market/office/${order.id}">${order.id}</a> ${statusHtml(order, status)}</h2>
<p>${order.items} · ${price(order.totalGrosz)} · ${order.way} · <time datetime="${order.createdAt}">${timeText(order.createdAt)}</time></p>
${arrived.length === 0 ? html`<p class="none">${status === 'canceled' ? 'No notification.' : 'No notification yet.'}</p>` : arrived.map(arrivedHtml)}</li>`,
  );
  const none = html`<p>There are no orders yet. <a href="/market">To the market</a></p>`;
  return marketPage(
    'Back office',
    0,
    html`<h1>Back office</h1>${rows.length > 0 ? html`<ul class="orders">${rows}</ul>` : none}`,
  );
}

function statusHtml(order: Order, status: OfficeRow['status']): Html {
  if (status === 'canceled') return html`<b class="bad">canceled</b>`;
  const shown = status === 'refund' ? 'refunded' : order.status;
  return html`<b class="${orderMood(shown)}">${shown}</b>`;
}

function arrivedHtml({ id, arrivedAt, status, checks, body }: Arrived): Html {
  return html`<details><summary><code>transactionStatus: ${status}</code> ${timeText(arrivedAt)} <span class="checked">verified: ${checks}</span></summary><dl><div><dt>webhook-id</dt><dd>${id}</dd></div><div><dt>body</dt><dd>${body}</dd></div></dl></details>`;
}

/** One order with everything that can be refunded. */
export function officeOrderPage(order: Order, split: Split | undefined, nameOf: NameOf): string {
  const left = split?.childTransactions.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0) ?? 0;
  const refundable = split?.status === 'paid' && left > 0;
  return marketPage(
    `Order ${order.id}`,
    0,
    html`<h1>Order ${order.id}</h1>
<p class="lead">${price(order.totalGrosz)}, ${split?.status ?? 'not sent to Grosz'} · ${order.email} · <a href="/market/orders/${order.id}">as the customer sees it</a></p>
${split?.childTransactions.map((child) => childHtml(order, child, nameOf(child.merchant.id), refundable))}
${
  refundable &&
  html`<section class="part"><h2>The whole order</h2>
<form class="ask" action="/market/office/${order.id}/refund"><input type="hidden" name="by" value="all"><p>${price(left)} are left.</p><button class="quiet">Refund everything</button></form></section>`
}
${split && split.refunds.length > 0 && html`<section><h2>Refunds</h2><ul class="refunds">${split.refunds.map(refundHtml)}</ul></section>`}
<p class="links"><a class="quiet" href="/market/office">All orders</a></p>`,
  );
}

function refundHtml({ amount, status, date }: Split['refunds'][number]): Html {
  return html`<li>${date.schedule} · ${price(amount)} · ${status}</li>`;
}

function childHtml({ id }: Order, child: Child, name: string, refundable: boolean): Html {
  const { amount, refunded, commission, fee, merchant, products } = child;
  const left = amount - refunded;
  const ask = html`<form class="ask" action="/market/office/${id}/refund"><input type="hidden" name="by" value="seller"><input type="hidden" name="seller" value="${merchant.id}">
<label class="field">Or an amount<input name="amount" required inputmode="decimal" pattern="[0-9]+([.,][0-9]{1,2})?" value="${(left / 100).toFixed(2)}" aria-label="Amount of ${name} to refund"></label><button class="quiet" aria-label="Refund an amount of ${name}">Refund</button></form>`;
  return html`<section class="part"><h2>${name} <b class="badge">${refundable || refunded > 0 ? partStatus(child) : 'not paid'}</b></h2>
<p>${price(amount)} · commission ${price(commission)} · fee ${price(fee)} · refunded ${price(refunded)}</p>
<ul class="parts">${products.map((product) => productHtml(id, child, product, refundable && left > 0))}</ul>
${refundable && left > 0 && ask}</section>`;
}

function productHtml(id: string, child: Child, product: Child['products'][number], refundable: boolean): Html {
  const { externalId, quantity, unitPrice, refundedQuantity } = product;
  const name = product.name || externalId;
  const left = leftOf(product);
  const ask = html`<form class="ask" action="/market/office/${id}/refund"><input type="hidden" name="by" value="product"><input type="hidden" name="child" value="${child.id}"><input type="hidden" name="product" value="${externalId}">
<input name="quantity" required inputmode="decimal" pattern="[0-9]+([.,][0-9]{1,6})?" value="${left}" aria-label="Quantity of ${name} to refund"><button class="quiet" aria-label="Refund ${name}">Refund</button></form>`;
  return html`<li class="line"><p><b>${name}</b><br>${quantity} × ${price(unitPrice)}${refundedQuantity > 0 && html`, ${refundedQuantity} refunded`}</p> ${refundable && left > 0 && ask}</li>`;
}

/** What a refund would do, before it is confirmed. The form sends the same fields again, and a key: once is enough. */
export function previewPage(
  { id }: Order,
  { amount, preview }: RefundPreview,
  nameOf: NameOf,
  fields: readonly (readonly [name: string, value: string])[],
): string {
  const accounts = preview.balances.map(({ merchantId, before, after }) => {
    const parts = preview.childTransactions.filter((part) => part.merchantId === merchantId);
    return html`<section class="part"><h2>${nameOf(merchantId)}</h2><dl>
${parts.map((part) => html`${fact('To the payer', price(part.amount))}${fact('Fee', price(part.fee))}${fact('Commission back', price(part.commissionReturned))}`)}
${fact('Balance now', price(before))}${fact('Balance then', html`<b>${price(after)}</b>`)}</dl></section>`;
  });
  return marketPage(
    'Refund',
    0,
    html`<h1>Refund ${price(amount)}?</h1>
<p class="lead">The payer of order ${id} gets it in one refund. Nothing has moved yet.</p>
<div class="market">${accounts}</div>
<form class="links" method="post" action="/market/office/${id}/refund">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="main">Refund ${price(amount)}</button><a class="quiet" href="/market/office/${id}">Back</a></form>`,
  );
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

export function refusedPage({ id }: Order, reasons: readonly string[]): string {
  return marketPage(
    'Not refunded',
    0,
    html`<h1>This cannot be refunded</h1>
<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>
<p class="links"><a class="main" href="/market/office/${id}">Back to the order</a></p>`,
  );
}

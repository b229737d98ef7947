// The pages of the market for its customers: products, cart, order.

import type { Child, Split } from './grosz.ts';
import { type Html, html } from './html.ts';
import {
  type Basket,
  basketsOf,
  lineGrosz,
  type MarketLine,
  type MarketProduct,
  marketProducts,
  quantityText,
  sumOf,
} from './market.ts';
import { partStatus } from './market-refunds.ts';
import type { Order } from './orders.ts';
import { type cameBy, page, price, resultHtml, resultOf, stepsHtml, tin, type Ways, waysHtml } from './pages.ts';
import { countOf } from './products.ts';

const links = html`<a href="/market">Market</a><a href="/market/office">Back office</a>`;

export function marketPage(title: string, count: number, content: Html): string {
  return page(title, count, content, undefined, { links, cart: '/market/cart' });
}

export function marketProductsPage(names: readonly string[], count: number): string {
  const sections = names.map((name, seller) => {
    const cards = marketProducts.filter((product) => product.seller === seller).map(productCard);
    return html`<section><h2>${name}</h2><ul class="products">${cards}</ul></section>`;
  });
  return marketPage(
    'The market',
    count,
    html`<h1>The market</h1><p class="lead">Three sellers, one cart, one payment.</p><div class="market">${sections}</div>`,
  );
}

function productCard(product: MarketProduct): Html {
  return html`
<li class="product">${picture(product)}
<h3>${product.name}</h3><p>${product.about}</p>
<form method="post" action="/market/cart"><strong>${price(product.priceGrosz)}${product.weighed && '/kg'}</strong><input type="hidden" name="id" value="${product.id}"><button aria-label="Add ${product.name} to the cart">Add</button></form></li>`;
}

/** A jar, a bowl or a loaf. */
function picture(product: MarketProduct): Html {
  const { seller, color } = product;
  if (seller === 0) return tin(product);
  const shape =
    seller === 1
      ? html`<path d="M18 48h84c0 30-16 52-30 52H48c-14 0-30-22-30-52z" fill="${color}"/><ellipse cx="60" cy="48" rx="42" ry="9" fill="#fff" opacity=".3"/>`
      : html`<path d="M16 84c-6-30 20-46 44-46s50 16 44 46c-2 10-10 16-20 16H36c-10 0-18-6-20-16z" fill="${color}"/><path d="M42 50l8 14M60 46l8 14M78 50l8 14" fill="none" stroke="#fffaf0" stroke-width="5" stroke-linecap="round" opacity=".7"/>`;
  return html`<svg class="tin" viewBox="0 0 120 120" aria-hidden="true"><ellipse cx="60" cy="104" rx="40" ry="6" fill="#000" opacity=".08"/>${shape}</svg>`;
}

/** `orderId` is drawn now, so that the form can be sent twice and still be one order. */
export function marketCartPage(
  cart: readonly MarketLine[],
  names: readonly string[],
  orderId: string,
  ways: Ways,
): string {
  if (cart.length === 0) {
    return marketPage(
      'Cart',
      0,
      html`<h1>Your cart is empty</h1><p><a class="main" href="/market">To the market</a></p>`,
    );
  }
  const total = price(sumOf(cart));
  return marketPage(
    'Cart',
    countOf(cart),
    html`<h1>Your cart</h1>
<table class="cart"><caption class="away">What you buy</caption>${basketsOf(cart).map((basket) => basketRows(basket, names))}<tfoot><tr><th scope="row">Total</th><td class="sum">${total}</td></tr></tfoot></table>
<form class="checkout" method="post" action="/market/checkout" data-key="${ways.cardKey ?? ''}">
<input type="hidden" name="orderId" value="${orderId}"><input type="hidden" name="card" value="">
<label class="field">Name<input name="name" required autocomplete="name" maxlength="255" value="Jan Nowak"></label>
<label class="field">Email<input type="email" name="email" required autocomplete="email" value="jan.nowak@example.com"></label>
<label class="field">Language of the payment page and the mail<select name="language"><option value="EN">English</option><option value="PL">Polski</option></select></label>
${waysHtml(ways)}
<button class="main">Order and pay ${total}</button>
</form>`,
  );
}

function basketRows({ seller, lines, totalGrosz }: Basket, names: readonly string[]): Html {
  const rows = lines.map(
    (line) =>
      html`<tr><th scope="row">${line.product.name}${stepsHtml('/market/cart', line.product, quantityText(line))}</th><td class="sum">${price(lineGrosz(line))}</td></tr>`,
  );
  return html`<tbody><tr><th class="basket" scope="rowgroup">${names[seller]}</th><td class="basket sum">${price(totalGrosz)}</td></tr>${rows}</tbody>`;
}

/** `split` is what Grosz says of it: what became of each seller's part. */
export function marketOrderPage(
  order: Order,
  split: Split | undefined,
  nameOf: (id: string) => string,
  came: ReturnType<typeof cameBy>,
): string {
  const paid = order.status === 'paid';
  const canceled = split?.status === 'canceled';
  const status = paid && split?.status === 'refund' ? 'refunded' : order.status;
  const result = resultOf({ status }, came, canceled);
  const shown = result.mood === 'good' ? { ...result, text: 'The sellers are packing it.' } : result;
  const parts = split?.childTransactions.map((child) => partHtml(child, nameOf(child.merchant.id), paid, canceled));
  const details = html`<ul class="parts">${parts}<li class="line"><b>Total</b> <b>${price(order.totalGrosz)}</b></li></ul>
<dl><div><dt>Order</dt><dd>${order.id}</dd></div></dl>`;
  const toOffice = html`<a class="quiet" href="/market/office/${order.id}">Back office</a>`;
  return marketPage(shown.title, 0, resultHtml(order, shown, details, toOffice, `/market/orders/${order.id}/pay`));
}

function partHtml(child: Child, name: string, paid: boolean, canceled: boolean): Html {
  const status = paid ? partStatus(child) : canceled ? 'not paid' : 'not paid yet';
  const refunded = status === 'partly refunded' && html`: ${price(child.refunded)}`;
  return html`<li><p class="line"><b>${name}</b> <span>${price(child.amount)}</span></p>
<ul>${child.products.map(productLine)}</ul>
<p><b class="badge ${status === 'paid' && 'good'}">${status}${refunded}</b></p></li>`;
}

function productLine({ quantity, name, externalId, refundedQuantity }: Child['products'][number]): Html {
  const refunded = refundedQuantity > 0 && html` (${refundedQuantity} refunded)`;
  return html`<li>${quantity} × ${name || externalId}${refunded}</li>`;
}

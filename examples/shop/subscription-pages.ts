// The page of subscriptions: subscribe, watch charges come as the clock is moved, change the card, cancel.

import type { Charge, Coming } from './grosz.ts';
import { type Html, html } from './html.ts';
import { cardFields, needsScript, page, price } from './pages.ts';
import { box, type SubscriptionView } from './subscriptions.ts';

export function subscriptionsPage(
  views: readonly SubscriptionView[],
  newId: string,
  cardKey: string,
  now: string,
  count: number,
): string {
  return page(
    'Subscriptions',
    count,
    html`<h1>${box.name}</h1>
<p class="lead">Three teas of our choice, every month, for ${price(box.priceGrosz)}. The first box is paid now; your card is kept by Grosz, not by us.</p>
<form class="checkout" method="post" action="/subscriptions" data-key="${cardKey}">
<input type="hidden" name="id" value="${newId}"><input type="hidden" name="card" value="">
<label class="field">E-mail<input type="email" name="email" required autocomplete="email" value="jan.nowak@example.com"></label>
<div class="way"><input type="radio" name="way" value="card" checked hidden><div class="data">${cardFields()}</div></div>
${needsScript}
<button class="main" disabled data-needs-script>Subscribe for ${price(box.priceGrosz)} a month</button>
</form>
<section><h2>The clock</h2>
<p>Grosz’s sandbox says <time datetime="${now}">${dayText(now)}</time>.</p>
<form method="post" action="/subscriptions/clock"><button class="quiet" name="advance" value="P1M">Let a month pass</button> <button class="quiet" name="advance" value="P1D">Let a day pass</button></form></section>
<h2>Your subscriptions</h2>
${views.length === 0 ? html`<p>There are none yet.</p>` : html`<ul class="orders">${views.map(subscriptionHtml)}</ul>`}`,
  );
}

/** Of the shop's account. The service tells its clock in UTC and charges in this zone; payers read one of them. */
const zone = 'Europe/Warsaw';

function dayText(at: string): string {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}

const moods: Readonly<Record<string, string>> = { active: 'good', finished: 'wait', failed: 'bad', canceled: 'bad' };

function subscriptionHtml({ subscription, recurring, charges, coming }: SubscriptionView): Html {
  const { id, email, cardTail, note } = subscription;
  const status = recurring?.status ?? 'waiting for the first payment';
  return html`
<li class="order" data-subscription="${id}"><h3>${email} <b class="${moods[status] ?? 'wait'}">${status}</b></h3>
<p>${cardTail !== null && html`Card •••• ${cardTail}. `}${note ?? ''}${recurring?.reason !== undefined && html` Last charge failed: ${recurring.reason}.`}</p>
${charges.length > 0 && chargesHtml(charges)}
${coming.length > 0 && comingHtml(coming)}
${recurring?.status === 'active' && actionsHtml(id)}</li>`;
}

function chargesHtml(charges: readonly Charge[]): Html {
  const rows = charges.map(
    ({ createdAt, iterationCount, iterationAttemptCount, status, reason }) =>
      html`<tr><td>${dayText(createdAt)}</td><td>${iterationCount}.${iterationAttemptCount}</td><td>${status}${reason !== null && html`: ${reason}`}</td></tr>`,
  );
  return html`<details open><summary>${charges.length === 1 ? '1 attempt' : `${charges.length} attempts`} to charge</summary><table class="cart"><thead><tr><th scope="col">When</th><th scope="col">Charge.attempt</th><th scope="col">Result</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function comingHtml(coming: readonly Coming[]): Html {
  const rows = coming.map(
    ({ date, rule, condition }) =>
      html`<li>${dayText(date)} — ${rule}${condition !== null && html` <i>${condition}</i>`}</li>`,
  );
  return html`<details><summary>What comes next, and why</summary><ul>${rows}</ul></details>`;
}

function actionsHtml(id: string): Html {
  const button = (action: string, label: string) =>
    html`<button class="quiet" name="action" value="${action}">${label}</button> `;
  return html`<form method="post" action="/subscriptions/change"><input type="hidden" name="id" value="${id}">${button('empty', 'Use a card without funds')}${button('good', 'Use the first card again')}${button('cancel', 'Cancel the subscription')}</form>`;
}

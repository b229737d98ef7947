// The page of subscriptions: subscribe, watch charges come as the clock is moved, change the card, cancel.

import type { Charge, Coming } from './grosz.ts';
import { type Html, html } from './html.ts';
import { cardFields, needsScript, page, price, takesCards, timeText, type Ways } from './pages.ts';
import { box, type Subscription, type SubscriptionView } from './subscriptions.ts';

export function subscriptionsPage(
  views: readonly SubscriptionView[],
  newId: string,
  ways: Ways,
  now: string,
  count: number,
): string {
  return page(
    'Subscriptions',
    count,
    html`<h1>${box.name}</h1>
<p class="lead">Three teas of our choice, every month, for ${price(box.priceGrosz)}. The first box is paid now; your card is kept by Grosz, not by us.</p>
${takesCards(ways) ? subscribeHtml(newId, ways) : html`<p class="needs">There are no new subscriptions at the moment: they need a card that is entered here, and cards can be entered only on the payment page.</p>`}
${takesCards(ways) && clockHtml(now)}
<h2>Your subscriptions</h2>
<div data-live>${views.length === 0 ? html`<p>There are none yet.</p>` : html`<ul class="orders">${views.map(subscriptionHtml)}</ul>`}</div>`,
  );
}

function clockHtml(now: string): Html {
  return html`<section><h2>The clock</h2>
<p data-live>Grosz’s sandbox says <time datetime="${now}">${timeText(now)}</time>.</p>
<form class="links" method="post" action="/subscriptions/clock"><button class="quiet" name="advance" value="P1M">Let a month pass</button> <button class="quiet" name="advance" value="P1D">Let a day pass</button></form></section>`;
}

function subscribeHtml(newId: string, { cardKey }: Ways): Html {
  return html`<form class="checkout" method="post" action="/subscriptions" data-key="${cardKey ?? ''}">
<input type="hidden" name="id" value="${newId}"><input type="hidden" name="card" value="">
<label class="field">Email<input type="email" name="email" required autocomplete="email" value="jan.nowak@example.com"></label>
<div class="way"><input type="radio" name="way" value="card" checked hidden><div class="data">${cardFields()}</div></div>
${needsScript}
<button class="main" disabled data-needs-script>Subscribe for ${price(box.priceGrosz)} a month</button>
</form>`;
}

/** Asked before it is done: it cannot be undone. */
export function cancelPage({ id, email }: Subscription): string {
  return page(
    'Cancel the subscription',
    0,
    html`<h1>Cancel this subscription?</h1>
<p class="lead">${email} gets no more boxes, and nothing more is charged. This cannot be undone.</p>
<form class="links" method="post" action="/subscriptions/change"><input type="hidden" name="id" value="${id}"><button class="main" name="action" value="cancel">Cancel the subscription</button><a class="quiet" href="/subscriptions">Keep it</a></form>`,
  );
}

const moods: Readonly<Record<string, string>> = { active: 'good', finished: 'wait', failed: 'bad', canceled: 'bad' };

function subscriptionHtml({ subscription, recurring, charges, coming }: SubscriptionView): Html {
  const { id, email, cardTail, note } = subscription;
  const status = recurring?.status ?? 'waiting for the first payment';
  return html`
<li class="order" id="${id}" data-subscription="${id}"><h3>${email} <b class="${moods[status] ?? 'wait'}">${status}</b></h3>
<p>${cardTail !== null && html`Card •••• ${cardTail}. `}${note ?? ''}${recurring?.reason !== undefined && html` Last charge failed: ${recurring.reason}.`}</p>
${charges.length > 0 && chargesHtml(charges)}
${coming.length > 0 && comingHtml(coming)}
${recurring?.status === 'active' && actionsHtml(id)}</li>`;
}

function chargesHtml(charges: readonly Charge[]): Html {
  const rows = charges.map(
    ({ createdAt, iterationCount, iterationAttemptCount, status, reason }) =>
      html`<tr><td>${timeText(createdAt)}</td><td>${iterationCount}${iterationAttemptCount > 1 && html`, retry ${iterationAttemptCount - 1}`}</td><td>${status}${reason !== null && html`: ${reason}`}</td></tr>`,
  );
  const made = charges.filter(({ status }) => status === 'correct').length;
  const failed = charges.filter(({ status }) => status === 'failed').length;
  return html`<details open><summary>${made === 1 ? '1 charge made' : `${made} charges made`}${failed > 0 && html`, ${failed === 1 ? '1 failed attempt' : `${failed} failed attempts`}`}</summary><table class="cart charges"><thead><tr><th scope="col">When</th><th scope="col">Charge</th><th scope="col">Result</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function comingHtml(coming: readonly Coming[]): Html {
  const rows = coming.map(
    ({ date, rule, condition }) =>
      html`<li>${timeText(date)} — ${rule}${condition !== null && html` <i>${condition}</i>`}</li>`,
  );
  return html`<details><summary>What comes next, and why</summary><ul>${rows}</ul></details>`;
}

function actionsHtml(id: string): Html {
  const button = (action: string, label: string) =>
    html`<button class="quiet" name="action" value="${action}">${label}</button> `;
  return html`<form method="post" action="/subscriptions/change"><input type="hidden" name="id" value="${id}">${button('empty', 'Use a card without funds')}${button('good', 'Use the first card again')}<a class="quiet" href="/subscriptions/cancel?id=${id}">Cancel the subscription</a></form>`;
}

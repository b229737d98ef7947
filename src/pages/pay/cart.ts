// The sellers' parts of a marketplace transaction, below its total. They open without a script.

import { amountText, money } from '../../kernel/index.ts';
import { type CartPart, quantityText } from '../../marketplace/index.ts';
import { type Html, html } from '../html.ts';
import { quantityIn } from '../language.ts';
import type { PayScene } from './layout.ts';

/** Of each seller; the rest is counted. */
export const productsShown = 20;
/** More sellers are folded into one line: on a phone, they would push the methods off the screen. */
const sellersUnfolded = 4;

export function cartHtml(scene: PayScene, parts: readonly CartPart[]): Html {
  const open = parts.length <= sellersUnfolded && html` open`;
  return html`<details class="sellers"${open}><summary class="fold">${scene.text.sellers(parts.length)}</summary>
<ul>
${parts.map((part) => partHtml(scene, part))}</ul>
</details>
`;
}

function partHtml(scene: PayScene, { seller, amountMinor, description, products, productCount }: CartPart): Html {
  const { text, language, view } = scene;
  const shown = (minor: bigint) => amountText(money(minor, view.transaction.amount.currency), language);
  const lines = products.map(
    ({ externalId, name, quantity, unitPriceMinor }) =>
      html`<li><span>${name || externalId}</span> <span class="price">${quantityIn(language, quantityText(quantity))} × ${shown(unitPriceMinor)}</span></li>\n`,
  );
  const more = productCount - products.length;
  return html`<li class="seller"><details><summary class="fold"><span>${seller}</span> <span class="price">${shown(amountMinor)}</span></summary>
<section class="items"><p>${description}</p>
${products.length > 0 && html`<ul>\n${lines}${more > 0 && html`<li>${text.moreProducts(more)}</li>\n`}</ul>`}</section></details></li>
`;
}

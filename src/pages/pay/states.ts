// The pages without a form: waiting, at the bank, done, ended.

import { methodOf } from '../../methods/index.ts';
import { type Html, html, type Part } from '../html.ts';
import { dateText } from '../language.ts';
import { leave } from './forms.ts';
import { type PayScene, pageUrl, type Scene, type Step } from './layout.ts';
import type { State } from './rules.ts';

const secondsToForward = 6;

export function waitingStep(scene: PayScene, { inApp, secondsLeft = 0 }: Extract<State, { kind: 'waiting' }>): Step {
  const { waiting } = scene.text;
  const content = html`<p>${inApp ? waiting.blikText : waiting.text}</p>
${secondsLeft > 0 && html`<p class="left" role="timer" data-seconds="${secondsLeft}" data-text="${waiting.left}" hidden></p>\n`}<p class="live" role="status" data-long="${waiting.long}" data-very-long="${waiting.veryLong}"></p>
<noscript><p>${waiting.noScript}</p><p><a class="quiet" href="${pageUrl(scene)}">${waiting.check}</a></p></noscript>
${otherWays(scene)}
${leave(scene)}`;
  return {
    title: inApp ? waiting.blikTitle : waiting.title,
    mood: 'wait',
    content,
    head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>`,
  };
}

export function confirmStep(scene: PayScene, link: string): Step {
  const { confirm } = scene.text;
  // The bank's page shows in no frame.
  const target = scene.frame && html` target="_top"`;
  const content = html`<p>${confirm.text}</p>
<p><a class="main" href="${link}"${target}>${confirm.go}</a></p>
${otherWays(scene)}
${leave(scene)}`;
  return { title: confirm.title, mood: 'bank', content };
}

/** Redirects the browser immediately; the link is for browsers that do not follow. */
export function goingStep({ text }: PayScene, link: string): Step {
  const content = html`<p><a class="main" href="${link}">${text.confirm.go}</a></p>`;
  return {
    title: text.confirm.going,
    mood: 'wait',
    content,
    head: html`<meta http-equiv="refresh" content="0;url=${link}">`,
  };
}

/** After a cancel: straight to the shop. */
export function leavingStep({ text }: PayScene, url: string): Step {
  const content = html`<p>${text.canceled.text}</p><p><a class="main" href="${url}">${text.toShop}</a></p>`;
  return {
    title: text.canceled.title,
    mood: 'over',
    content,
    head: html`<meta http-equiv="refresh" content="0;url=${url}">`,
  };
}

function otherWays(scene: PayScene): Html {
  return html`<p class="others"><a href="${pageUrl(scene, 'method=all')}">${scene.text.otherWays}</a></p>`;
}

export function paidStep(scene: PayScene, earlier: boolean): Step {
  const { text, view } = scene;
  const { successUrl } = view.transaction;
  const { paid } = text;
  return {
    title: earlier ? paid.beforeTitle : paid.title,
    mood: 'good',
    content: [
      html`<p>${earlier ? paid.beforeText : paid.text(view.merchant.name)}</p>`,
      receipt(scene),
      wayBack(scene, successUrl, !earlier),
    ],
  };
}

export function refundedStep(scene: PayScene): Step {
  const { paid } = scene.text;
  const content = [
    html`<p>${paid.refundedText}</p>`,
    receipt(scene),
    wayBack(scene, scene.view.transaction.successUrl, false),
  ];
  return { title: paid.refundedTitle, mood: 'returned', content };
}

function receipt({ text, view, language }: PayScene): Part {
  const { paidAt, channelId } = view.transaction;
  const method = methodOf(channelId)?.words[language].name;
  return html`<dl class="receipt">
${paidAt && html`<div><dt>${text.paid.date}</dt><dd>${dateText(paidAt, view.merchant.zone, language)}</dd></div>`}
${method && html`<div><dt>${text.paid.method}</dt><dd>${method}</dd></div>`}
</dl>`;
}

/**
 * The merchant's page, if there is one. The script takes the payer there after a moment, unless they choose to stay. In a
 * frame the payer is there already.
 */
function wayBack({ text, frame }: PayScene, url: string | null, forwards: boolean): Part {
  if (frame) return undefined;
  if (url === null) return html`<p class="close">${text.paid.close}</p>`;
  return html`<p><a class="main" href="${url}">${text.toShop}</a></p>
${forwards && html`<div class="forward" data-seconds="${secondsToForward}" data-url="${url}" hidden><p data-text="${text.forward}"></p><button type="button">${text.stay}</button></div>`}`;
}

export function canceledStep(scene: PayScene, givenBack: boolean): Step {
  const { canceled } = scene.text;
  return over(scene, canceled.title, givenBack ? canceled.givenBack : canceled.text);
}

export function expiredStep(scene: PayScene): Step {
  return over(scene, scene.text.expired.title, scene.text.expired.text);
}

export function exhaustedStep(scene: PayScene): Step {
  return over(scene, scene.text.exhausted.title, scene.text.exhausted.text);
}

function over(scene: PayScene, title: string, text: string): Step {
  return {
    title,
    mood: 'over',
    content: [html`<p>${text}</p>`, wayBack(scene, scene.view.transaction.errorUrl, true)],
  };
}

/** Asks before canceling: a link followed by mistake changes nothing. */
export function cancelStep({ text, path }: PayScene): Step {
  const { cancel } = text;
  const content = html`<p>${cancel.text}</p>
<form class="ask" method="post" action="${path}/cancel">
<button class="main danger">${cancel.yes}</button>
<a class="quiet" href="${path}">${cancel.no}</a>
</form>`;
  return { title: cancel.title, content };
}

export function notFoundStep({ text }: Scene): Step {
  return { title: text.notFound.title, mood: 'over', content: html`<p>${text.notFound.text}</p>` };
}

/** For those who build the page with the frame: payers never see it, because browsers refuse to show it there. */
export function refusedFrameStep({ text }: Scene, path: string, origin: string): Step {
  const { title, text: what, go } = text.refusedFrame;
  return {
    title,
    mood: 'failed',
    content: html`<p>${what(origin)}</p><p><a class="main" href="${path}">${go}</a></p>`,
  };
}

export function failedStep({ text }: Scene, path: string): Step {
  const { title, text: what, again } = text.failed;
  return { title, mood: 'failed', content: html`<p>${what}</p><p><a class="main" href="${path}">${again}</a></p>` };
}

export function refusedFormStep({ text }: Scene, path: string, why: 'title' | 'unreadable' = 'title'): Step {
  const { [why]: title, text: what, again } = text.refusedForm;
  return { title, mood: 'failed', content: html`<p>${what}</p><p><a class="main" href="${path}">${again}</a></p>` };
}

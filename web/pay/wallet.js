// The wallet on the pay page: shown only where the browser offers the vendor's session object and its user can pay.

import { away, doubt, go, markNow, trust } from './follow.js';
import { forgetNews, load, onShown, shown, show as showPage } from './page.js';

/** How long a device waits for the answer with its sheet open. */
const sheetMilliseconds = 20_000;
const retryMilliseconds = 1_500;

/**
 * The vendor's session object, as far as it is used here.
 * @typedef {{
 *   oncancel: () => void,
 *   onvalidatemerchant: (event: { validationURL: string }) => void,
 *   onpaymentauthorized: (event: { payment: { token: { paymentData: object } } }) => void,
 *   begin(): void,
 *   abort(): void,
 *   completeMerchantValidation(session: object): void,
 *   completePayment(result: { status: number }): void,
 * }} WalletSession
 * @typedef {{
 *   new (version: number, request: object): WalletSession,
 *   canMakePayments(): boolean,
 *   STATUS_SUCCESS: number,
 *   STATUS_FAILURE: number,
 * }} WalletSessions
 */

onShown(() => {
  /** @type {HTMLElement | null} */
  const offer = document.querySelector('[data-session-object]');
  /** @type {WalletSessions | undefined} */
  const Session = offer && Reflect.get(globalThis, offer.dataset.sessionObject ?? '');
  if (offer && Session && canPay(Session)) offerWallet(offer, Session);
});

/** @param {WalletSessions} Sessions */
function canPay(Sessions) {
  try {
    return Sessions.canMakePayments() === true;
  } catch {
    return false;
  }
}

/**
 * @param {HTMLElement} place
 * @param {WalletSessions} Sessions
 */
function offerWallet(place, Sessions) {
  place.hidden = false;
  for (const other of document.querySelectorAll('.without-wallet')) other.remove();
  const button = place.querySelector('button');
  button?.addEventListener('click', () => begin(place, button, Sessions));
}

/** What became of an earlier session is past. @type {WalletSession | undefined} */
let latest;

/**
 * @param {HTMLElement} place
 * @param {HTMLButtonElement} button
 * @param {WalletSessions} Sessions
 */
function begin(place, button, Sessions) {
  if (button.ariaDisabled === 'true') return;
  const { path = '', amount = '', label = '', attempt = '', failed = '' } = place.dataset;
  say(place, '');
  trust();
  forgetNews();
  const session = new Sessions(3, {
    countryCode: 'POL',
    currencyCode: '985',
    total: { label, amount, type: 'final' },
    supportedNetworks: ['visa', 'masterCard'],
    merchantCapabilities: ['supports3DS'],
  });
  latest = session;
  /**
   * Not `disabled`: then the button would lose the focus, and the keyboard its place on the page.
   * @param {boolean} isBusy
   */
  const busy = (isBusy) => button.setAttribute('aria-disabled', String(isBusy));
  let isOver = false;
  const lostNetwork = watchNetwork();
  // By the payer, or by a device without a network: it does not say which.
  session.oncancel = async () => {
    isOver = true;
    busy(false);
    const isUnknown = lostNetwork() || (await markNow()) === undefined;
    if (isUnknown && latest === session && place.isConnected) doubt();
  };
  session.onvalidatemerchant = async ({ validationURL }) => {
    const answer = await send(`${path}/wallet/session`, { validationUrl: validationURL });
    if (isOver) return;
    if (answer?.session) return session.completeMerchantValidation(JSON.parse(decode(answer.session)));
    session.abort();
    busy(false);
    say(place, failed);
    if (!answer) away();
  };
  session.onpaymentauthorized = async ({ payment }) => {
    const token = btoa(JSON.stringify(payment.token.paymentData));
    const result = await pay(`${path}/wallet`, { attempt, token });
    const isPaid = result === 'success' || result === 'pending';
    try {
      session.completePayment({ status: isPaid ? Sessions.STATUS_SUCCESS : Sessions.STATUS_FAILURE });
    } catch {
      // The device closed its sheet meanwhile.
    }
    busy(false);
    if (result === 'refused') return say(place, failed);
    // The page shows what became of it: paid, waiting, or why the bank declined; also if it is outdated because of another
    // tab. Without an answer nobody knows that yet.
    const loaded = result === undefined ? undefined : await load(path);
    if (loaded) return go(showPage(loaded, 'push'));
    doubt();
  };
  session.begin();
  busy(true);
}

/** Whether the network went away since. */
function watchNetwork() {
  let isLost = navigator.onLine === false;
  addEventListener('offline', () => (isLost = true), { once: true });
  return () => isLost;
}

/**
 * Asks again while there is no answer: the same form starts one payment. Undefined if nobody knows in time.
 * @param {string} url
 * @param {Record<string, string>} fields
 * @returns {Promise<string | undefined>}
 */
async function pay(url, fields) {
  const { mark } = shown();
  const end = performance.now() + sheetMilliseconds;
  while (performance.now() < end) {
    const answer = await send(url, fields);
    if (answer && answer.result !== 'outdated') return answer.result;
    const now = await markNow();
    if (now !== undefined && now !== mark) return /^paid|\.(sent|waiting)$/.test(now) ? 'pending' : 'failed';
    if (answer) return answer.result;
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
  }
  return undefined;
}

/**
 * @param {string} url
 * @param {Record<string, string>} fields
 * @returns {Promise<{ session?: string, result?: string } | undefined>}
 */
async function send(url, fields) {
  try {
    const body = new URLSearchParams(fields);
    const answer = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(25_000) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} base64 */
function decode(base64) {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 */
function say(place, text) {
  const line = place.querySelector('.fault');
  if (line) line.textContent = text;
}

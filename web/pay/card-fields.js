// The card fields of an acquirer on the pay page: they are in a frame of its own, so that no number comes here. What they
// make of the card is sent with our form, and the acquirer is asked by our server.

import { onShown } from './page.js';
import { prepare } from './send.js';

/** How long the acquirer's script and its fields may take. */
const loadMilliseconds = 15_000;

/** The script may be there already, from a form before. @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * The acquirer's script, as far as it is used here.
 * @typedef {{ error?: { message?: string } }} Result
 * @typedef {{
 *   mount(place: HTMLElement): void,
 *   on(name: string, listener: () => void): void,
 *   focus(): void,
 * }} Element
 * @typedef {{
 *   create(kind: string, options?: object): Element,
 *   update(options: object): void,
 *   submit(): Promise<Result>,
 * }} Elements
 * @typedef {{
 *   elements(options: object): Elements,
 *   createConfirmationToken(options: object): Promise<Result & { confirmationToken?: { id: string } }>,
 * }} Vendor
 */

onShown(() => {
  const place = document.querySelector('.card-fields');
  const form = place?.closest('form');
  if (!(place instanceof HTMLElement) || !form) return;
  // A document that began as another page does not let the acquirer's script in.
  if (!document.querySelector('head meta[name="card-fields"]')) return location.reload();
  show(form, place).catch(() => giveUp(form));
});

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} place
 */
async function show(form, place) {
  const { script = '', key = '', amount, currency, language } = place.dataset;
  form.hidden = false;
  const vendor = await load(script, key);
  const elements = vendor.elements({
    mode: 'payment',
    amount: Number(amount),
    currency,
    locale: language,
    allowedPaymentMethodTypes: ['card'],
    appearance: { variables: lookOf(place) },
  });
  const element = elements.create('payment', { wallets: { applePay: 'never', googlePay: 'never' } });
  await ready(element, place);
  place.querySelector('.hint')?.remove();
  prepare(form, () => tokenFor(vendor, elements, form, place));
}

/**
 * @param {string} address
 * @param {string} key
 * @returns {Promise<Vendor>}
 */
async function load(address, key) {
  const loaded = loading.get(address) ?? inTime(addScript(address));
  loading.set(address, loaded);
  await loaded;
  return Reflect.get(globalThis, 'Stripe')(key);
}

/**
 * @param {string} address
 * @returns {Promise<void>}
 */
function addScript(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('blocked, or not reached')));
    document.head.append(script);
  });
}

/**
 * @param {Element} element
 * @param {HTMLElement} place
 */
function ready(element, place) {
  const mount = /** @type {HTMLElement} */ (place.querySelector('#card-fields'));
  return inTime(
    new Promise((resolve, reject) => {
      element.on('ready', () => resolve(undefined));
      element.on('loaderror', () => reject(new Error('the fields did not load')));
      element.mount(mount);
    }),
  );
}

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
function inTime(work) {
  const late = new Promise((_resolve, reject) => setTimeout(() => reject(new Error('too late')), loadMilliseconds));
  return Promise.race([work, /** @type {Promise<never>} */ (late)]);
}

/** @param {HTMLFormElement} form */
function giveUp(form) {
  form.hidden = true;
  const notice = document.querySelector('.without-fields');
  if (notice instanceof HTMLElement) notice.hidden = false;
}

/**
 * Whether the form can be sent: the fields are filled in, and the acquirer has made a token of them.
 * @param {Vendor} vendor
 * @param {Elements} elements
 * @param {HTMLFormElement} form
 * @param {HTMLElement} place
 */
async function tokenFor(vendor, elements, form, place) {
  const fault = place.querySelector('.fault');
  const say = (/** @type {Result['error']} */ error) => {
    if (fault) fault.textContent = error?.message ?? '';
    return false;
  };
  say(undefined);
  try {
    const save = form.querySelector('input[name="save"]');
    const isKept = save instanceof HTMLInputElement && save.checked;
    // The acquirer's fields then show what the payer agrees to.
    elements.update({ setupFutureUsage: isKept ? 'off_session' : null });
    const { error } = await elements.submit();
    // The fields say themselves what is wrong with them.
    if (error) return false;
    const { confirmationToken, error: refused } = await vendor.createConfirmationToken({ elements });
    const token = form.querySelector('input[name="token"]');
    if (!confirmationToken || !(token instanceof HTMLInputElement)) return say(refused);
    token.value = confirmationToken.id;
    return true;
  } catch (error) {
    return say(/** @type {Error} */ (error));
  }
}

/** As our own fields look. @param {HTMLElement} place */
function lookOf(place) {
  const { color, fontFamily, fontSize } = getComputedStyle(place);
  return { colorText: color, fontFamily, fontSizeBase: fontSize };
}

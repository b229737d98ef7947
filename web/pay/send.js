// Sends the forms and follows the links of the page, and stays on it until the service has answered. A form of a payment
// starts one attempt, however often it is sent: the server knows it by its number.

import { encrypt, faultOf, say } from './fields.js';
import { doubt, go, persist, trust } from './follow.js';
import { forgetNews, forgetSecrets, load, show, shown } from './page.js';

/** @type {((form: HTMLFormElement) => void)[]} */
const listeners = [];

/**
 * Called when a payment is sent.
 * @param {(form: HTMLFormElement) => void} work
 */
export function onSending(work) {
  listeners.push(work);
}

/** @type {WeakMap<HTMLFormElement, () => Promise<boolean>>} */
const preparations = new WeakMap();

/**
 * What comes before a form is sent; false: it stays.
 * @param {HTMLFormElement} form
 * @param {() => Promise<boolean>} work
 */
export function prepare(form, work) {
  preparations.set(form, work);
}

/**
 * @param {HTMLFormElement} form
 * @param {readonly HTMLInputElement[]} fields
 */
export function sendByScript(form, fields) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset.sent !== undefined) return;
    const wrong = fields.filter((field) => {
      const fault = faultOf(field);
      say(field, fault);
      return fault !== '';
    });
    if (wrong.length > 0) return wrong[0]?.focus();
    void send(form, fields, event.submitter);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {readonly HTMLInputElement[]} fields
 * @param {HTMLElement | null} submitter
 */
async function send(form, fields, submitter) {
  const restore = markSent(form, submitter);
  const pays = form.querySelector('input[name="attempt"]') !== null;
  if ((await preparations.get(form)?.()) === false) return restore();
  trust();
  if (pays) {
    forgetNews();
    for (const work of listeners) work(form);
  }
  const body = await bodyOf(form, fields, submitter);
  const post = () => load(form.getAttribute('action') ?? '', { method: 'POST', body });
  // Only a payment is for the payer to repeat.
  const loaded = pays ? await post() : await persist(post);
  if (loaded) {
    if (pays) forgetSecrets();
    return go(show(loaded, 'push'));
  }
  restore();
  // Unless the page has found out by itself.
  if (pays && form.isConnected) doubt();
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function markSent(form, submitter) {
  form.dataset.sent = '';
  const button = submitter instanceof HTMLButtonElement ? submitter : form.querySelector('button');
  const before = [...(button?.childNodes ?? [])];
  button?.setAttribute('aria-disabled', 'true');
  const { sending } = form.dataset;
  if (button?.className === 'main' && sending) button.textContent = sending;
  return () => {
    delete form.dataset.sent;
    button?.removeAttribute('aria-disabled');
    button?.replaceChildren(...before);
  };
}

/**
 * The number of a card does not leave the page in clear, unless the browser cannot encrypt: then the form goes as it does
 * without script.
 * @param {HTMLFormElement} form
 * @param {readonly HTMLInputElement[]} fields
 * @param {HTMLElement | null} submitter
 */
async function bodyOf(form, fields, submitter) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  if (submitter instanceof HTMLButtonElement && submitter.name !== '') body.append(submitter.name, submitter.value);
  const sealed = await encrypt(form, fields).catch(() => undefined);
  if (sealed !== undefined) {
    body.set('card', sealed);
    for (const { name, dataset } of fields) if (dataset.card) body.delete(name);
  }
  return body;
}

/** Pages of this payment are shown here; for others the browser leaves when there is a network. */
export function followLinks() {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const { path } = shown();
    if (link?.target !== '' || path === '' || link.getAttribute('href')?.startsWith('#')) return;
    if (!/^https?:$/.test(link.protocol)) return;
    event.preventDefault();
    const isHere = link.origin === location.origin && `${link.pathname}/`.startsWith(`${path}/`);
    void (isHere ? open(link.href) : go(link.href));
  });
}

/** @param {string} address */
async function open(address) {
  trust();
  const loaded = await persist(() => load(address));
  if (loaded) return go(show(loaded, 'push'));
}

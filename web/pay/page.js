// Shows the pages of a payment without leaving the document: a lost network then never replaces them with the browser's own
// error page, and what was typed stays. Every page is still a page of its own, with an address, for reload and back.

/**
 * A page of this payment, as the server rendered it.
 * @typedef {{ document: Document, url: URL }} Loaded
 */

/** More than the service takes for any answer. */
const loadMilliseconds = 30_000;

/** @type {(() => void)[]} */
const listeners = [];

/** What was typed, by the names of fields; in memory only, and no longer than the payment is open. @type {Map<string, string>} */
const typed = new Map();
/** Used once: they are forgotten as soon as they were sent. */
const secrets = ['code', 'blik'];

/** The step in this document: where it is, what it shows, and whether something of it can still change. */
export function shown() {
  /** @type {HTMLElement | null} */
  const sheet = document.querySelector('main[data-path]');
  const { path = '', mark, follow, page = path } = sheet?.dataset ?? {};
  return { path, mark, follow, page };
}

/**
 * Runs for the page that is there, and for each that takes its place.
 * @param {() => void} work
 */
export function onShown(work) {
  listeners.push(work);
  work();
}

/**
 * Undefined if the service cannot be reached now, or something else answered in its place, such as a proxy.
 * @param {string} address
 * @param {RequestInit} [request]
 * @returns {Promise<Loaded | undefined>}
 */
export async function load(address, request = {}) {
  try {
    const signal = AbortSignal.timeout(loadMilliseconds);
    const answer = await fetch(address, { cache: 'no-store', signal, ...request });
    if (answer.status === 429 || answer.status >= 500) return undefined;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return page.querySelector('main.sheet') ? { document: page, url: new URL(answer.url) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Loaded} loaded
 * @param {'push' | 'replace'} history Whether *back* leads to the page that is there now.
 */
export function show({ document: page, url }, history) {
  const cursor = cursorNow();
  keepTyped();
  for (const other of page.querySelectorAll('noscript')) other.remove();
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceChildren(...page.body.childNodes);
  const onward = onwardOf(page);
  // The page on the way to the bank is no place to come back to: its payment is.
  enter(onward === undefined ? url.pathname + url.search : shown().page, history);
  if (shown().follow === undefined) typed.clear();
  fillIn();
  addScripts(page);
  for (const work of listeners) work();
  focus(cursor);
  return onward;
}

/** What was sent is used up; the rest stays for another try. */
export function forgetSecrets() {
  for (const name of secrets) {
    typed.delete(name);
    const field = document.querySelector(`.field input[name="${name}"]`);
    if (field instanceof HTMLInputElement) field.value = '';
  }
}

/** Pays again: what the page said about the attempt before is past, in its title too. */
export function forgetNews() {
  for (const notice of document.querySelectorAll('.step .notice.bad')) notice.remove();
  const news = document.title.indexOf(`: ${document.querySelector('h1')?.textContent}`);
  if (news > 0) document.title = document.title.slice(news + 2);
}

/**
 * Where a page leads by itself, without a script too.
 * @param {Document} page
 */
function onwardOf(page) {
  const content = page.querySelector('meta[http-equiv="refresh"]')?.getAttribute('content');
  return /^0;\s*url=(.+)$/.exec(content ?? '')?.[1];
}

/**
 * @param {string} address
 * @param {'push' | 'replace'} how
 */
function enter(address, how) {
  if (address === location.pathname + location.search) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  if (parent === window) scrollTo(0, 0);
}

/** @returns {HTMLInputElement[]} */
function inputs() {
  const all = [...document.querySelectorAll('main input')].filter((input) => input instanceof HTMLInputElement);
  return all.filter(({ name, type }) => name !== '' && type !== 'hidden');
}

export function isTyping() {
  return inputs().some(({ type, value }) => type !== 'checkbox' && value !== '');
}

function keepTyped() {
  for (const { type, name, value, checked } of inputs()) {
    if (type === 'checkbox') typed.set(name, checked ? '1' : '');
    else if (value !== '' || typed.has(name)) typed.set(name, value);
  }
}

function fillIn() {
  for (const input of inputs()) {
    const value = typed.get(input.name) ?? '';
    if (input.type === 'checkbox') input.checked = value !== '';
    else if (input.value === '') input.value = value;
  }
}

/**
 * Some pages need more than the first one had: those that offer the wallet.
 * @param {Document} page
 */
function addScripts(page) {
  for (const { src, type } of page.querySelectorAll('script')) {
    if (src === '' || [...document.scripts].some((script) => script.src === src)) continue;
    const script = document.createElement('script');
    script.src = src;
    script.type = type;
    // In the order of the page: the vendor's before ours.
    script.async = false;
    document.head.append(script);
  }
}

/** Where somebody is typing, in case the field is there again. */
function cursorNow() {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.type === 'checkbox') return undefined;
  return { id: field.id, start: field.selectionStart, end: field.selectionEnd };
}

/**
 * The first field to fill in, or the title, so that it is read out. In a frame only while the cursor is there: a form must
 * not take it from the page around it.
 * @param {ReturnType<typeof cursorNow>} cursor
 */
function focus(cursor) {
  if (parent !== window && !document.hasFocus()) return;
  const same = cursor && document.getElementById(cursor.id);
  if (same instanceof HTMLInputElement && same.value !== '') {
    same.focus({ preventScroll: true });
    return same.setSelectionRange(cursor?.start ?? null, cursor?.end ?? null);
  }
  /** @type {HTMLElement | null} */
  const marked = document.querySelector('main [autofocus], main [data-focus]');
  const empty = inputs().find(({ type, value }) => type !== 'checkbox' && value === '');
  focusOn((marked && (document.querySelector('main [aria-invalid]') ? marked : (empty ?? marked))) ?? title());
}

function title() {
  /** @type {HTMLElement | null} */
  const title = document.querySelector('h1');
  title?.setAttribute('tabindex', '-1');
  return title;
}

/** @param {unknown} place */
function focusOn(place) {
  if (place instanceof HTMLElement) place.focus({ preventScroll: parent !== window });
}

// Follows the payment: asks what became of it, shows each change, and says when the service cannot be reached.

import { isTyping, load, onShown, show, shown } from './page.js';

/** Asked soon while a payment is open, rarely while only another tab could pay; ever more rarely, and not while nobody looks. */
const pace = { soon: { first: 1_000, last: 10_000 }, rarely: { first: 15_000, last: 60_000 } };
/** While the network is away, and after something was sent without an answer. */
const hurried = { first: 1_000, last: 3_000 };
const retryMilliseconds = 1_500;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let delay = 0;
/** Counts the pages: an answer about an earlier one says nothing about this one. */
let turn = 0;
/** Whether a payment was sent and its answer did not arrive. */
let isInDoubt = false;
let isAway = false;
/** Whether the document shows another page than its address says, or one of the past. */
let isStale = false;
let address = '';

/** What listeners know of a payment without an answer. */
let known = '';
/** @type {((known: 'checking' | 'not sent') => void)[]} */
const listeners = [];

/**
 * Called when a payment was sent without an answer, and when it is known that it did not arrive.
 * @param {(known: 'checking' | 'not sent') => void} work
 */
export function onDoubt(work) {
  listeners.push(work);
}

/** Other tabs with the same payment. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('grosz pay page') : undefined;

export function startFollowing() {
  onShown(begin);
  addEventListener('online', () => look());
  // Where nothing can change any more, nobody misses the network.
  addEventListener('offline', () => {
    if (shown().follow !== undefined) showConnection(false);
  });
  document.addEventListener('visibilitychange', () => look());
  // From the browser's memory: what it shows may be long past.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void refresh();
  });
  addEventListener('popstate', () => {
    if (address !== location.pathname + location.search) void refresh();
  });
  tabs?.addEventListener('message', ({ data }) => {
    const { path, mark } = shown();
    if (data?.path === path && data.mark !== mark) look();
  });
}

function begin() {
  const { path, mark, follow } = shown();
  turn += 1;
  isInDoubt = false;
  known = '';
  isAway = false;
  isStale = false;
  address = location.pathname + location.search;
  clearTimeout(timer);
  if (mark === undefined) return;
  tabs?.postMessage({ path, mark });
  if (follow === undefined) return;
  delay = paceNow().first;
  timer = setTimeout(look, delay);
}

function paceNow() {
  if (isAway || isInDoubt) return hurried;
  return shown().follow === 'soon' ? pace.soon : pace.rarely;
}

/** Something was sent, and nobody knows whether it arrived: the page says so, and finds out. */
export function doubt() {
  isInDoubt = true;
  delay = hurried.first;
  showConnection(false);
  clearTimeout(timer);
  timer = setTimeout(look, delay);
}

/** It is sent again: what was said about the last time is past. */
export function trust() {
  isInDoubt = false;
  known = '';
  say('');
}

/** The service cannot be reached, and nothing was sent. */
export function away() {
  showConnection(false);
  clearTimeout(timer);
  timer = setTimeout(look, hurried.first);
}

/** Asks now, and again later. */
async function look() {
  clearTimeout(timer);
  const { mark, follow } = shown();
  if (mark === undefined && !isStale) return;
  if (document.visibilityState === 'visible') {
    const asked = turn;
    const found = await markNow();
    if (asked !== turn) return;
    if (found !== undefined && (isStale || found !== mark) && (await refresh(whereNow()))) return;
    if (asked !== turn) return;
    showConnection(found !== undefined && !isStale);
  }
  if (follow === undefined && !isAway) return;
  delay = Math.min(delay * 1.25, paceNow().last);
  clearTimeout(timer);
  timer = setTimeout(look, delay);
}

/** What is true now of the payment; undefined if the service cannot be reached. */
export async function markNow() {
  try {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(`${shown().path}/status`, { cache: 'no-store', signal });
    const { mark } = answer.ok ? await answer.json() : {};
    return typeof mark === 'string' ? mark : undefined;
  } catch {
    return undefined;
  }
}

/** Somebody who is typing stays at the form, unless it was sent; others see the payment, whatever method they looked at. */
function whereNow() {
  return isStale || (isTyping() && !isInDoubt) ? undefined : shown().page;
}

/**
 * Shows what is true now, at the address of the document or another one; false if the service cannot be reached.
 * @param {string} [address]
 */
async function refresh(address = location.pathname + location.search) {
  const asked = turn;
  const loaded = await load(address);
  if (asked !== turn) return true;
  if (loaded) void go(show(loaded, 'replace'));
  else {
    isStale = true;
    away();
  }
  return loaded !== undefined;
}

/**
 * Tries until it succeeds, and says meanwhile that there is no network; undefined if another page was shown before.
 * @template T
 * @param {() => Promise<T | undefined>} work
 * @returns {Promise<T | undefined>}
 */
export async function persist(work) {
  const asked = turn;
  for (;;) {
    const result = await work();
    if (asked !== turn) return undefined;
    if (result !== undefined) return result;
    away();
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    if (asked !== turn) return undefined;
  }
}

/**
 * Leaves for another site as soon as there is a network: without one the browser would show its own error page.
 * @param {string | undefined} address
 */
export async function go(address) {
  if (address === undefined || (await persist(markNow)) === undefined) return;
  showConnection(true);
  location.assign(address);
}

/** @param {boolean} isReached */
function showConnection(isReached) {
  isAway = !isReached;
  const { unreachable, notSent, offline } = noteOf()?.dataset ?? {};
  if (!isInDoubt) return say(isReached ? '' : offline);
  say(isReached ? notSent : unreachable);
  const now = isReached ? 'not sent' : 'checking';
  if (known !== now) for (const work of listeners) work(now);
  known = now;
}

/** @param {string | undefined} text */
function say(text = '') {
  const note = noteOf();
  if (note && note.textContent !== text) note.textContent = text;
}

/** @returns {HTMLElement | null} */
function noteOf() {
  return document.querySelector('.network');
}

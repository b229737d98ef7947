// The simulated bank's page on a bad network: the choice is sent without leaving the page, which says what is known, finds
// out whether the choice arrived, and goes on when there is a network. The first choice counts, however often one is sent.

/**
 * What the bank knows of the question.
 * @typedef {{ state: string, returnUrl: string | null }} Answer
 */

const retryMilliseconds = 1_500;
const followMilliseconds = 3_000;

/** @type {HTMLFormElement | null} */
const form = document.querySelector('main form');
/** @type {HTMLElement | null} */
const note = document.querySelector('.network');
/** Whether a choice was sent and its answer did not arrive. */
let isInDoubt = false;
let isSending = false;

if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isSending && event.submitter instanceof HTMLButtonElement) void choose(event.submitter);
  });
  addEventListener('online', () => void look());
  addEventListener('offline', () => showConnection(false));
  document.addEventListener('visibilitychange', () => void look());
  // From the browser's memory: it may have been answered since, here or in another tab.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void look();
  });
  setTimeout(follow, followMilliseconds);
}

/** @param {HTMLButtonElement} button */
async function choose(button) {
  isInDoubt = false;
  say('');
  busy(true);
  const body = new URLSearchParams({ [button.name]: button.value });
  const answer = await ask({ method: 'POST', body });
  if (answer) return leave(answer);
  busy(false);
  isInDoubt = true;
  showConnection(false);
  setTimeout(look, retryMilliseconds);
}

/** Not `disabled`: then the button would lose the focus. @param {boolean} isBusy */
function busy(isBusy) {
  isSending = isBusy;
  for (const button of form?.querySelectorAll('button') ?? []) button.setAttribute('aria-disabled', String(isBusy));
}

async function follow() {
  await look();
  setTimeout(follow, isInDoubt ? retryMilliseconds : followMilliseconds);
}

async function look() {
  if (isSending || document.visibilityState !== 'visible') return;
  const answer = await ask();
  if (isSending) return;
  if (answer && answer.state !== 'waiting') return isInDoubt ? leave(answer) : location.replace(location.href);
  showConnection(answer !== undefined);
}

/**
 * Undefined if the bank cannot be reached now.
 * @param {RequestInit} [request]
 * @returns {Promise<Answer | undefined>}
 */
async function ask(request = {}) {
  try {
    const headers = { accept: 'application/json' };
    const signal = AbortSignal.timeout(20_000);
    const answer = await fetch(location.href, { cache: 'no-store', headers, signal, ...request });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Back to the payment, as soon as there is a network: without one the browser would show its own error page.
 * @param {Answer} answer
 */
async function leave({ state, returnUrl }) {
  busy(true);
  while (!(await ask())) {
    isInDoubt = false;
    showConnection(false);
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
  }
  // A choice after a cancel changed nothing: this page says so.
  if (returnUrl === null || state === 'canceled') location.replace(location.href);
  else location.assign(returnUrl);
}

/** @param {boolean} isReached */
function showConnection(isReached) {
  const { unreachable = '', notSent = '', offline = '' } = note?.dataset ?? {};
  if (isInDoubt) say(isReached ? notSent : unreachable);
  else say(isReached ? '' : offline);
}

/** @param {string} text */
function say(text) {
  if (note && note.textContent !== text) note.textContent = text;
}

export {};

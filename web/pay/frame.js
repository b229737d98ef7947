// In the frame of an embedded payment form: tells the merchant's page which state is shown and how high it is. Messages go
// to the registered origin only, and have no card data and no key.

/** @type {HTMLElement | null} */
const form = document.querySelector('main[data-origin]');
if (form && parent === window) location.replace(form.dataset.path ?? '/');
else if (form) follow(form);

/** @param {HTMLElement} main */
function follow(main) {
  const { origin = '', state, method, reason, attempt } = main.dataset;
  /** @param {object} message */
  const tell = (message) => parent.postMessage({ source: 'grosz', ...message }, origin);
  const height = () => Math.ceil(document.body.getBoundingClientRect().height);
  const language = document.documentElement.lang;
  tell({ type: 'page', state, method, reason, attempt, language, height: height() });
  new ResizeObserver(() => tell({ type: 'resize', height: height() })).observe(document.body);
  // A payer who comes back from the bank must not be sent there again.
  if (state === 'redirect') history.replaceState(null, '', main.dataset.page);
  let isSent = false;
  // The page's script has looked at the form before: it is marked as sent only if nothing is wrong with it.
  document.addEventListener('submit', ({ target }) => {
    if (isSent || !(target instanceof HTMLFormElement) || target.dataset.sent === undefined) return;
    isSent = true;
    tell({ type: 'processing' });
  });
  // The page around it asks after each load whether it was one of ours.
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.source === 'grosz') tell({ type: 'here' });
  });
  takeFocus();
}

/** Only within the frame: a form that appears leaves the cursor where it is in the merchant's page. */
function takeFocus() {
  if (!document.hasFocus() || !document.referrer.startsWith(location.origin)) return;
  /** @type {HTMLElement | null} */
  const place = document.querySelector('[data-focus]') ?? document.querySelector('h1');
  if (place?.tagName === 'H1') place.tabIndex = -1;
  place?.focus({ preventScroll: true });
}

export {};

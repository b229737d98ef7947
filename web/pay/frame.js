// In the frame of an embedded payment form: tells the merchant's page which state is shown and how high it is. Messages go
// to the registered origin only, and have no card data and no key.

import { onDoubt } from './follow.js';
import { onShown, shown } from './page.js';
import { onSending } from './send.js';

/** @type {HTMLElement | null} */
const first = document.querySelector('main[data-origin]');
if (first && parent === window) location.replace(shown().path);
else if (first) follow(first.dataset.origin ?? '');

/** @param {string} origin */
function follow(origin) {
  /** @param {object} message */
  const post = (message) => parent.postMessage({ source: 'grosz', ...message }, origin);
  const height = () => Math.ceil(document.body.getBoundingClientRect().height);
  onShown(() => {
    /** @type {HTMLElement | null} */
    const main = document.querySelector('main[data-origin]');
    if (!main) return;
    const { state, method, reason, attempt, page } = main.dataset;
    const language = document.documentElement.lang;
    post({ type: 'page', state, method, reason, attempt, language, height: height() });
    // A payer who comes back from the bank must not be sent there again.
    if (state === 'redirect') history.replaceState(null, '', page);
  });
  new ResizeObserver(() => post({ type: 'resize', height: height() })).observe(document.body);
  onSending(() => post({ type: 'processing' }));
  onDoubt((reason) => post({ type: 'unanswered', reason }));
  // The page around it asks after each load whether it was one of ours.
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.source === 'grosz') post({ type: 'here' });
  });
}

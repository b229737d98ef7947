// What the pay page does on top of its HTML: checks and sends forms, follows the payment, counts the time to confirm, and
// takes the payer back to the shop. Without this script everything still works.

import { enhance, promiseEncryption } from './fields.js';
import { go, startFollowing } from './follow.js';
import { onShown } from './page.js';
import { followLinks, sendByScript } from './send.js';

/** Timers of the page that is shown. @type {ReturnType<typeof setInterval>[]} */
const timers = [];

onShown(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const form of document.querySelectorAll('form')) {
    const fields = [...form.querySelectorAll('input')].filter((input) => input.dataset.wrong !== undefined);
    for (const field of fields) enhance(field);
    sendByScript(form, fields);
  }
  promiseEncryption();
  find('.live', showLongWait);
  find('.left', countTime);
  find('.forward', countDown);
  find('.bank-search', searchBanks);
});
startFollowing();
followLinks();

/**
 * @param {string} selector
 * @param {(place: HTMLElement) => void} work
 */
function find(selector, work) {
  const place = document.querySelector(selector);
  if (place instanceof HTMLElement) work(place);
}

/** @param {HTMLElement} place */
function showLongWait(place) {
  const since = performance.now();
  timers.push(
    setInterval(() => {
      const seconds = (performance.now() - since) / 1_000;
      const text = seconds > 90 ? place.dataset.veryLong : seconds > 15 ? place.dataset.long : '';
      if (text && place.textContent !== text) place.textContent = text;
    }, 1_000),
  );
}

/**
 * How long the payer has to confirm. Counted by the time that passed: timers of hidden pages sleep.
 * @param {HTMLElement} line
 */
function countTime(line) {
  const { seconds = '0', text = '' } = line.dataset;
  const end = performance.now() + Number(seconds) * 1_000;
  const timer = setInterval(show, 1_000);
  timers.push(timer);
  function show() {
    const rest = Math.max(0, Math.round((end - performance.now()) / 1_000));
    const time = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, '0')}`;
    line.textContent = text.replace('{time}', time);
    line.hidden = rest === 0;
    if (rest === 0) clearInterval(timer);
  }
  show();
}

/** @param {HTMLElement} box */
function countDown(box) {
  const { url = '', seconds = '6' } = box.dataset;
  const line = box.querySelector('p');
  const text = line?.dataset.text ?? '';
  let left = Number(seconds);
  const timer = setInterval(tick, 1_000);
  timers.push(timer);
  function tick() {
    left -= 1;
    show();
    if (left > 0) return;
    clearInterval(timer);
    void go(url);
  }
  function show() {
    if (line) line.textContent = text.replace('{seconds}', String(left));
  }
  box.querySelector('button')?.addEventListener('click', () => {
    clearInterval(timer);
    box.hidden = true;
    /** @type {HTMLElement | null} */ (document.querySelector('.step a.main'))?.focus();
  });
  show();
  box.hidden = false;
}

/**
 * Without script all banks are there, and nothing to search with.
 * @param {HTMLElement} box
 */
function searchBanks(box) {
  const input = box.querySelector('input');
  const count = box.querySelector('[role="status"]');
  if (!input || !(count instanceof HTMLElement)) return;
  const plain = (/** @type {string} */ text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
  const notListed = document.querySelector('details.not-listed');
  const banks = [...document.querySelectorAll('.banks li')].filter((item) => item instanceof HTMLElement);
  input.addEventListener('input', () => {
    const wanted = plain(input.value);
    let found = 0;
    for (const bank of banks) {
      bank.hidden = !plain(bank.querySelector('.name')?.textContent ?? '').includes(wanted);
      if (!bank.hidden) found += 1;
    }
    // Who finds none needs the way out, and may close it again.
    if (found === 0 && notListed instanceof HTMLDetailsElement) notListed.open = true;
    count.textContent = wanted === '' ? '' : (count.dataset.text ?? '').replace('{count}', String(found));
  });
  // The first bank that is found, not the first of all.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    banks
      .find((bank) => !bank.hidden)
      ?.querySelector('button')
      ?.focus();
  });
  box.hidden = false;
  // Browsers give no focus to what was hidden when the page came.
  if (input.autofocus && document.activeElement === document.body) input.focus();
}

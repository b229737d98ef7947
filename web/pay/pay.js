// What the pay page does on top of its HTML: spaces digits, encrypts the card, sends a form once, asks while it waits,
// and takes the payer back to the shop. Without this script everything still works.

/** @type {HTMLElement | null} */
const sheet = document.querySelector('main[data-path]');
const path = sheet?.dataset.path ?? '';
/** Where this page shows its newest state; in a frame of a merchant's page that is not the path. */
const here = sheet?.dataset.page ?? path;
const mark = sheet?.dataset.mark;

/** By the first digits, as the networks assign them. */
const brands = /** @type {const} */ ([
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/],
  ['American Express', /^3[47]/],
  ['Maestro', /^(50|5[6-9]|6[0-9])/],
]);

let isPressed = false;
addEventListener('pointerdown', () => {
  isPressed = true;
});
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => {
    isPressed = false;
  });

for (const form of document.querySelectorAll('form')) enhance(form);
promise();
/** @type {HTMLElement | null} */
const live = document.querySelector('.live');
if (live && mark !== undefined) waitForChange(live);
/** @type {HTMLElement | null} */
const left = document.querySelector('.left');
if (left) countTime(left);
/** @type {HTMLElement | null} */
const forward = document.querySelector('.forward');
if (forward) countDown(forward);
if (mark !== undefined) lookOnReturn();

/**
 * Fields tell what is wrong with them when they are left or the form is sent, never while somebody types.
 * @param {HTMLFormElement} form
 */
function enhance(form) {
  const fields = [...form.querySelectorAll('input')].filter((input) => input.dataset.wrong !== undefined);
  for (const field of fields) {
    // Somebody may have typed before this script was there.
    space(field);
    showBrand(field);
    offerPaste(field);
    field.addEventListener('input', () => {
      space(field);
      showBrand(field);
      say(field, '');
    });
    field.addEventListener('blur', () => {
      if (field.value !== '') whenReleased(() => say(field, faultOf(field)));
    });
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset.sent !== undefined) return;
    const wrong = fields.filter((field) => {
      const fault = faultOf(field);
      say(field, fault);
      return fault !== '';
    });
    if (wrong.length > 0) return wrong[0]?.focus();
    form.dataset.sent = '';
    const button = form.querySelector('button');
    button?.setAttribute('aria-disabled', 'true');
    const { sending } = form.dataset;
    if (button?.className === 'main' && sending) button.textContent = sending;
    keepChoice(form, event.submitter);
    void encrypt(form, fields).finally(() => form.submit());
  });
}

/**
 * A new line of text while a button is being pressed would move the button away from under the finger.
 * @param {() => void} work
 */
function whenReleased(work) {
  if (isPressed) addEventListener('pointerup', () => setTimeout(work), { once: true });
  else work();
}

/**
 * A form that a script sends leaves out which button was pressed.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
function keepChoice(form, button) {
  if (!(button instanceof HTMLButtonElement) || button.name === '') return;
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = button.name;
  field.value = button.value;
  form.append(field);
}

/**
 * @param {HTMLInputElement} field
 * @param {string} fault
 */
function say(field, fault) {
  const place = document.getElementById(`${field.id}-fault`);
  if (place) place.textContent = fault;
  if (fault === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

/** @param {HTMLInputElement} field */
function showBrand(field) {
  if (field.dataset.card !== 'number') return;
  const place = field.parentElement?.querySelector('.card-brand');
  const digits = digitsOf(field.value);
  const name = brands.find(([, start]) => start.test(digits))?.[0] ?? '';
  if (place && place.textContent !== name) place.textContent = name;
}

/**
 * One tap instead of a long press; gone once something is typed.
 * @param {HTMLInputElement} field
 */
function offerPaste(field) {
  /** @type {HTMLButtonElement | null | undefined} */
  const button = field.parentElement?.querySelector('.paste');
  // Pages around a frame would have to allow it to read the clipboard.
  if (!button || parent !== window || !navigator.clipboard?.readText) return;
  const show = () => {
    button.hidden = field.value !== '';
  };
  show();
  field.addEventListener('input', show);
  button.addEventListener('click', async () => {
    // Refused permission means that the payer types the code.
    const text = await navigator.clipboard.readText().catch(() => '');
    field.value = digitsOf(text).slice(0, 6);
    space(field);
    show();
    field.focus();
  });
}

/** The page says that it encrypts only where it will. */
function promise() {
  /** @type {HTMLElement | null} */
  const line = document.querySelector('[data-encrypted]');
  if (line && globalThis.crypto?.subtle) line.textContent = line.dataset.encrypted ?? '';
}

/** @param {string} text */
function digitsOf(text) {
  return text.replaceAll(/\D/g, '');
}

/**
 * `777 123`, `4111 1111 1111 1111`, `12/39`; only at the end of the text, so that the cursor never jumps.
 * @param {HTMLInputElement} field
 */
function space(field) {
  const { value, selectionStart } = field;
  if (selectionStart !== value.length) return;
  const digits = digitsOf(value);
  if (field.dataset.digits) field.value = groups(digits.slice(0, 6), 3);
  else if (field.dataset.card === 'number') field.value = groups(digits.slice(0, 19), 4);
  else if (field.dataset.card === 'code') field.value = digits.slice(0, 4);
  else if (field.dataset.card === 'expiry' && !value.includes('/')) field.value = spaceExpiry(digits);
}

/**
 * @param {string} digits
 * @param {number} size
 */
function groups(digits, size) {
  return digits.replaceAll(new RegExp(`(\\d{${size}})(?=\\d)`, 'g'), '$1 ');
}

/** @param {string} digits */
function spaceExpiry(digits) {
  const padded = /^[2-9]$/.test(digits) ? `0${digits}` : digits;
  return padded.length > 2 ? `${padded.slice(0, 2)}/${padded.slice(2, 6)}` : padded;
}

/**
 * Month and year of an expiry however it is written, such as `12/39`, `1239`, `12 / 2039`.
 * @param {string} text
 */
function readExpiry(text) {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*[/.-]?\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  return month === undefined ? undefined : { month: Number(month), year: 2000 + Number(year) };
}

/** @param {HTMLInputElement} field */
function faultOf(field) {
  const { wrong = '', expired = '', card } = field.dataset;
  const digits = digitsOf(field.value);
  if (field.dataset.digits) return digits.length === Number(field.dataset.digits) ? '' : wrong;
  if (card === 'number') return digits.length >= 12 && digits.length <= 19 && passesLuhn(digits) ? '' : wrong;
  if (card === 'code') return /^\d{3,4}$/.test(digits) ? '' : wrong;
  if (card !== 'expiry') return '';
  const expiry = readExpiry(field.value);
  if (!expiry) return wrong;
  // The server knows the time; this machine's clock may be wrong, so a card is good for a month longer here.
  return new Date(expiry.year, expiry.month + 1) > new Date() ? '' : expired;
}

/** @param {string} digits */
function passesLuhn(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * The plain fields lose their names once the encrypted one is filled: the number does not leave the page in clear. Where
 * the browser cannot encrypt, the form goes as it does without script.
 * @param {HTMLFormElement} form
 * @param {readonly HTMLInputElement[]} fields
 */
async function encrypt(form, fields) {
  const { key } = form.dataset;
  /** @type {HTMLInputElement | null} */
  const target = form.querySelector('input[name="card"]');
  if (!key || !target || !globalThis.crypto?.subtle) return;
  /** @param {string} name */
  const value = (name) => fields.find((field) => field.dataset.card === name)?.value ?? '';
  const expiry = readExpiry(value('expiry'));
  if (!expiry) return;
  const date = `${String(expiry.month).padStart(2, '0')}/${String(expiry.year).slice(2)}`;
  const plain = `${digitsOf(value('number'))}|${date}|${digitsOf(value('code'))}`;
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  const imported = await crypto.subtle.importKey('spki', bytes, algorithm, false, ['encrypt']);
  const sealed = await crypto.subtle.encrypt(algorithm, imported, new TextEncoder().encode(plain));
  target.value = btoa(String.fromCharCode(...new Uint8Array(sealed)));
  for (const field of fields) field.removeAttribute('name');
}

async function hasChanged() {
  try {
    const answer = await fetch(`${path}/status`, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    return answer.ok && (await answer.json()).mark !== mark;
  } catch {
    return false;
  }
}

/**
 * Asks soon at first, then ever more rarely, and not at all while nobody looks.
 * @param {HTMLElement} place
 */
function waitForChange(place) {
  const since = performance.now();
  let delay = 1_000;
  async function ask() {
    if (document.visibilityState === 'visible' && (await hasChanged())) return location.replace(here);
    const seconds = (performance.now() - since) / 1_000;
    const text = seconds > 90 ? place.dataset.veryLong : seconds > 15 ? place.dataset.long : '';
    if (text && place.textContent !== text) place.textContent = text;
    delay = Math.min(delay * 1.25, 10_000);
    setTimeout(ask, delay);
  }
  setTimeout(ask, delay);
}

/** Another tab may have paid meanwhile: a page that is looked at again shows what is true now. */
function lookOnReturn() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = document.querySelectorAll('.field input');
  const filled = () => [...inputs].some(({ value }) => value !== '');
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState === 'visible' && !filled() && (await hasChanged())) location.replace(here);
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/**
 * How long the payer has to confirm. Counted by the time that passed: timers of hidden pages sleep.
 * @param {HTMLElement} line
 */
function countTime(line) {
  const { seconds = '0', text = '' } = line.dataset;
  const end = performance.now() + Number(seconds) * 1_000;
  const timer = setInterval(show, 1_000);
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
  function tick() {
    left -= 1;
    show();
    if (left > 0) return;
    clearInterval(timer);
    location.assign(url);
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

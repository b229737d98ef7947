// The fields of the forms: spaces digits, tells what is wrong, recognizes the brand of a card and encrypts it.

/**
 * As the server knows them: `src/kernel/brands.ts`.
 * @typedef {{ name: string, start: string, groups: readonly number[], codeDigits: number, accepted: boolean }} Brand
 */

let isPressed = false;
addEventListener('pointerdown', () => {
  isPressed = true;
});
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => {
    isPressed = false;
  });

/**
 * Fields tell what is wrong with them when they are left or the form is sent, never while somebody types.
 * @param {HTMLInputElement} field
 */
export function enhance(field) {
  // Somebody may have typed before this script was there.
  space(field);
  showBrand(field);
  offerPaste(field);
  keepEmail(field);
  field.addEventListener('input', () => {
    space(field);
    showBrand(field);
    say(field, '');
  });
  field.addEventListener('blur', () => {
    if (field.value !== '') whenReleased(() => say(field, faultOf(field)));
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
 * @param {HTMLInputElement} field
 * @param {string} fault
 */
export function say(field, fault) {
  const place = document.getElementById(`${field.id}-fault`);
  if (place) place.textContent = fault;
  if (fault === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

/**
 * The brand of the card in this form, once its number tells it.
 * @param {HTMLInputElement} field
 * @returns {Brand | undefined}
 */
function brandIn(field) {
  const number = field.form?.querySelector('input[data-brands]');
  if (!(number instanceof HTMLInputElement)) return undefined;
  const digits = digitsOf(number.value);
  /** @type {readonly Brand[]} */
  const brands = JSON.parse(number.dataset.brands ?? '[]');
  return brands.find(({ start }) => new RegExp(start).test(digits));
}

/**
 * In the field, and marked among the brands that are accepted.
 * @param {HTMLInputElement} field
 */
function showBrand(field) {
  if (field.dataset.card !== 'number') return;
  const name = brandIn(field)?.name ?? '';
  const place = field.parentElement?.querySelector('.card-brand');
  if (place && place.textContent !== name) place.textContent = name;
  for (const item of field.form?.querySelectorAll('.brands li') ?? [])
    item.classList.toggle('this', item.textContent === name);
  showCodeHint(field);
}

/**
 * Where the security code of this brand is.
 * @param {HTMLInputElement} number
 */
function showCodeHint(number) {
  const code = number.form?.querySelector('input[data-hint]');
  const hint = document.getElementById('code-hint');
  if (!(code instanceof HTMLInputElement) || !hint) return;
  const digits = brandIn(number)?.codeDigits;
  const text = (digits && code.dataset[`hint-${digits}`]) || code.dataset.hint || '';
  if (hint.textContent !== text) hint.textContent = text;
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

/**
 * An email address is typed once for this payment: the page of a declined one has it again. Only this tab knows it, until it
 * is closed.
 * @param {HTMLInputElement} field
 */
function keepEmail(field) {
  if (field.type !== 'email') return;
  const key = `email ${location.pathname}`;
  withStorage((storage) => {
    if (field.value === '') field.value = storage.getItem(key) ?? '';
  });
  field.form?.addEventListener('submit', () => withStorage((storage) => storage.setItem(key, field.value)));
}

/**
 * A browser that keeps nothing throws; its payer types the address again.
 * @param {(storage: Storage) => void} work
 */
function withStorage(work) {
  try {
    work(sessionStorage);
  } catch {}
}

/** The page says that it encrypts only where it will. */
export function promiseEncryption() {
  /** @type {HTMLElement | null} */
  const line = document.querySelector('[data-encrypted]');
  if (line && globalThis.crypto?.subtle) line.textContent = line.dataset.encrypted ?? '';
}

/** @param {string} text */
function digitsOf(text) {
  return text.replaceAll(/\D/g, '');
}

/**
 * `777 123`, `4111 1111 1111 1111`, `3782 822463 10005`, `12/39`; only at the end of the text, so that the cursor never
 * jumps.
 * @param {HTMLInputElement} field
 */
function space(field) {
  const { value, selectionStart } = field;
  if (selectionStart !== value.length) return;
  const digits = digitsOf(value);
  if (field.dataset.digits) field.value = groups(digits.slice(0, 6), [3, 3]);
  else if (field.dataset.card === 'number')
    field.value = groups(digits.slice(0, 19), brandIn(field)?.groups ?? [4, 4, 4, 4, 3]);
  else if (field.dataset.card === 'code') field.value = digits.slice(0, 4);
  else if (field.dataset.card === 'expiry' && !value.includes('/')) field.value = spaceExpiry(digits);
}

/**
 * What is longer than all groups stays in the last one.
 * @param {string} digits
 * @param {readonly number[]} sizes
 */
function groups(digits, sizes) {
  const parts = [];
  let at = 0;
  for (const [index, size] of sizes.entries()) {
    parts.push(digits.slice(at, index === sizes.length - 1 ? undefined : at + size));
    at += size;
  }
  return parts.filter((part) => part !== '').join(' ');
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

/**
 * What is wrong with it, in words; empty if nothing is.
 * @param {HTMLInputElement} field
 */
export function faultOf(field) {
  const { wrong = '', expired = '', card } = field.dataset;
  const digits = digitsOf(field.value);
  if (field.dataset.digits) return digits.length === Number(field.dataset.digits) ? '' : wrong;
  if (field.type === 'email') return field.value.trim() !== '' && field.validity.valid ? '' : wrong;
  if (card === 'number') return numberFault(field, digits);
  if (card === 'code') return codeFault(field, digits);
  if (card !== 'expiry') return '';
  const expiry = readExpiry(field.value);
  if (!expiry) return wrong;
  // The server knows the time; this machine's clock may be wrong, so a card is good for a month longer here.
  return new Date(expiry.year, expiry.month + 1) > new Date() ? '' : expired;
}

/**
 * @param {HTMLInputElement} field
 * @param {string} digits
 */
function numberFault(field, digits) {
  const { wrong = '', missing = '', brand = '' } = field.dataset;
  if (field.value.trim() === '') return missing;
  if (brandIn(field)?.accepted === false) return brand;
  return digits.length >= 12 && digits.length <= 19 && passesLuhn(digits) ? '' : wrong;
}

/**
 * @param {HTMLInputElement} field
 * @param {string} digits
 */
function codeFault(field, digits) {
  const { wrong = '', long = '' } = field.dataset;
  if (brandIn(field)?.codeDigits === 4) return digits.length === 4 ? '' : long;
  return /^\d{3,4}$/.test(digits) ? '' : wrong;
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
 * The card, sealed for the service. Undefined for other forms, and where the browser cannot encrypt.
 * @param {HTMLFormElement} form
 * @param {readonly HTMLInputElement[]} fields
 */
export async function encrypt(form, fields) {
  const { key } = form.dataset;
  if (!key || !globalThis.crypto?.subtle) return undefined;
  /** @param {string} name */
  const value = (name) => fields.find((field) => field.dataset.card === name)?.value ?? '';
  const expiry = readExpiry(value('expiry'));
  if (!expiry) return undefined;
  const date = `${String(expiry.month).padStart(2, '0')}/${String(expiry.year).slice(2)}`;
  const plain = `${digitsOf(value('number'))}|${date}|${digitsOf(value('code'))}`;
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  const imported = await crypto.subtle.importKey('spki', bytes, algorithm, false, ['encrypt']);
  const sealed = await crypto.subtle.encrypt(algorithm, imported, new TextEncoder().encode(plain));
  return btoa(String.fromCharCode(...new Uint8Array(sealed)));
}

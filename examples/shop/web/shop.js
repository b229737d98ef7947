// In the payer's browser: encrypts the card for Grosz's public key, so that the shop's server never sees it; and looks
// for news: the result of an order, the charges of subscriptions.

const form = document.querySelector('form.checkout');
if (form) {
  for (const radio of form.querySelectorAll('input[name=way]')) radio.addEventListener('change', choose);
  form.addEventListener('submit', submit);
  for (const part of form.querySelectorAll('[data-needs-script]')) part.disabled = false;
  choose();
}
const order = document.querySelector('[data-order][data-waits]');
if (order) setTimeout(look, 500, 500);

const live = document.querySelectorAll('[data-live]');
if (live.length > 0) setTimeout(follow, 2_000);

/** What changes by itself is fetched again and put in place; what is opened stays open. */
async function follow() {
  const text = await fetch(location.href).then(
    (response) => (response.ok ? response.text() : ''),
    () => '',
  );
  const fresh = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('[data-live]');
  for (const [index, part] of live.entries()) {
    const next = fresh[index];
    if (!next || next.innerHTML === part.dataset.seen || part.contains(document.activeElement)) continue;
    part.dataset.seen = next.innerHTML;
    const open = [...part.querySelectorAll('details')].map((details) => details.open);
    part.replaceChildren(...next.childNodes);
    for (const [place, details] of part.querySelectorAll('details').entries())
      details.open = open[place] ?? details.open;
  }
  setTimeout(follow, 2_000);
}

/** Fields of the chosen way are required, the others are not. */
function choose() {
  for (const way of form.querySelectorAll('.way')) {
    const chosen = way.querySelector('input[name=way]').checked;
    for (const input of way.querySelectorAll('.data input')) input.required = chosen;
  }
}

async function submit(event) {
  event.preventDefault();
  const button = form.querySelector('button.main');
  if (button.disabled) return;
  button.disabled = true;
  const card = form.elements.way.value === 'card';
  try {
    if (card) form.elements.card.value = await encryptCard(form.dataset.key);
    form.submit();
  } catch (error) {
    form.querySelector('.fault').textContent = error.message;
    button.disabled = false;
  }
}

/** RSA-OAEP with SHA-256 over `number|MM/YY|code`. The fields have no names: the form cannot send them. */
async function encryptCard(pem) {
  const value = (name) => form.querySelector(`[data-card=${name}]`).value.trim();
  const number = value('number').replaceAll(/\D/g, '');
  if (!/^\d{12,19}$/.test(number)) throw new Error('Check the card number.');
  if (!/^(0[1-9]|1[0-2])\/\d{2}$/.test(value('expiry'))) throw new Error('Enter the expiry date as MM/YY.');
  if (!/^\d{3,4}$/.test(value('code'))) throw new Error('Check the security code.');
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const der = Uint8Array.from(atob(pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey('spki', der, algorithm, false, ['encrypt']);
  const plain = new TextEncoder().encode(`${number}|${value('expiry')}|${value('code')}`);
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plain))));
}

async function look(delay) {
  const answer = await fetch(`${location.pathname}/status`).then(
    (response) => response.json(),
    () => undefined,
  );
  if (answer && answer.status !== order.dataset.status) location.reload();
  else setTimeout(look, delay, Math.min(delay * 1.3, 10_000));
}

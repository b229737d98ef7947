// The card fields inside their frame. Numbers go from here to the fake, and never to the page around the frame.

const form = document.querySelector('form');
const fault = document.querySelector('#fault');
const typedIn = (name) => form.elements[name].value.replaceAll(/[ /-]/g, '');

function isNumber(digits) {
  if (!/^\d{12,19}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

const rules = [
  ['number', isNumber, 'incomplete_number', 'Your card number is not complete.'],
  [
    'expiry',
    (text) => /^(0[1-9]|1[0-2])\d\d$/.test(text),
    'incomplete_expiry',
    'Your expiration date is not complete.',
  ],
  ['cvc', (text) => /^\d{3,4}$/.test(text), 'incomplete_cvc', 'Your security code is not complete.'],
];

/** The first thing that is wrong; shown only when asked to. */
function faultOf() {
  const found = rules.find(([name, isRight]) => !isRight(typedIn(name)));
  return found && { name: found[0], error: { type: 'validation_error', code: found[2], message: found[3] } };
}

function show(found) {
  for (const [name] of rules) form.elements[name].setAttribute('aria-invalid', String(found?.name === name));
  fault.textContent = found?.error.message ?? '';
  if (found) form.elements[found.name].focus();
}

/** `{a: {b: 1}}` becomes `a[b]=1`. */
function encode(value, name, into) {
  if (value === null || value === undefined) return into;
  if (typeof value !== 'object') into.append(name, String(value));
  else for (const [key, one] of Object.entries(value)) encode(one, name === '' ? key : `${name}[${key}]`, into);
  return into;
}

async function createToken({ key, params }) {
  const expiry = typedIn('expiry');
  const card = {
    number: typedIn('number'),
    exp_month: Number(expiry.slice(0, 2)),
    exp_year: 2_000 + Number(expiry.slice(2)),
    cvc: typedIn('cvc'),
  };
  const { payment_method_data: more = {}, ...rest } = params;
  const body = encode({ ...rest, payment_method_data: { ...more, type: 'card', card } }, '', new URLSearchParams());
  try {
    const response = await fetch('/v1/confirmation_tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    const answer = await response.json();
    return response.ok ? { confirmationToken: answer } : { error: answer.error };
  } catch {
    return { error: { type: 'api_connection_error', message: 'The provider cannot be reached.' } };
  }
}

window.addEventListener('message', async ({ source, data, ports: [port] }) => {
  if (source !== window.parent || !port) return;
  const found = faultOf();
  show(found);
  if (found) port.postMessage({ error: found.error });
  else port.postMessage(data.kind === 'token' ? await createToken(data) : {});
});

new ResizeObserver(() => {
  window.parent.postMessage({ kind: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) }, '*');
}).observe(document.body);

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', () => {
  const digits = typedIn('number').replaceAll(/\D/g, '').slice(0, 19);
  form.elements.number.value = digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  const expiry = typedIn('expiry').replaceAll(/\D/g, '').slice(0, 4);
  form.elements.expiry.value = expiry.length > 2 ? `${expiry.slice(0, 2)} / ${expiry.slice(2)}` : expiry;
  window.parent.postMessage({ kind: 'change', complete: !faultOf(), empty: digits === '' }, '*');
});

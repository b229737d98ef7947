// On-site wallet payment, in the payer's browser. The button is shown only where the browser has the vendor's session
// object and the payer an active card. Everything that needs credentials is done by the shop's server.

const merchantIdentifier = 'merchant.grosz.sandbox';
const place = document.querySelector('.wallet');
const Session = globalThis.WalletSession;
if (place && Session?.canMakePayments()) {
  Session.canMakePaymentsWithActiveCard(merchantIdentifier).then((active) => {
    if (!active) return;
    place.hidden = false;
    place.querySelector('button').addEventListener('click', begin);
  });
}

function begin() {
  const form = place.closest('form');
  // The other ways have fields of their own; the wallet needs only the email.
  if (!form.elements.email.reportValidity()) return;
  say('');
  const session = new Session(3, {
    countryCode: 'POL',
    currencyCode: '985',
    total: { label: 'Leaf & Cup', amount: place.dataset.amount, type: 'final' },
    supportedNetworks: ['visa', 'masterCard'],
    merchantCapabilities: ['supports3DS'],
  });
  let canceled = false;
  let authorized = false;
  // By the payer, or by a device without a network: it does not say which.
  session.oncancel = async () => {
    canceled = true;
    if (!authorized && !(await isReachable())) say('There is no connection. You were not charged; try again later.');
  };
  session.onvalidatemerchant = async ({ validationURL }) => {
    const merchantSession = await send('/wallet/session', { validationUrl: validationURL });
    // Nobody waits for it any more, and the session object would complain.
    if (canceled) return;
    if (merchantSession) return session.completeMerchantValidation(merchantSession);
    session.abort();
    say('The wallet is not available here at the moment. You were not charged.');
  };
  session.onpaymentauthorized = async ({ payment }) => {
    authorized = true;
    const token = btoa(JSON.stringify(payment.token.paymentData));
    const { orderId, email } = form.elements;
    const answer = await send('/wallet/pay', { orderId: orderId.value, email: email.value, token });
    try {
      session.completePayment({ status: answer?.paid ? Session.STATUS_SUCCESS : Session.STATUS_FAILURE });
    } catch {
      // The device closed its sheet: it waits for 30 seconds.
    }
    // The order's page shows the result. It is not opened before it can be: the browser would replace this page.
    if (answer) return location.assign(answer.location);
    say('No answer came. Please stay here: this page finds out whether you have paid.');
    await findOut(orderId.value);
  };
  session.begin();
}

const againMilliseconds = 2_000;

async function isReachable() {
  return fetch('/shop.css', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** Asks for the order until the shop answers. Twice that it has none: the first could be older than the order. */
async function findOut(orderId) {
  for (let missing = 0; missing < 2; ) {
    const status = await fetch(`/orders/${orderId}/status`, { cache: 'no-store' }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return location.assign(`/orders/${orderId}`);
    missing = status === 404 ? missing + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, againMilliseconds));
  }
  say('The payment did not arrive. You were not charged; try again.');
}

async function send(url, fields) {
  try {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

function say(text) {
  place.querySelector('.fault').textContent = text;
}

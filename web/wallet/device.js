// The simulated device wallet, for sandboxes: provides the session object that a real device's browser has. It shows a
// sheet with two test cards, has the merchant validated, and gets real tokens from the simulated vendor. Pages use it as
// they use the real one.

(() => {
  if ('WalletSession' in globalThis) return;

  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  const vendor = new URL(script?.src ?? location.href).origin;

  /** What a page must answer within. */
  const patienceMilliseconds = 30_000;

  const cards = [
    { id: 'approved', network: 'visa', label: 'Visa', tail: '1111', note: 'pays' },
    { id: 'declined', network: 'mastercard', label: 'Mastercard', tail: '0002', note: 'is declined by the bank' },
  ];

  /**
   * @param {string} path
   * @param {object} body
   */
  async function ask(path, body) {
    const { answer, content } = await send(path, body).catch(() => {
      // Whatever the browser says about it is not for payers.
      throw new Error('The wallet cannot be reached.');
    });
    if (!answer.ok) throw new Error(content.errors?.[0]?.errorMessage ?? `The device got status ${answer.status}.`);
    return content;
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async function send(path, body) {
    const answer = await fetch(`${vendor}/wallet/device/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    return { answer, content: await answer.json() };
  }

  const sheetStyle = new CSSStyleSheet();
  sheetStyle.replaceSync(`
    dialog { border: 0; border-radius: 20px 20px 0 0; padding: 0; margin: auto auto 0; width: min(100%, 26rem);
      max-width: none; background: #f5f6f8; color: #14181d; font: 16px/1.45 system-ui, sans-serif;
      box-shadow: 0 -8px 40px rgb(0 0 0 / 35%); }
    dialog::backdrop { background: rgb(10 14 20 / 55%); }
    @media (min-width: 30rem) { dialog { margin: auto; border-radius: 20px; } }
    .head { display: flex; justify-content: space-between; align-items: center; padding: 1rem 1.25rem .5rem; }
    h2 { font-size: 1.05rem; margin: 0; }
    .body { padding: 0 1.25rem 1.25rem; }
    .label { color: #5b6672; font-size: .875rem; margin: 0; }
    .cancel { border: 0; background: none; color: #0b57d0; font: inherit; padding: .5rem; margin-right: -.5rem; cursor: pointer; }
    fieldset { border: 0; margin: .75rem 0; padding: 0; display: grid; gap: .5rem; }
    legend { padding: 0; margin-bottom: .5rem; color: #5b6672; font-size: .875rem; }
    .card { display: flex; gap: .75rem; align-items: center; background: #fff; border: 2px solid transparent;
      border-radius: 12px; padding: .75rem; cursor: pointer; }
    .card:has(:checked) { border-color: #0b57d0; }
    .card:focus-within { outline: 3px solid #0b57d055; }
    .face { width: 46px; height: 30px; border-radius: 5px; flex: none; background: linear-gradient(135deg, #1a2a6c, #3d7bd9); }
    .face.mastercard { background: linear-gradient(135deg, #2b2b2b, #b8482e); }
    .card small { display: block; color: #5b6672; }
    .card input { margin-left: auto; width: 1.15rem; height: 1.15rem; }
    .row { display: flex; justify-content: space-between; align-items: baseline; border-top: 1px solid #d9dde2; padding: .75rem 0; }
    .row strong { font-size: 1.35rem; white-space: nowrap; }
    .confirm { width: 100%; border: 0; border-radius: 12px; padding: .9rem; font: inherit; font-weight: 600; color: #fff;
      background: #14181d; cursor: pointer; }
    .confirm:disabled { background: #9aa3ad; cursor: default; }
    button:focus-visible { outline: 3px solid #0b57d0; outline-offset: 2px; }
    .state { min-height: 1.5em; margin: .6rem 0 0; text-align: center; color: #5b6672; }
    .state.bad { color: #b3261e; } .state.good { color: #146c2e; }
    details { margin-top: .75rem; font-size: .875rem; color: #5b6672; } summary { cursor: pointer; }
    select { width: 100%; font: inherit; margin-top: .4rem; padding: .35rem; }
    @media (prefers-color-scheme: dark) {
      dialog { background: #1c2127; color: #eef1f4; } .card { background: #2a3037; } .row { border-color: #3a424b; }
      .label, legend, .card small, .state, details { color: #aab4be; } .cancel { color: #8ab4f8; }
      .confirm { background: #eef1f4; color: #14181d; } .card:has(:checked) { border-color: #8ab4f8; }
      .state.bad { color: #f2b8b5; } .state.good { color: #7fd99a; } select { background: #2a3037; color: inherit; }
    }`);

  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Record<string, string>} [attributes]
   * @param {...(Node | string)} content
   * @returns {HTMLElementTagNameMap[Name]}
   */
  function element(name, attributes = {}, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  }

  /** The sheet over the page, in a root of its own that the page's styles do not reach. */
  class Sheet {
    /**
     * @param {{ label: string, amount: string, networks: readonly string[] }} shown
     * @param {{ cancel: () => void, confirm: () => void }} on
     */
    constructor({ label, amount, networks }, on) {
      this.host = element('div');
      const root = this.host.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheetStyle];
      const offered = cards.filter(({ network }) => networks.includes(network));
      this.state = element('p', { class: 'state', role: 'status' }, 'Contacting the shop…');
      this.button = element('button', { class: 'confirm', type: 'button', disabled: '' }, 'Confirm with passcode');
      this.kind = element(
        'select',
        { 'aria-label': 'Kind of token' },
        element('option', { value: '' }, 'a valid token'),
      );
      const cancel = element('button', { class: 'cancel', type: 'button' }, 'Cancel');
      this.dialog = element(
        'dialog',
        { 'aria-label': 'Wallet' },
        element('div', { class: 'head' }, element('h2', {}, 'Wallet'), cancel),
        element(
          'div',
          { class: 'body' },
          element('p', { class: 'label' }, 'Simulated device: no real money moves.'),
          element('fieldset', {}, element('legend', {}, 'Card'), ...offered.map(cardRow)),
          element('div', { class: 'row' }, element('span', {}, `Pay ${label}`), element('strong', {}, amount)),
          this.button,
          this.state,
          element('details', {}, element('summary', {}, 'For testers: send'), this.kind),
        ),
      );
      cancel.addEventListener('click', on.cancel);
      this.button.addEventListener('click', on.confirm);
      this.dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        on.cancel();
      });
      root.append(this.dialog);
      document.body.append(this.host);
      this.dialog.showModal();
    }

    /** @returns {string} */
    get card() {
      return /** @type {HTMLInputElement | null} */ (this.dialog.querySelector('input:checked'))?.value ?? '';
    }

    /** @param {readonly string[]} kinds */
    offerKinds(kinds) {
      for (const kind of kinds) this.kind.append(element('option', { value: kind }, `a bad one: ${kind}`));
    }

    /**
     * @param {string} text
     * @param {'' | 'good' | 'bad'} [mood]
     */
    say(text, mood = '') {
      this.state.className = `state ${mood}`;
      this.state.textContent = text;
    }

    /** @param {boolean} isReady */
    enable(isReady) {
      this.button.disabled = !isReady;
      if (isReady) this.button.focus();
    }

    close() {
      this.dialog.close();
      this.host.remove();
    }
  }

  /** @param {(typeof cards)[number]} card */
  function cardRow({ id, network, label, tail, note }) {
    const input = element('input', { type: 'radio', name: 'card', value: id });
    if (id === 'approved') input.checked = true;
    return element(
      'label',
      { class: 'card' },
      element('span', { class: `face ${network}` }),
      element('span', {}, `${label} •••• ${tail}`, element('small', {}, note)),
      input,
    );
  }

  /**
   * As a page gave it: nothing about it is certain.
   * @typedef {{
   *   countryCode?: unknown, currencyCode?: unknown, total?: { label?: unknown, amount?: unknown },
   *   supportedNetworks?: unknown, merchantCapabilities?: unknown
   * }} PaymentRequestGiven
   */

  /** @param {unknown} request */
  function readRequest(request) {
    const { countryCode, currencyCode, total, supportedNetworks, merchantCapabilities } =
      /** @type {PaymentRequestGiven} */ (request ?? {});
    /** @param {string} what */
    const wrong = (what) => new TypeError(`The payment request has no valid ${what}.`);
    if (!countryCode) throw wrong('countryCode');
    if (!currencyCode) throw wrong('currencyCode');
    if (!total?.label) throw wrong('total.label');
    if (!/^\d+(\.\d{1,2})?$/.test(String(total.amount))) throw wrong('total.amount');
    if (!Array.isArray(supportedNetworks) || supportedNetworks.length === 0) throw wrong('supportedNetworks');
    if (!Array.isArray(merchantCapabilities) || !merchantCapabilities.includes('supports3DS'))
      throw wrong('merchantCapabilities');
    return {
      label: String(total.label),
      amount: String(total.amount),
      currencyCode: String(currencyCode),
      networks: supportedNetworks.map((network) => String(network).toLowerCase()),
    };
  }

  /** One session is open at a time, as on a device. */
  let isOpen = false;

  class WalletSession {
    static STATUS_SUCCESS = 0;
    static STATUS_FAILURE = 1;

    static canMakePayments() {
      return true;
    }

    /** There are cards in this wallet, whatever the identifier. */
    static async canMakePaymentsWithActiveCard() {
      return true;
    }

    /** @param {number} version */
    static supportsVersion(version) {
      return Number.isInteger(version) && version >= 1 && version <= 14;
    }

    /** @type {((event: { validationURL: string }) => void) | null} */
    onvalidatemerchant = null;
    /** @type {((event: { payment: object }) => void) | null} */
    onpaymentauthorized = null;
    /** @type {((event: object) => void) | null} */
    oncancel = null;

    #request;
    /** @type {Sheet | undefined} */
    #sheet;
    /** @type {'new' | 'validating' | 'ready' | 'authorizing' | 'ended'} */
    #state = 'new';
    /** @type {unknown} */
    #session;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {number} version
     * @param {object} request
     */
    constructor(version, request) {
      if (!WalletSession.supportsVersion(version)) throw new TypeError('This version is not supported.');
      this.#request = readRequest(request);
    }

    begin() {
      if (this.#state !== 'new') throw new DOMException('The session has begun already.', 'InvalidAccessError');
      if (isOpen) throw new DOMException('Another session is open.', 'InvalidAccessError');
      if (navigator.userActivation?.isActive === false)
        throw new DOMException('A session must begin with a gesture of the user.', 'InvalidAccessError');
      isOpen = true;
      this.#state = 'validating';
      const { label, amount, currencyCode, networks } = this.#request;
      const currency = currencyCode === '985' ? 'PLN' : currencyCode;
      const shown = { label, amount: `${amount} ${currency}`, networks };
      this.#sheet = new Sheet(shown, { cancel: () => this.#cancel(), confirm: () => void this.#confirm() });
      this.#expect();
      ask('session', {}).then(
        ({ validationURL, badKinds }) => {
          if (this.#state !== 'validating') return;
          this.#sheet?.offerKinds(badKinds);
          this.onvalidatemerchant?.({ validationURL });
        },
        () => this.#fail('The wallet cannot be reached.'),
      );
    }

    /** @param {unknown} session */
    completeMerchantValidation(session) {
      if (this.#state !== 'validating') throw new DOMException('No validation is under way.', 'InvalidAccessError');
      clearTimeout(this.#timer);
      this.#session = session;
      this.#state = 'ready';
      this.#sheet?.say('');
      this.#sheet?.enable(true);
    }

    /** @param {number | { status: number }} result */
    completePayment(result) {
      if (this.#state !== 'authorizing') throw new DOMException('No payment is under way.', 'InvalidAccessError');
      const status = typeof result === 'number' ? result : result.status;
      if (status === WalletSession.STATUS_SUCCESS) this.#end('Done', 'good');
      else this.#end('Payment not completed', 'bad');
    }

    abort() {
      if (this.#state === 'new' || this.#state === 'ended')
        throw new DOMException('No session is open.', 'InvalidAccessError');
      this.#close();
    }

    async #confirm() {
      if (this.#state !== 'ready') return;
      this.#state = 'authorizing';
      this.#sheet?.enable(false);
      this.#sheet?.say('Processing…');
      const { amount, currencyCode } = this.#request;
      const { card, kind } = /** @type {Sheet} */ (this.#sheet);
      const badKind = kind.value === '' ? {} : { badKind: kind.value };
      try {
        const payment = await ask('payment', { session: this.#session, amount, currencyCode, card, ...badKind });
        if (this.#state !== 'authorizing') return;
        this.#expect();
        this.onpaymentauthorized?.({ payment });
      } catch (error) {
        this.#fail(error instanceof Error ? error.message : 'The wallet failed.');
      }
    }

    /** A page that does not answer must not keep the sheet open. */
    #expect() {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#fail('The shop did not answer.'), patienceMilliseconds);
    }

    /** @param {string} text */
    #fail(text) {
      if (this.#state === 'ended') return;
      this.#end(text, 'bad');
      this.oncancel?.({ type: 'cancel' });
    }

    #cancel() {
      // While the shop pays, it is too late.
      if (this.#state === 'authorizing' || this.#state === 'ended') return;
      this.#close();
      this.oncancel?.({ type: 'cancel' });
    }

    /**
     * Shows how it ended for a moment.
     * @param {string} text
     * @param {'good' | 'bad'} mood
     */
    #end(text, mood) {
      this.#sheet?.say(text, mood);
      this.#sheet?.enable(false);
      const sheet = this.#sheet;
      this.#state = 'ended';
      clearTimeout(this.#timer);
      isOpen = false;
      setTimeout(() => sheet?.close(), mood === 'good' ? 900 : 2_500);
    }

    #close() {
      this.#state = 'ended';
      clearTimeout(this.#timer);
      isOpen = false;
      this.#sheet?.close();
    }
  }

  Object.defineProperty(globalThis, 'WalletSession', { value: WalletSession, configurable: true });
})();

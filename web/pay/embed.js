// The embedded payment form: `Grosz.mount('#payment', { payUrl })` shows card and BLIK fields in a frame of this service,
// so that card data never touches the page around it. The guide is docs/embed.md.

/**
 * @typedef {'ready' | 'method' | 'processing' | 'unanswered' | 'waiting' | 'redirect' | 'paid' | 'declined' | 'canceled' | 'expired'
 *   | 'refunded' | 'error'} EventName
 * @typedef {{ type: EventName, method?: string, reason?: string, message?: string }} FormEvent
 * @typedef {(event: FormEvent) => void} Listener
 * @typedef {{ on(name: EventName, listener: Listener): Handle, unmount(): void }} Handle
 * @typedef {{ payUrl: string, method?: string, language?: string, theme?: string } & Record<string, unknown>} Options
 * @typedef {{
 *   source: string, type: string, state: string, height: number, method?: string, reason?: string, attempt?: string,
 *   language: string,
 * }} Message
 */

(() => {
  /** What the frame shows, and the event that tells it; a form by itself is no event. */
  const names = /** @type {Readonly<Record<string, EventName>>} */ ({
    waiting: 'waiting',
    redirect: 'redirect',
    paid: 'paid',
    declined: 'declined',
    canceled: 'canceled',
    expired: 'expired',
    refunded: 'refunded',
    exhausted: 'error',
  });
  /** @type {readonly EventName[]} */
  const events = [...new Set(Object.values(names)), 'ready', 'method', 'processing', 'unanswered'];

  /** The title of the frame, and the link that stands there if it cannot be shown. */
  const texts = /** @type {Readonly<Record<string, readonly [string, string]>>} */ ({
    en: ['Payment form', 'Open the payment page'],
    pl: ['Formularz płatności', 'Otwórz stronę płatności'],
    de: ['Zahlungsformular', 'Zahlungsseite öffnen'],
    uk: ['Форма оплати', 'Відкрити сторінку оплати'],
    fr: ['Formulaire de paiement', 'Ouvrir la page de paiement'],
    it: ['Modulo di pagamento', 'Apri la pagina di pagamento'],
    es: ['Formulario de pago', 'Abrir la página de pago'],
    ru: ['Форма оплаты', 'Открыть страницу оплаты'],
  });

  const payUrlShape = /^https?:\/\/[^?#\s]+\/pay\/[0-9A-Z]{26}\.[\w-]{1,64}$/;
  /** A page of ours answers when it has loaded. One that does not was refused by the browser, or failed. */
  const answerMilliseconds = 3_000;
  const loadMilliseconds = 20_000;
  const heightAtMost = 5_000;

  /** @type {WeakMap<HTMLElement, Handle>} */
  const mounted = new WeakMap();

  const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
  const home = script === '' ? undefined : new URL(script).origin;

  /**
   * @param {string} message
   * @returns {never}
   */
  function refuse(message) {
    throw new TypeError(`Grosz.mount: ${message}`);
  }

  /**
   * @param {unknown} target
   * @returns {HTMLElement}
   */
  function elementOf(target) {
    const element = typeof target === 'string' ? document.querySelector(target) : target;
    return element instanceof HTMLElement ? element : refuse(`there is no element ${target}.`);
  }

  /**
   * As the page around it looks: pages that do not say that they can be dark are light.
   * @param {HTMLElement} place
   */
  function themeOf(place) {
    const { colorScheme } = getComputedStyle(place);
    const named = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="color-scheme"]'));
    const schemes = (colorScheme === 'normal' ? (named?.content ?? '') : colorScheme).split(/[\s,]+/);
    if (!schemes.includes('dark')) return 'light';
    return schemes.includes('light') ? '' : 'dark';
  }

  /**
   * @param {Options} options
   * @param {string} theme
   */
  function addressOf({ payUrl, method = '', language = '' }, theme) {
    if (!payUrlShape.test(payUrl) || !URL.canParse(payUrl))
      refuse('payUrl must be the transactionPaymentUrl of a transaction.');
    if (home === undefined) refuse('embed.js must be loaded by a script element of its own, not as a module.');
    if (home !== new URL(payUrl).origin) refuse(`payUrl must begin with ${home}.`);
    if (!['', 'card', 'blik'].includes(method)) refuse("method must be 'card' or 'blik', or left out.");
    if (language !== '' && !Object.hasOwn(texts, language))
      refuse(`language must be one of ${Object.keys(texts).join(', ')}.`);
    if (!['', 'light', 'dark'].includes(theme)) refuse("theme must be 'light', 'dark' or 'auto', or left out.");
    const query = { origin: location.origin, lang: language, only: method, theme };
    const given = Object.entries(query).filter(([, value]) => value !== '');
    return `${payUrl}/embed?${new URLSearchParams(given)}`;
  }

  /**
   * The handlers among the options, such as `onPaid`.
   * @param {Options} options
   */
  function listenersOf(options) {
    return events.flatMap((name) => {
      const given = options[`on${name[0]?.toUpperCase()}${name.slice(1)}`];
      return typeof given === 'function' ? [/** @type {[EventName, Listener]} */ ([name, given])] : [];
    });
  }

  /** A form in its element. */
  class Form {
    #place;
    #payUrl;
    #base;
    #listeners;
    #before;
    #frame = document.createElement('iframe');
    #link = document.createElement('a');
    #language;
    #isReady = false;
    #shownMethod = '';
    #shown = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {HTMLElement} place
     * @param {Options} options
     */
    constructor(place, options) {
      this.#place = place;
      this.#payUrl = options.payUrl;
      this.#base = new URL(options.payUrl).origin;
      this.#listeners = listenersOf(options);
      this.#before = [...place.childNodes];
      this.#language = options.language ?? document.documentElement.lang.slice(0, 2);
      this.#link.href = options.payUrl;
    }

    /**
     * @param {string} address
     * @param {string} theme
     */
    show(address, theme) {
      this.#frame.src = address;
      // The same scheme within and around it, or browsers paint a ground behind its corners.
      const colorScheme = theme === '' ? 'light dark' : theme;
      Object.assign(this.#frame.style, { display: 'block', width: '100%', height: '24rem', border: '0', colorScheme });
      this.#frame.addEventListener('load', () => this.#askWhetherOurs());
      addEventListener('message', this.#receive);
      this.#expectAnswer(loadMilliseconds);
      this.#setTexts();
      this.#place.replaceChildren(this.#frame);
    }

    /**
     * @param {EventName} name
     * @param {Listener} listener
     */
    on(name, listener) {
      if (!events.includes(name)) throw new TypeError(`There is no event ${name}.`);
      this.#listeners.push([name, listener]);
    }

    end() {
      clearTimeout(this.#timer);
      removeEventListener('message', this.#receive);
      this.#listeners.length = 0;
      this.#frame.remove();
      this.#place.replaceChildren(...this.#before);
    }

    /**
     * @param {EventName} type
     * @param {Omit<FormEvent, 'type'>} [detail]
     */
    #emit(type, detail = {}) {
      for (const [name, listener] of [...this.#listeners]) {
        if (name !== type) continue;
        try {
          listener({ type, ...detail });
        } catch (error) {
          // A listener that fails stops no other, and never the payment.
          reportError(error);
        }
      }
    }

    #setTexts() {
      const [title, open] = texts[this.#language] ?? /** @type {readonly [string, string]} */ (texts.en);
      this.#frame.title = title;
      this.#link.textContent = open;
    }

    /** @param {number} milliseconds */
    #expectAnswer(milliseconds) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#giveUp(), milliseconds);
    }

    #askWhetherOurs() {
      this.#frame.contentWindow?.postMessage({ source: 'grosz' }, this.#base);
      this.#expectAnswer(answerMilliseconds);
    }

    /** The payment page says what is wrong, or takes the payment. What stood in the element serves as the way there. */
    #giveUp() {
      this.#frame.style.display = 'none';
      if (this.#before.length > 0) this.#place.append(...this.#before);
      else this.#place.append(this.#link);
      const message = `The form could not be shown. Check that ${location.origin} is registered in the panel (Settings, Account, Pay page) and that this page's policy allows ${this.#base} in frame-src.`;
      this.#emit('error', { reason: 'not shown', message });
    }

    /** Late, but it is there. */
    #arrive() {
      if (this.#frame.style.display !== 'none') return;
      this.#frame.style.display = 'block';
      // The frame itself stays where it is: moved, it would load anew.
      for (const node of [...this.#place.childNodes]) if (node !== this.#frame) node.remove();
    }

    /** @param {Message} message */
    #showPage({ state, method, reason, attempt, language: spoken }) {
      if (Object.hasOwn(texts, spoken)) this.#language = spoken;
      this.#setTexts();
      if (!this.#isReady) this.#emit('ready');
      else if (this.#frame.getBoundingClientRect().top < 0) this.#frame.scrollIntoView();
      this.#isReady = true;
      if (method !== undefined && method !== this.#shownMethod) this.#emit('method', { method });
      this.#shownMethod = method ?? '';
      const news = `${state} ${attempt}`;
      const name = names[state];
      if (name && news !== this.#shown) this.#emit(name, detailOf(state, method, reason));
      this.#shown = news;
      // The bank's page shows in no frame. The address is made here: no message can lead the payer elsewhere.
      if (state === 'redirect') this.#goToBank();
    }

    /** Not before there is a network: the browser's own error page would take the place of the shop. */
    #goToBank() {
      if (navigator.onLine === false) addEventListener('online', () => this.#goToBank(), { once: true });
      else (window.top ?? window).location.href = `${this.#payUrl}/bank`;
    }

    /** @param {MessageEvent} event */
    #receive = ({ origin, source, data }) => {
      if (origin !== this.#base || source !== this.#frame.contentWindow || data?.source !== 'grosz') return;
      const message = /** @type {Message} */ (data);
      this.#arrive();
      clearTimeout(this.#timer);
      if (message.height > 0 && message.height <= heightAtMost) this.#frame.style.height = `${message.height}px`;
      if (message.type === 'page') this.#showPage(message);
      else if (message.type === 'processing') this.#emit('processing');
      else if (message.type === 'unanswered') this.#emit('unanswered', { reason: message.reason ?? '' });
    };
  }

  /**
   * @param {string | HTMLElement} target An element or its selector. What is in it stays there until the form can be shown.
   * @param {Options} options
   * @returns {Handle}
   */
  function mount(target, options) {
    const place = elementOf(target);
    if (!options) refuse('the options are missing.');
    const theme = options.theme === 'auto' ? '' : (options.theme ?? themeOf(place));
    const address = addressOf(options, theme);
    // Frameworks may run this twice: the second form takes the place of the first.
    mounted.get(place)?.unmount();
    const form = new Form(place, options);
    form.show(address, theme);
    /** @type {Handle} */
    const handle = {
      on(name, listener) {
        form.on(name, listener);
        return handle;
      },
      unmount() {
        if (mounted.get(place) === handle) mounted.delete(place);
        form.end();
      },
    };
    mounted.set(place, handle);
    return handle;
  }

  /**
   * @param {string} state
   * @param {string | undefined} method
   * @param {string | undefined} reason
   * @returns {Omit<FormEvent, 'type'>}
   */
  function detailOf(state, method, reason) {
    if (state === 'exhausted')
      return { reason: 'too many attempts', message: 'This transaction takes no more attempts. Create another one.' };
    return { ...(method === undefined ? {} : { method }), ...(reason === undefined ? {} : { reason }) };
  }

  Object.assign(window, { Grosz: Object.freeze({ mount }) });
})();

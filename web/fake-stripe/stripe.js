// A stand-in for the provider's script: `Stripe(key)` with a Payment Element whose card fields are in a frame of the fake,
// and confirmation tokens. It has what the pay page uses, and refuses what the real one refuses.

(() => {
  const base = new URL(document.currentScript.src).origin;
  let frames = 0;

  /** Sends a question to the frame, and resolves with its answer. */
  function ask(frame, question) {
    return new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = ({ data }) => resolve(data);
      frame.contentWindow.postMessage(question, base, [channel.port2]);
    });
  }

  function refuse(message) {
    const error = new Error(message);
    error.name = 'IntegrationError';
    throw error;
  }

  function paymentElement() {
    const listeners = new Map();
    const frame = document.createElement('iframe');
    frames += 1;
    frame.name = `__fakeStripeFrame${frames}`;
    frame.title = 'Card fields';
    frame.allow = 'payment *';
    frame.style.cssText = 'border:0;width:100%;height:9rem;display:block';
    const tell = (name, event) => {
      for (const listener of listeners.get(name) ?? []) listener({ elementType: 'payment', ...event });
    };
    const ready = new Promise((resolve) => {
      frame.addEventListener('load', () => {
        resolve();
        tell('ready', {});
      });
    });
    window.addEventListener('message', ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      // What is wrong is shown below the fields.
      if (data?.kind === 'height') frame.style.height = `${data.height}px`;
      if (data?.kind !== 'change') return;
      tell('change', { complete: data.complete, empty: data.empty, value: { type: 'card' } });
    });
    return {
      frame,
      ready,
      mount(place) {
        const element = typeof place === 'string' ? document.querySelector(place) : place;
        if (!element) refuse(`There is no element ${place} to mount into.`);
        frame.src = `${base}/_fake/element`;
        element.replaceChildren(frame);
        return this;
      },
      on(name, listener) {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return this;
      },
      focus: () => frame.focus(),
      update() {},
      unmount: () => frame.remove(),
      destroy: () => frame.remove(),
    };
  }

  function elementsOf(options) {
    if (options.paymentMethodTypes) refuse('paymentMethodTypes is no longer supported: use allowedPaymentMethodTypes.');
    if (!['payment', 'setup', 'subscription'].includes(options.mode)) refuse('elements needs a mode.');
    if (options.mode === 'payment' && !Number.isInteger(options.amount))
      refuse('elements needs an amount in minor units.');
    if (!/^[a-z]{3}$/.test(options.currency ?? '')) refuse('elements needs a currency in small letters.');
    let element = null;
    return {
      create(type) {
        if (type !== 'payment') refuse(`The fake has no ${type} element.`);
        if (element) refuse('There is a payment element already.');
        element = paymentElement();
        return element;
      },
      getElement: (type) => (type === 'payment' ? element : null),
      update: (change) => void Object.assign(options, change),
      wished: () => (options.setupFutureUsage ? { setup_future_usage: options.setupFutureUsage } : {}),
      fetchUpdates: async () => ({}),
      /** Shows what is wrong with the fields. */
      async submit() {
        if (!element) refuse('There is no payment element to submit.');
        await element.ready;
        this.submitted = true;
        const { error } = await ask(element.frame, { kind: 'check' });
        return error ? { error } : { selectedPaymentMethod: 'card' };
      },
    };
  }

  window.Stripe = (key) => {
    if (!/^pk_(test|live)_/.test(key ?? '')) refuse('Stripe needs a publishable key.');
    return {
      elements: elementsOf,
      async createConfirmationToken({ elements, params = {} }) {
        const element = elements.getElement('payment');
        if (!element) refuse('There is no payment element.');
        if (!elements.submitted) refuse('Call elements.submit() first.');
        await element.ready;
        return ask(element.frame, {
          kind: 'token',
          key,
          params: JSON.parse(JSON.stringify({ ...elements.wished(), ...params })),
        });
      },
    };
  };
  window.Stripe.version = 'fake';
})();

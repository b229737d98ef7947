// A merchant's own page on an origin of its own, with a strict policy, that embeds the payment form.

import type { Frame, Page } from 'playwright-core';
import { aReceiver, type Received, type Receiver } from './receiver.ts';

export interface MerchantSite {
  readonly origin: string;
  readonly receiver: Receiver;
  /** Opens a page with the form; `options` are those of `Grosz.mount`. */
  open(page: Page, payUrl: string, options?: object): Promise<void>;
}

/** What the page's own script does: it mounts a form in each place, and notes every event. */
const script = `
window.seen = [];
window.handles = [];
for (const place of document.querySelectorAll('[data-pay-url]')) {
  const { payUrl, options } = place.dataset;
  const handle = Grosz.mount(place, { payUrl, ...JSON.parse(options)  });
  for (const name of ['ready', 'method', 'processing', 'unanswered', 'waiting', 'redirect', 'paid', 'declined', 'canceled', 'expired', 'refunded', 'error'])
    handle.on(name, (event) => {
      window.seen.push({ place: place.id, ...event });
      place.dataset.events = (place.dataset.events ?? '') + ' ' + name;
    });
  window.handles.push(handle);
}
`;

/** The only policy that the guide asks for, and nothing else. */
function policyFor(base: string): string {
  return `default-src 'none'; script-src 'self' ${base}; frame-src ${base}; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'`;
}

function html(base: string, places: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/page.css"></head>
<body><main><h1>Checkout</h1>${places}</main><script src="${base}/embed.js"></script><script src="/page.js"></script></body></html>`;
}

const css = ':root{color-scheme:light dark}body{margin:0;font-family:sans-serif}main{padding:0 8px}';

/** `base` is where the payment service is. The query of a page has what it mounts. */
export async function aMerchantSite(base: string): Promise<MerchantSite> {
  const receiver = await aReceiver();
  const types = { '/page.js': ['text/javascript', script], '/page.css': ['text/css', css] } as const;
  receiver.answer = ({ path }: Received) => {
    const [type, body] = types[path as keyof typeof types] ?? ['text/html', pageOf(path)];
    return { status: 200, body, headers: { 'content-type': type, 'content-security-policy': policyFor(base) } };
  };
  const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  function pageOf(path: string): string {
    const { searchParams } = new URL(path, receiver.url);
    const urls = searchParams.getAll('pay');
    const options = attribute(searchParams.get('options') ?? '{}');
    const place = (url: string, index: number) =>
      `<div id="form-${index}" data-options="${options}" data-pay-url="${attribute(url)}"><a href="${attribute(url)}">Pay for the order</a></div>`;
    return html(base, urls.map(place).join('\n'));
  }
  return {
    origin: receiver.url,
    receiver,
    open: async (page, payUrl, options = {}) => {
      const query = new URLSearchParams({ options: JSON.stringify(options) });
      for (const url of payUrl.split(' ')) query.append('pay', url);
      // Its own scripts have run; the frame loads by itself.
      await page.goto(`${receiver.url}/checkout?${query}`, { waitUntil: 'domcontentloaded' });
    },
  };
}

/** The form on the page, once it is there; `index` if there are several. */
export async function formOf(page: Page, index = 0): Promise<Frame> {
  const element = await page.waitForSelector(`#form-${index} iframe`);
  const frame = await element.contentFrame();
  if (!frame) throw new Error('The form has no frame.');
  return frame;
}

export interface SeenEvent {
  readonly place: string;
  readonly type: string;
  readonly method?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The events of a form, once this one has arrived. */
export async function eventsUntil(page: Page, type: string, index = 0): Promise<SeenEvent[]> {
  await page.locator(`#form-${index}[data-events~="${type}"]`).waitFor({ state: 'attached' });
  const seen = (await page.evaluate('window.seen')) as SeenEvent[];
  return seen.filter(({ place }) => place === `form-${index}`);
}

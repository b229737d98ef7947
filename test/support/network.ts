// A network that fails for a browser, at one request of a page.

import type { BrowserContext, Route } from 'playwright-core';

/** Where a request is lost: on its way, or on the way back, after the service has worked. */
export type Loss = 'request' | 'answer';

export interface LostRequest {
  /** Once it has been lost. */
  readonly lost: Promise<void>;
  /** From now on nothing is lost. */
  restore(): Promise<void>;
}

/** Loses the first such request, and all after it until `restore`. */
export async function lose(
  context: BrowserContext,
  url: RegExp,
  loss: Loss,
  method: 'GET' | 'POST' = 'POST',
): Promise<LostRequest> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  const handle = async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    // A form is answered with a redirect: the page behind it is not fetched for a browser that is away.
    if (isFirst && loss === 'answer') await route.fetch({ maxRedirects: 0 });
    isFirst = false;
    await route.abort('internetdisconnected');
    resolve();
  };
  await context.route(url, handle);
  return { lost: promise, restore: () => context.unroute(url, handle) };
}

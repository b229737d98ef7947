// The peer: a bare HTTP loop that posts the same body with the same concurrency, and does nothing else.

import { given, serveParent } from '../support/child.ts';

interface Given {
  readonly url: string;
  readonly body: string;
  readonly atOnce: number;
}

const { url, body, atOnce } = given<Given>();
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

async function send(): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body });
  if ((await response.text()) !== 'TRUE') throw new Error('The receiver answered something else.');
}

serveParent(
  { ready: true },
  async ({ count }: { count: number }) => {
    const start = performance.now();
    let left = count;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return { perSecond: count / ((performance.now() - start) / 1_000) };
  },
  async () => undefined,
);

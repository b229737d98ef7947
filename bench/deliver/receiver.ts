// The receiver of both sides: responds with TRUE, counts, and reports when the last one arrived.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../support/child.ts';

export interface Received {
  readonly count: number;
  /** performance.timeOrigin + now: the same clock in every process. */
  readonly lastAt: number;
}

let count = 0;
let lastAt = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    count += 1;
    lastAt = performance.timeOrigin + performance.now();
    response.end('TRUE');
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent(
    { port },
    (): Received => ({ count, lastAt }),
    async () => {
      server.closeAllConnections();
      server.close();
    },
  );
});

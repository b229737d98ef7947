// The peer: a Fastify route that returns the same bytes, and does nothing else.

import Fastify from 'fastify';
import { given, portOf, serveParent } from '../support/child.ts';

const { page } = given<{ page: string }>();
const app = Fastify();
app.get('/pay/:address', (_request, reply) => {
  reply.type('text/html; charset=utf-8').send(page);
});
await app.listen({ host: '127.0.0.1', port: 0 });
serveParent(
  { port: portOf(app) },
  () => ({}),
  () => app.close(),
);

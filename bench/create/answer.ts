// The first peer: a Fastify route that parses the same JSON and returns the same JSON, and does nothing else.

import Fastify from 'fastify';
import { given, portOf, serveParent } from '../support/child.ts';

const { answer } = given<{ answer: object }>();
const app = Fastify();
app.post('/transactions', (_request, reply) => {
  reply.send(answer);
});
await app.listen({ host: '127.0.0.1', port: 0 });
serveParent(
  { port: portOf(app) },
  () => ({}),
  () => app.close(),
);

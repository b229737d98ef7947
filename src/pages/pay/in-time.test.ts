import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import Fastify, { type FastifyReply } from 'fastify';
import { pageStatusOf } from '../../http/index.ts';
import { later } from '../../runtime/index.ts';
import { inTime } from './in-time.ts';
import { openSending } from './security.ts';

suite('inTime', () => {
  // A server is kept alive by its connections, this process by nothing else.
  after(later(60_000, () => undefined));

  // Guarantee: a form whose work takes too long is answered with an error page; the work goes on, and sends nothing more.
  test('a form that takes too long', async () => {
    const { sendPage, sendAway, sendJson } = openSending([]);
    const work = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const warned: unknown[] = [];
    const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => warned.push(line) } } });
    app.setErrorHandler((error, _request, reply) => sendPage(reply, pageStatusOf(error), 'see what became of it'));
    const take = async (_request: unknown, reply: FastifyReply) => {
      await work.promise;
      for (const sent of [sendPage(reply, 200, 'paid'), sendAway(reply, '/'), sendJson(reply, {})])
        assert.equal(sent, reply);
      throw new Error('after all');
    };
    app.post('/', inTime({ error: (about: object) => late.resolve(about) }, take, 30));
    const answer = await app.inject({ method: 'POST', url: '/' });
    assert.deepEqual([answer.statusCode, answer.body], [503, 'see what became of it']);
    work.resolve();
    assert.match(String(((await late.promise) as { err: Error }).err), /after all/);
    assert.deepEqual(warned, []);
  });
});

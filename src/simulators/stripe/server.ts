// The fake over HTTP: the provider's API under /v1, its pages, and the controls under /_fake.

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Loop, startLoop } from '../../runtime/index.ts';
import { type ApiAnswer, runApi } from './api/run.ts';
import { runControl } from './control.ts';
import { ApiError } from './errors.ts';
import { registerPages } from './pages.ts';
import { Provider, type ProviderOptions } from './provider.ts';

export interface FakeStripeOptions extends ProviderOptions {
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where its webhooks go. */
  readonly webhookUrl?: string | undefined;
  /** How often it sends webhooks by itself; 0: only when told. */
  readonly deliverEveryMilliseconds?: number;
  onError?(error: unknown): void;
}

export interface FakeStripe {
  /** For STRIPE_API_URL. */
  readonly url: string;
  readonly provider: Provider;
  close(): Promise<void>;
}

const bodyBytesAtMost = 1_048_576;

export async function openFakeStripe(options: FakeStripeOptions): Promise<FakeStripe> {
  const { port = 0, host = '127.0.0.1', onError = () => undefined } = options;
  const provider = new Provider(options);
  const app = Fastify({ logger: false, bodyLimit: bodyBytesAtMost, routerOptions: { maxParamLength: 400 } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.setErrorHandler((error, _request, reply) => {
    onError(error);
    return reply.code(500).send({ error: { type: 'api_error', message: 'The fake itself failed.' } });
  });
  registerPages(app, provider);
  registerControls(app, provider);
  app.setNotFoundHandler((request, reply) => answerApi(provider, request, reply));
  await app.listen({ host, port });
  const url = urlOf(app, host);
  provider.pagesUrl = `${url}/_fake`;
  if (options.webhookUrl) provider.addWebhook({ url: options.webhookUrl });
  const loop = startDelivery(provider, options.deliverEveryMilliseconds ?? 0, onError);
  return {
    url,
    provider,
    async close() {
      await loop?.stop();
      app.server.closeAllConnections();
      await app.close();
      provider.close();
    },
  };
}

function urlOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  return `http://${host}:${typeof address === 'object' ? address?.port : ''}`;
}

function startDelivery(provider: Provider, every: number, onError: (error: unknown) => void): Loop | undefined {
  return every === 0 ? undefined : startLoop(every, async () => void (await provider.deliver()), onError);
}

function registerControls(app: FastifyInstance, provider: Provider): void {
  const run = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const name = `${request.method} ${request.url.slice('/_fake'.length).split('?')[0]}`;
    try {
      const answer = await runControl(provider, name, jsonOf(request));
      return answer === undefined
        ? reply.code(404).send({ error: `There is no control ${name}.` })
        : reply.send(answer);
    } catch (error) {
      if (error instanceof ApiError) return reply.code(error.status).send({ error: error.message });
      if (error instanceof RangeError || error instanceof SyntaxError)
        return reply.code(400).send({ error: error.message });
      throw error;
    }
  };
  app.get('/_fake/*', run);
  app.post('/_fake/*', run);
}

function jsonOf({ body }: FastifyRequest): Record<string, unknown> {
  const text = textOf(body);
  const read: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new RangeError('The body is no object.');
  return read as Record<string, unknown>;
}

function textOf(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('utf8') : '';
}

async function answerApi(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = '', query = ''] = request.url.split('?', 2);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
  const answer = await runApi(provider, { method: request.method, path, query, body: textOf(request.body), headers });
  if (answer.lost) return hangUp(reply);
  reply.header('date', new Date(provider.now()).toUTCString());
  return sendAnswer(reply, answer);
}

function sendAnswer(reply: FastifyReply, { status, body, headers }: ApiAnswer): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json', ...headers })
    .send(body);
}

function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

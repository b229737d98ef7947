// The room: the endpoints for callbacks, one for each acquirer that sends them over HTTP, and the routes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseOtherMethods } from '../http/index.ts';
import { Unavailable } from '../kernel/index.ts';
import type { Log } from '../runtime/index.ts';
import type { Acquirers, OpenAcquirer } from './acquirers.ts';
import { callbackPath, eventsPath } from './callback.ts';
import type { HandleCallback, Receiver } from './receive.ts';

export interface CallbackTools {
  readonly log: Log;
  readonly acquirers: Pick<Acquirers, 'list' | 'activity'>;
  readonly config: { readonly baseUrl: string };
}

export function openCallbacks(tools: CallbackTools, handleCallback: HandleCallback) {
  return {
    name: 'acquirer',
    singleHeaders: ['Acquirer-Key-Id', 'Acquirer-Timestamp', 'Acquirer-Signature'],
    register: (app: FastifyInstance) => {
      for (const one of tools.acquirers.list) if (one.receiver) register(app, tools, one, one.receiver, handleCallback);
    },
  };
}

function register(
  app: FastifyInstance,
  { acquirers: { activity }, config, log }: CallbackTools,
  { name, acquirer }: OpenAcquirer,
  { receive, bodyBytesAtMost: bodyLimit, acceptedStatus }: Receiver,
  handleCallback: HandleCallback,
): void {
  const handle = (at: string) => {
    const path = new URL(config.baseUrl + at).pathname;
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const received = await receive({ headers: request.headers, rawBody, path });
      if (received.kind !== 'callbacks') {
        await activity?.callback(name, received.kind);
        log.warn({ requestId: request.id, acquirer: name, why: received.why }, 'a callback was rejected');
        throw received.kind === 'refused' ? received.refusal : new Unavailable('service_unavailable', received.why);
      }
      for (const callback of received.callbacks) await handleCallback(acquirer.name, callback);
      await activity?.callback(name, 'taken');
      return reply.code(acceptedStatus).send();
    };
  };
  for (const at of name === 'http' ? [eventsPath(name), callbackPath] : [eventsPath(name)]) {
    app.post(at, { bodyLimit }, handle(at));
    refuseOtherMethods(app, at, ['POST']);
  }
}

// The endpoint for the callbacks of an acquirer over HTTP.

import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../http/index.ts';
import { Refusal, refuse } from '../kernel/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import { callbackBytesAtMost, callbackPath, readCallback } from './callback.ts';
import type { OnCallback } from './port.ts';
import type { SigningKey } from './signature.ts';

export interface CallbackTools {
  readonly log: Log;
  readonly wall: Clock;
  readonly config: {
    readonly baseUrl: string;
    readonly acquirer: { readonly keys: readonly [SigningKey, ...SigningKey[]] } | undefined;
  };
}

export function openCallbacks(tools: CallbackTools, onCallback: OnCallback) {
  return {
    name: 'acquirer',
    register: (app: FastifyInstance) => registerCallbacks(app, tools, onCallback),
  };
}

function registerCallbacks(app: FastifyInstance, { config, log, wall }: CallbackTools, onCallback: OnCallback): void {
  const keys = config.acquirer?.keys;
  if (!keys) return;
  const path = new URL(config.baseUrl + callbackPath).pathname;
  app.post(callbackPath, { bodyLimit: callbackBytesAtMost }, async (request, reply) => {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const received = readCallback({ headers: request.headers, rawBody }, keys, wall, path);
    if (received.kind === 'refused') {
      log.warn({ requestId: request.id, why: received.why }, 'a callback was rejected');
      if (received.why !== 'malformed') return refuse('invalid_token');
      throw new Refusal(received.faults ?? [{ code: 'invalid_request_body', field: '' }]);
    }
    await onCallback(received.callback);
    return reply.code(204).send();
  });
  refuseOtherMethods(app, callbackPath, ['POST']);
}

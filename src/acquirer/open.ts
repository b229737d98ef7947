// Opens the acquirer: the simulated bank's pages and callbacks if it runs in this process, otherwise the endpoint for
// the acquirer's callbacks.

import type { FastifyInstance } from 'fastify';
import { Refusal, refuse } from '../kernel/index.ts';
import { type Clock, type Log, refuseOtherMethods, type Work } from '../platform/index.ts';
import { callbackBytesAtMost, callbackPath, readCallback } from './callback.ts';
import type { OnCallback } from './port.ts';
import type { SigningKey } from './signature.ts';
import { registerBankPages, type Simulator } from './simulator/index.ts';

export interface BankTools {
  readonly log: Log;
  readonly wall: Clock;
  readonly config: {
    readonly baseUrl: string;
    readonly acquirer: { readonly keys: readonly [SigningKey, ...SigningKey[]] } | undefined;
  };
}

export function openBank(tools: BankTools, bank: Simulator | undefined, onCallback: OnCallback) {
  return {
    name: 'acquirer',
    works: bank ? [callbacksOf(bank, onCallback)] : [],
    register: (app: FastifyInstance) =>
      bank
        ? registerBankPages(app, bank, { basePath: '/bank', onCallback, log: tools.log })
        : registerCallbacks(app, tools, onCallback),
  };
}

/** Delivers callbacks of the in-process bank; a real acquirer sends them over HTTP. */
function callbacksOf(bank: Simulator, onCallback: OnCallback): Work {
  return {
    name: 'callbacks of the simulated bank',
    run: () => bank.deliverDue(onCallback),
    nextAt: async () => bank.nextDueAt(),
  };
}

function registerCallbacks(app: FastifyInstance, { config, log, wall }: BankTools, onCallback: OnCallback): void {
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

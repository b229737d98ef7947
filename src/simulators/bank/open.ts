// The simulated bank in the process of the service: its pages, and its callbacks as a work of the engine. A real acquirer
// sends them over HTTP.

import type { FastifyInstance } from 'fastify';
import type { WorkName } from '../../../contract/codes/works.ts';
import type { OnCallback } from '../../acquirer/index.ts';
import type { Log, Work } from '../../runtime/index.ts';
import { registerBankPages } from './pages.ts';
import type { Simulator } from './simulator.ts';

export function openSimulatedBank({ log }: { readonly log: Log }, bank: Simulator, onCallback: OnCallback) {
  return {
    name: 'simulated bank',
    works: [callbacksOf(bank, onCallback)],
    register: (app: FastifyInstance) => registerBankPages(app, bank, { basePath: '/bank', onCallback, log }),
  };
}

function callbacksOf(bank: Simulator, onCallback: OnCallback): Work<WorkName> {
  return {
    name: 'bank_callbacks',
    run: () => bank.deliverDue(onCallback),
    nextAt: async () => bank.nextDueAt(),
  };
}

import type { FastifyInstance } from 'fastify';
import type { Simulator } from '../acquirer/index.ts';
import type { Work } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { registerMailPages } from './mail/pages.ts';
import { sandboxRoutes } from './routes.ts';

/** `works` are those of all rooms: moving the clock does what becomes due on the way. */
export function openSandbox(tools: Tools, bank: Simulator | undefined, works: readonly Work[]) {
  return {
    name: 'sandbox',
    routes: sandboxRoutes(tools, bank, works),
    register: (app: FastifyInstance) => {
      // With an SMTP server of the operator, mail is read there.
      if (tools.config.mail === undefined) registerMailPages(app, tools);
    },
  };
}

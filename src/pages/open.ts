import type { FastifyInstance } from 'fastify';
import { registerErrorsPage } from './errors.ts';
import { registerPayPage } from './pay/routes.ts';
import type { PageTools } from './tools.ts';

export function openPages(tools: PageTools) {
  return {
    name: 'pages',
    register: async (app: FastifyInstance) => {
      registerErrorsPage(app);
      await registerPayPage(app, tools);
    },
  };
}

import type { FastifyInstance } from 'fastify';
import { registerPayPage } from './pay/routes.ts';
import type { PageTools } from './tools.ts';

export function openPages(tools: PageTools) {
  return { name: 'pages', register: (app: FastifyInstance) => registerPayPage(app, tools) };
}

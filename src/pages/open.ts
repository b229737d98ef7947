import type { FastifyInstance } from 'fastify';
import { registerErrorsPage } from './errors.ts';
import { registerPayPage } from './pay/routes.ts';
import { type Link, registerStartPage } from './start.ts';
import type { PageTools } from './tools.ts';

export function openPages(tools: PageTools) {
  const links: Link[] = [];
  return {
    name: 'pages',
    /** Adds a link to the start page. */
    link: (link: Link) => void links.push(link),
    register: async (app: FastifyInstance) => {
      registerStartPage(app, tools, links);
      registerErrorsPage(app, tools.failures);
      await registerPayPage(app, tools);
    },
  };
}

import type { FastifyInstance } from 'fastify';
import type { Nodes } from '../database/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Simulator } from '../simulators/index.ts';
import { registerMailPages } from '../simulators/index.ts';
import type { Tools } from '../tools.ts';
import { ClockMoves } from './move.ts';
import { sandboxRoutes } from './routes.ts';

/** `works` are those of all rooms: moving the clock does what becomes due on the way. */
export function openSandbox(tools: Tools, bank: Simulator | undefined, works: readonly Work[], nodes: Nodes) {
  const moves = new ClockMoves(tools, works, nodes);
  return {
    name: 'sandbox',
    routes: sandboxRoutes(tools, bank, moves),
    /** Continues a move of the clock that another process left unfinished. */
    resumeMove: () => moves.resume(),
    close: () => moves.close(),
    register: (app: FastifyInstance) => {
      // With an SMTP server of the operator, mail is read there.
      if (tools.config.mail === undefined) registerMailPages(app, tools);
    },
  };
}

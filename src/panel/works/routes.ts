import type { WorkName } from '../../../contract/codes/works.ts';
import * as contract from '../../../contract/panel/works.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import type { Work } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { listNodesOf, readServer } from './read.ts';

export function workRoutes(tools: Tools, works: () => readonly Work<WorkName>[], version: string): Route<Person>[] {
  const { sql } = tools.db;
  return [
    on(contract.listWorks, async ({ requestId }) => {
      const now = tools.clock.now();
      const measured = works().map(async ({ name, waiting }) => {
        if (!waiting) return { name, due: null, lagSeconds: null };
        const { due, oldestAt } = await waiting();
        return { name, due, lagSeconds: oldestAt ? Math.max(0, Math.round(now.since(oldestAt).total('seconds'))) : 0 };
      });
      return { ...done(requestId), works: await Promise.all(measured) };
    }),
    on(contract.listNodes, async ({ requestId }) => {
      const { version: databaseVersion, bytes } = await readServer(sql);
      const nodes = await listNodesOf(sql);
      return {
        ...done(requestId),
        nodes: nodes.map((node) => ({ ...node, since: node.since.toString() })),
        version,
        databaseVersion,
        databaseBytes: Number(bytes),
      };
    }),
  ];
}

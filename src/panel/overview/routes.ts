import { getAttention, getOverview } from '../../../contract/panel/overview.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import type { Tools } from '../../tools.ts';
import { showAttention, showOverview } from './show.ts';
import { serializeAttention, serializeOverview } from './wire.ts';

export const overviewRoutes = (tools: Tools): Route<Person>[] => [
  on(getOverview, async ({ caller, query, requestId }) => {
    const { period = '30d' } = query;
    const overview = await showOverview(tools, accountOf(caller), period);
    return { ...done(requestId), period, ...serializeOverview(overview) };
  }),
  on(getAttention, async ({ caller, requestId }) => {
    const items = await showAttention(tools, accountOf(caller), caller.owner);
    return { ...done(requestId), items: items.map(serializeAttention) };
  }),
];

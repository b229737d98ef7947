import { deleteView, listViews, saveView } from '../../../contract/panel/views.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { countOtherViews, deleteViewRow, listViewRows, upsertView, type View } from './store.ts';

const viewsAtMost = 100;

function serializeView({ id, screen, name, query, createdAt }: View) {
  return { viewId: id, screen, name, query, createdAt: createdAt.toString() };
}

export const viewRoutes = (tools: Tools): Route<Person>[] => [
  on(listViews, async ({ caller, query, requestId }) => {
    const { id } = accountOf(caller);
    const views = await listViewRows(tools.db.sql, caller.user.id, id, query.screen ?? null);
    return { ...done(requestId), views: views.map(serializeView) };
  }),
  on(saveView, async ({ caller, body, requestId }) => {
    const { id: accountId } = accountOf(caller);
    const view = { id: tools.ids.ulid(), ...body, createdAt: tools.wall.now() };
    const kept = await tools.db.atomic(async (sql) => {
      const others = await countOtherViews(sql, caller.user.id, accountId, view);
      if (others >= viewsAtMost) refuse('too_many', '', `There are already ${viewsAtMost} saved views.`);
      return upsertView(sql, caller.user.id, accountId, view);
    });
    return { ...done(requestId), view: serializeView(kept) };
  }),
  on(deleteView, async ({ caller, params, requestId }) => {
    if (!(await deleteViewRow(tools.db.sql, caller.user.id, params.viewId))) refuse('not_found');
    return done(requestId);
  }),
];

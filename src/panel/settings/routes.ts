import { notValid } from '../../../contract/codes/english/values.ts';
import * as contract from '../../../contract/panel/settings.ts';
import { addPos, changeAccount, changePos, findPos, findSettings, listPos } from '../../accounts/index.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { idFrom, type PosId, refuse, refuseFault } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { readSettings, serializePos, serializeSettings, settingsFaults } from './wire.ts';

export function settingsRoutes(tools: Tools): Route<Person>[] {
  const { sql } = tools.db;
  const { requestsPerSecond, callbackPolicy, mode } = tools.config;
  const faults = (body: unknown) => settingsFaults(body, callbackPolicy);

  return [
    on(contract.getSettings, async ({ caller, requestId }) => {
      const { id } = accountOf(caller);
      const settings = (await findSettings(sql, id)) ?? refuse('not_found');
      return { ...done(requestId), settings: serializeSettings(id, settings, requestsPerSecond) };
    }),
    on(
      contract.changeSettings,
      async ({ caller, body, requestId }) => {
        const { id } = accountOf(caller);
        const settings = await changeAccount(tools, id, readSettings(body));
        return { ...done(requestId), settings: serializeSettings(id, settings, requestsPerSecond) };
      },
      faults,
    ),
    on(contract.listPos, async ({ caller, requestId }) => {
      const pos = await listPos(sql, accountOf(caller).id);
      return { ...done(requestId), pos: pos.map(serializePos) };
    }),
    on(
      contract.createPos,
      async ({ caller, body, requestId }) => {
        const { name, url, notificationUrl = null } = body;
        const { id } = accountOf(caller);
        if ((await listPos(sql, id)).length >= posAtMost)
          refuse('too_many', '', `At most ${posAtMost} points of sale.`);
        const posId = await addPos(tools, id, { name, url, notificationUrl, verified: mode === 'sandbox' });
        const pos = (await findPos(sql, id, posId)) ?? refuse('not_found');
        return { ...done(requestId), pos: serializePos(pos) };
      },
      faults,
    ),
    on(
      contract.changePos,
      async ({ caller, params, body, requestId }) => {
        const id = idFrom<PosId>(params.posId) ?? refuse('not_found');
        const pos = (await findPos(sql, accountOf(caller).id, id)) ?? refuse('not_found');
        if (pos.main && body.active === false) refuseFault(notValid('active', 'main_pos_active'));
        const isMoved = body.url !== undefined && body.url !== pos.url && mode === 'live';
        const changed = await changePos(tools, id, { ...body, ...(isMoved ? { verified: false } : {}) });
        return { ...done(requestId), pos: serializePos(changed) };
      },
      faults,
    ),
  ];
}

const posAtMost = 100;

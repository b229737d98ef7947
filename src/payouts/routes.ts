import {
  cancelPayout as cancelEndpoint,
  changePayoutSettings,
  createPayout as createEndpoint,
  getBalance,
  getPayout as getEndpoint,
  getPayoutSettings,
  listPayoutLines as linesEndpoint,
  listPayouts as listEndpoint,
} from '../../contract/payouts.ts';
import type { Merchant } from '../accounts/index.ts';
import { on, onChecked, type Route } from '../http/index.ts';
import { isUlid, minorFromDecimal, periodOf, refuse } from '../kernel/index.ts';
import { answerLines, findSettlementOfPayout, listSettlementsOfPayouts, pageOf } from '../settlements/index.ts';
import type { Tools } from '../tools.ts';
import { askPayout, cancelPayout, checkPayout } from './ask.ts';
import { readBalance } from './balance.ts';
import { payoutNotSettled } from './failures.ts';
import type { Payout } from './model.ts';
import { changeSettings, readSettings, type SettingsShown, scheduleFaults } from './settings.ts';
import { countPayoutsOf, findPayoutOf, listPayoutsOf } from './store/payouts.ts';
import { readGiven, serializeBalance, serializeNext, serializePayout, serializeSettings } from './wire.ts';

const success = 'success' as const;
const dateNames = { from: 'dateFrom', to: 'dateTo' } as const;

type Given = { readonly amount?: number };

const askedOf = ({ id }: Merchant, { amount }: Given) => ({
  accountId: id,
  amountMinor: amount === undefined ? undefined : minorFromDecimal(amount),
});

export const payoutRoutes = (tools: Tools): Route<Merchant>[] => {
  const { sql } = tools.db;
  const find = async ({ id }: Merchant, text: string): Promise<Payout> =>
    (isUlid(text) ? await findPayoutOf(sql, id, text) : undefined) ?? refuse('not_found');
  const shown = async (payout: Payout, { zone }: Merchant, requestId: string) => {
    const settlements = await listSettlementsOfPayouts(sql, [payout.id]);
    return { result: success, requestId, payout: serializePayout(payout, zone, settlements.get(payout.id)) };
  };
  return [
    on(getBalance, async ({ caller, requestId }) => {
      const balance = await readBalance(tools, caller.id);
      const nextPayout = serializeNext(balance.next);
      return { result: success, requestId, balance: serializeBalance(balance), nextPayout };
    }),
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { id, zone } = caller;
      const { page, limit, offset } = pageOf(query);
      const period = periodOf({ from: query.dateFrom, to: query.dateTo }, zone, [], dateNames);
      const filter = { ...period, state: query.status ?? null };
      const [payouts, total] = await Promise.all([
        listPayoutsOf(sql, id, filter, { limit, offset }),
        countPayoutsOf(sql, id, filter),
      ]);
      const ids = payouts.map((payout) => payout.id);
      const settlements = await listSettlementsOfPayouts(sql, ids);
      const list = payouts.map((payout) => serializePayout(payout, zone, settlements.get(payout.id)));
      return { result: success, requestId, payouts: list, page, limit, total };
    }),
    on(getEndpoint, async ({ caller, params, requestId }) =>
      shown(await find(caller, params.payoutId), caller, requestId),
    ),
    on(linesEndpoint, async ({ caller, params, ...asked }) => {
      const { id } = await find(caller, params.payoutId);
      const settlement = (await findSettlementOfPayout(sql, caller.id, id)) ?? refuse(payoutNotSettled);
      return answerLines(tools.db, settlement, caller.zone, asked);
    }),
    onChecked(createEndpoint, {
      check: ({ caller, body }) => checkPayout(tools, askedOf(caller, body)),
      handle: async ({ caller, body, requestId, run, checked }) => {
        if (!run.resumed) await checked();
        return shown(await askPayout(tools, askedOf(caller, body), run.once), caller, requestId);
      },
    }),
    on(cancelEndpoint, async ({ caller, params, requestId, run }) => {
      const { id } = await find(caller, params.payoutId);
      return shown(await cancelPayout(tools, { accountId: caller.id, id }, run.once), caller, requestId);
    }),
  ];
};

export const payoutSettingsRoutes = (tools: Tools): Route<Merchant>[] => {
  const shown = (settings: SettingsShown, { zone }: Merchant, requestId: string) => ({
    result: success,
    requestId,
    settings: serializeSettings(settings, zone, tools.clock.now()),
  });
  return [
    on(getPayoutSettings, async ({ caller, requestId }) =>
      shown(await readSettings(tools, caller.id), caller, requestId),
    ),
    on(
      changePayoutSettings,
      async ({ caller, body, requestId }) =>
        shown(await changeSettings(tools, caller.id, readGiven(body)), caller, requestId),
      scheduleFaults,
    ),
  ];
};

import {
  cancelRecurring,
  changeInstrument as changeEndpoint,
  createRecurring as createEndpoint,
  getRecurring,
  getRecurringSchedule,
  listRecurring as listEndpoint,
  listRecurringAttempts,
  retryRecurring,
} from '../../contract/recurring.ts';
import type { Merchant } from '../accounts/index.ts';
import { Answered, on, onChecked, type Route } from '../http/index.ts';
import { idFrom, type RecurringId, refuse } from '../kernel/index.ts';
import { addressFaults } from '../outbound/index.ts';
import { cancel } from './cancel.ts';
import { createRecurring, refuseUncreatable } from './create.ts';
import { changeInstrument, instrumentFaults, refuseForeignToken } from './instrument.ts';
import { attemptsOf } from './list.ts';
import { findDated, listRecurring } from './list-recurring.ts';
import type { Recurring } from './model.ts';
import { retry } from './retry.ts';
import { findRecurring } from './store/recurring.ts';
import type { RecurringTools } from './tools.ts';
import { serializeAttempt, serializeListed, serializeRecurring, serializeSchedule } from './wire.ts';

export const recurringRoutes = (tools: RecurringTools): Route<Merchant>[] => {
  const idOf = (text: string) => idFrom<RecurringId>(text) ?? refuse('not_found');
  async function find(merchant: Merchant, text: string): Promise<Recurring> {
    const recurring = await findRecurring(tools.db.sql, idOf(text));
    return recurring && recurring.merchantId === merchant.id ? recurring : refuse('not_found');
  }
  return [
    onChecked(createEndpoint, {
      faults: (body) => [
        ...instrumentFaults(body),
        ...addressFaults(
          (body as { callbackUrl?: unknown } | null)?.callbackUrl,
          'callbackUrl',
          tools.config.callbackPolicy,
        ),
      ],
      check: ({ caller, body }) => refuseUncreatable(tools, caller, body),
      handle: async ({ caller, body, checked }) => {
        await checked();
        const { created, recurring } = await createRecurring(tools, caller, body);
        return new Answered(created ? 201 : 200, serializeRecurring(recurring));
      },
    }),
    on(listEndpoint, async ({ caller, query, requestId }) => {
      const { list, ...where } = await listRecurring(tools, caller, query);
      return { result: 'success' as const, requestId, list: list.map(serializeListed), ...where };
    }),
    on(getRecurring, async ({ caller, params }) => serializeRecurring(await find(caller, params.recurringId))),
    on(listRecurringAttempts, async ({ caller, params, query }) => {
      const recurring = await find(caller, params.recurringId);
      const items = await attemptsOf(tools, recurring.id, query);
      return { items: items.map((attempt) => serializeAttempt(attempt, recurring.plan.zone)) };
    }),
    on(retryRecurring, async ({ caller, params, run }) =>
      serializeRecurring(await retry(tools, caller, idOf(params.recurringId), run.once)),
    ),
    on(cancelRecurring, async ({ caller, params }) =>
      serializeRecurring(await cancel(tools, caller, idOf(params.recurringId))),
    ),
    onChecked(changeEndpoint, {
      faults: instrumentFaults,
      check: ({ caller, params, body }) =>
        refuseForeignToken(tools, caller, idOf(params.recurringId), body.paymentInstrument),
      handle: async ({ caller, params, body, run, checked }) => {
        const id = idOf(params.recurringId);
        const effect = { once: run.once, check: checked };
        return serializeRecurring(await changeInstrument(tools, caller, id, body.paymentInstrument, effect));
      },
    }),
    on(getRecurringSchedule, async ({ caller, params, query }) =>
      serializeSchedule(await findDated(tools, caller.id, idOf(params.recurringId), query.limit ?? 12)),
    ),
  ];
};

// R1: creating a recurring payment, idempotent by the id that the caller chose.

import type { RecurringGiven } from '../../contract/recurring.ts';
import type { Static } from '../../contract/schema.ts';
import type { Merchant } from '../accounts/index.ts';
import {
  canonicalJson,
  type Fault,
  knownId,
  minorFromDecimal,
  type RecurringId,
  Refusal,
  refuse,
} from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { sealInstrument, tokenFaults } from './instrument.ts';
import type { Recurring } from './model.ts';
import { findRecurring, insertRecurring, type NewRecurring } from './store/recurring.ts';
import type { RecurringTools } from './tools.ts';

type Given = Static<typeof RecurringGiven>;

export interface Creation {
  readonly created: boolean;
  readonly recurring: Recurring;
}

/** Refuses what cannot be created. A repeat is answered as the first time, even days later. */
export async function refuseUncreatable(tools: RecurringTools, merchant: Merchant, given: Given): Promise<void> {
  const faults = [...dateFaults(tools, given), ...(await tokenFaults(tools, merchant, given.paymentInstrument))];
  if (faults.length > 0 && !(await findRecurring(tools.db.sql, knownId(given.id)))) throw new Refusal(faults);
}

/**
 * Created; or there already with the same data; other data is refused, another merchant's is not found.
 * What `refuseUncreatable` refuses must not come here.
 */
export async function createRecurring(tools: RecurringTools, merchant: Merchant, given: Given): Promise<Creation> {
  const id = knownId<RecurringId>(given.id);
  const row = rowOf(tools, merchant, id, given);
  const created = await tools.db.batch(insertRecurring, row);
  const recurring = (await findRecurring(tools.db.sql, id)) ?? refuse('not_found');
  if (recurring.merchantId !== merchant.id) refuse('not_found');
  if (!tools.vault.isMacOf(recurring.requestHash, comparedOf(row, given), hashPurpose))
    refuse('recurring_exists_with_different_data');
  return { created, recurring };
}

/**
 * Key order, number spelling and instants with another offset do not matter (docs/decisions.md 8). Only known fields are compared,
 * because unknown ones are ignored; a missing field equals its default.
 */
function comparedOf(row: Unhashed & { readonly request_hash?: string }, given: Given): string {
  const { created_at: _, instrument_sealed: __, request_hash: ___, ...compared } = row;
  return canonicalJson({ ...compared, instrument_value: given.paymentInstrument.value });
}

type Unhashed = Omit<NewRecurring, 'request_hash'>;

/** Keyed: an alias or a test token is easily guessed, and a plain hash would confirm the guess. */
const hashPurpose = 'recurring request';

/** So far a date may lie in the past, and is due at once; an older one is a mistake that would charge for years. */
const lateAtMost = Temporal.Duration.from({ hours: 24 });

function dateFaults(tools: Pick<Tools, 'clock'>, given: Given): Fault[] {
  const earliest = tools.clock.now().subtract(lateAtMost);
  if (Temporal.Instant.compare(instantOf(given), earliest) >= 0) return [];
  const message = 'The first charge must not be more than 24 hours in the past.';
  return [{ code: 'not_valid', field: 'schedule.firstChargeDate', message }];
}

function instantOf(given: Given): Temporal.Instant {
  const at = Temporal.Instant.from(given.schedule.firstChargeDate.toUpperCase());
  // Whole milliseconds, which is what is stored.
  return Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds);
}

function rowOf(tools: RecurringTools, merchant: Merchant, id: RecurringId, given: Given): NewRecurring {
  const { schedule, payer } = given;
  const minor = minorFromDecimal(schedule.amount);
  if (minor === undefined) throw new Error('The validator let an amount through that has no minor units.');
  const instrument = sealInstrument(tools, id, given.paymentInstrument);
  const row: Unhashed = {
    id,
    merchant_id: merchant.id,
    description: given.description,
    hidden_description: given.hiddenDescription ?? null,
    payer: {
      email: payer.email,
      name: payer.name,
      phone: payer.phone ?? '',
      address: payer.address ?? '',
      code: payer.code ?? '',
      city: payer.city ?? '',
      country: payer.country ?? merchant.country,
      taxId: payer.taxId ?? '',
    },
    amount_minor: minor.toString(),
    currency: schedule.currency,
    first_charge_at: instantOf(given).toString(),
    interval: schedule.interval,
    interval_type: schedule.intervalType,
    charge_count: schedule.chargeCount ?? null,
    retry_intervals: schedule.retryIntervals?.map(({ value, unit }) => ({ value, unit })) ?? null,
    instrument_type: instrument.type,
    instrument_sealed: instrument.sealed,
    blik_model: instrument.blikModel,
    blik_no_delay: instrument.blikNoDelay,
    callback_url: given.callbackUrl,
    created_at: tools.clock.now().toString(),
  };
  return { ...row, request_hash: tools.vault.mac(comparedOf(row, given), hashPurpose) };
}

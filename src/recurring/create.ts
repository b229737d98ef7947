// R1: creating a recurring payment, idempotent by the id chosen by the caller.

import type { RecurringGiven } from '../../contract/recurring.ts';
import type { Static } from '../../contract/schema.ts';
import type { Merchant } from '../accounts/index.ts';
import {
  canonicalJson,
  type Fault,
  knownId,
  type Money,
  minorFromDecimal,
  money,
  type RecurringId,
  Refusal,
  refuse,
} from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { recurringExistsWithDifferentData } from './failures.ts';
import { findKeeper, findPayerLanguage, sealInstrument, tokenFaults } from './instrument.ts';
import type { Recurring } from './model.ts';
import { signPlan } from './plan.ts';
import { atFirst } from './rules.ts';
import { findRecurring, insertRecurring, type NewRecurring } from './store/recurring.ts';
import type { RecurringTools } from './tools.ts';

type Given = Static<typeof RecurringGiven>;

export interface Creation {
  readonly created: boolean;
  readonly recurring: Recurring;
}

/** Refuses what cannot be created. A repeat gets the same response as the first request, even days later. */
export async function refuseUncreatable(tools: RecurringTools, merchant: Merchant, given: Given): Promise<void> {
  const faults = [
    ...dateFaults(tools, given),
    ...(await tokenFaults(tools, merchant, given.paymentInstrument, amountOf(given))),
  ];
  if (faults.length > 0 && !(await findRecurring(tools.db.sql, knownId(given.id)))) throw new Refusal(faults);
}

/**
 * Creates it, or returns the existing one with the same data; refuses different data; another merchant's is not found.
 * Call `refuseUncreatable` first.
 */
export async function createRecurring(tools: RecurringTools, merchant: Merchant, given: Given): Promise<Creation> {
  const id = knownId<RecurringId>(given.id);
  const language = await findPayerLanguage(tools, merchant, given.paymentInstrument);
  const keeper = await findKeeper(tools, merchant, given.paymentInstrument);
  const row = rowOf(tools, merchant, id, given, { language, keeper });
  const created = await tools.db.batch(insertRecurring, row);
  const recurring = (await findRecurring(tools.db.sql, id)) ?? refuse('not_found');
  if (recurring.merchantId !== merchant.id) refuse('not_found');
  if (!tools.vault.isMacOf(recurring.requestHash, comparedOf(row, given), hashPurpose))
    refuse(recurringExistsWithDifferentData);
  return { created, recurring };
}

/**
 * Key order, number formats and UTC offsets do not matter (docs/api.md#recurring-payments). Only known fields are
 * compared, because unknown ones are ignored; a missing field equals its default.
 */
function comparedOf(row: Unhashed, given: Given): string {
  return canonicalJson({
    id: row.id,
    merchant_id: row.merchantId,
    description: row.description,
    hidden_description: row.hiddenDescription,
    payer: row.payer,
    amount_minor: row.amountMinor.toString(),
    currency: row.currency,
    first_charge_at: row.plan.firstChargeAt.toString(),
    interval: row.plan.interval,
    interval_type: row.plan.intervalType,
    charge_count: row.plan.chargeCount,
    retry_intervals: row.plan.retryIntervals,
    instrument_type: row.instrument.type,
    instrument_value: given.paymentInstrument.value,
    blik_model: row.instrument.blikModel,
    blik_no_delay: row.instrument.blikNoDelay,
    callback_url: row.callbackUrl,
  });
}

type Unhashed = Omit<NewRecurring, 'planMac' | 'requestHash'>;

/** A keyed hash: aliases and test tokens are easy to guess, and a plain hash would confirm the guess. */
const hashPurpose = 'recurring request';

/**
 * A first date may be this far in the past and is then due immediately; an older one is a mistake that would charge for
 * years.
 */
const lateAtMost = Temporal.Duration.from({ hours: 24 });

function dateFaults(tools: Pick<Tools, 'clock'>, given: Given): Fault[] {
  const earliest = tools.clock.now().subtract(lateAtMost);
  if (Temporal.Instant.compare(instantOf(given), earliest) >= 0) return [];
  const message = 'The first charge must not be more than 24 hours in the past.';
  return [{ code: 'not_valid', field: 'schedule.firstChargeDate', message }];
}

function instantOf(given: Given): Temporal.Instant {
  const at = Temporal.Instant.from(given.schedule.firstChargeDate.toUpperCase());
  // Stored with millisecond precision.
  return Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds);
}

function amountOf({ schedule }: Given): Money {
  const minor = minorFromDecimal(schedule.amount);
  if (minor === undefined) throw new Error('The validator let an amount through that has no minor units.');
  return money(minor, schedule.currency);
}

function rowOf(
  tools: RecurringTools,
  merchant: Merchant,
  id: RecurringId,
  given: Given,
  { language, keeper }: { readonly language: string | null; readonly keeper: string | null },
): NewRecurring {
  const { schedule, payer } = given;
  const { minor, currency } = amountOf(given);
  const firstChargeAt = instantOf(given);
  const row: Unhashed = {
    id,
    merchantId: merchant.id,
    description: given.description,
    hiddenDescription: given.hiddenDescription ?? null,
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
    amountMinor: minor,
    currency,
    plan: {
      firstChargeAt,
      interval: schedule.interval,
      intervalType: schedule.intervalType,
      chargeCount: schedule.chargeCount ?? null,
      retryIntervals: schedule.retryIntervals?.map(({ value, unit }) => ({ value, unit })) ?? null,
    },
    instrument: sealInstrument(tools, id, given.paymentInstrument, keeper),
    callbackUrl: given.callbackUrl,
    language,
    createdAt: tools.clock.now(),
    endedAt: null,
    progress: {
      status: 'active',
      iteration: 1,
      ...atFirst,
      passed: 0,
      scheduledAt: firstChargeAt,
      lastState: null,
      lastReason: null,
    },
    dueAt: firstChargeAt,
    manual: false,
    liveTransactionId: null,
  };
  const requestHash = tools.vault.mac(comparedOf(row, given), hashPurpose);
  return { ...row, requestHash, planMac: signPlan(tools.vault, row) };
}

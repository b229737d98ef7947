// The period of a list, as requests give it.

import { instantFromLocal } from './instants.ts';
import { type Fault, Refusal } from './refusal.ts';

/** From inclusive, to exclusive; null is open. */
export interface Period {
  readonly from: Temporal.Instant | null;
  readonly to: Temporal.Instant | null;
}

interface PeriodWish {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** From local times of the account's zone. Refuses what is no time, together with the other faults of the request. */
export function periodOf(wish: PeriodWish, zone: string, others: readonly Fault[] = []): Period {
  const faults: Fault[] = [...others];
  function instant(field: 'from' | 'to'): Temporal.Instant | null {
    const text = wish[field];
    if (text === undefined) return null;
    const at = instantFromLocal(text, zone);
    if (!at) faults.push({ code: 'not_valid', field, message: 'There is no such date or time.' });
    return at ?? null;
  }
  const from = instant('from');
  // Inclusive: the whole second that `to` names belongs to the list.
  const to = instant('to')?.add({ seconds: 1 }) ?? null;
  if (faults.length > 0) throw new Refusal(faults);
  return { from, to };
}

// Many paid charges at once, for statements of thousands of lines.

import { succeed } from './attempt.ts';
import { createIntent, theIntent } from './intents.ts';
import { methodNamed } from './methods.ts';
import type { Context } from './world.ts';

export interface FillOrder {
  readonly count: number;
  /** In minor units; each charge has one more than the one before. */
  readonly amount?: number;
  /** Between one charge and the next; the last one is now. */
  readonly everySeconds?: number;
  /** `{n}` is the number of the charge. */
  readonly metadata?: Readonly<Record<string, string>>;
}

const countAtMost = 100_000;

export function fill(context: Context, order: FillOrder): { filled: number } {
  const { count, amount = 1_000, everySeconds = 0, metadata = {} } = order;
  if (!Number.isSafeInteger(count) || count < 1 || count > countAtMost)
    throw new RangeError(`count must be from 1 to ${countAtMost}.`);
  for (let number = 1; number <= count; number += 1) {
    const then = { ...context, now: context.now - (count - number) * everySeconds };
    const written = Object.entries(metadata).map(([name, text]) => [name, text.replaceAll('{n}', String(number))]);
    const { id } = createIntent(then, {
      amount: amount + number,
      currency: context.settings.currency,
      capture_method: 'automatic',
      allowed_payment_method_types: ['card'],
      metadata: Object.fromEntries(written),
    });
    succeed(then, theIntent(then, id), methodNamed(then, 'pm_card_visa'));
  }
  return { filled: count };
}

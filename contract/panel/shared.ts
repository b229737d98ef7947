// What the panel's endpoints have in common. Their tag is `Panel`; they take the session cookie, not a token.

import type { Codes, Message } from '../codes/message.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { optional, shaped, success, type TSchema, Type, text } from '../schema.ts';

export { type PanelLanguage, panelLanguages } from '../languages.ts';

export const done = Type.Object({ ...success }, { additionalProperties: false });
export const doneExample = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };

/** A code with its parameters; contract/codes has what each code has. */
export function messageShown<C extends Codes>(codes: C) {
  const value = Type.Union([Type.String(), Type.Number(), Type.Null()]);
  return Type.Unsafe<Message<C>>(
    Type.Object(
      {
        code: Type.Enum(Object.keys(codes)),
        parameters: Type.Record(Type.String(), value, { description: 'By name; which ones depends on the code.' }),
      },
      { additionalProperties: false },
    ),
  );
}

export const instantShown = Type.String({ format: 'date-time' });

/** An amount that may be negative, with two places. */
export const SignedAmount = Type.Number();

export const dayShown = Type.String({ format: 'date', description: 'Of the account’s time zone.' });
/** Both inclusive. */
export const daysShown = { from: dayShown, to: dayShown };

/** A day in a query; the account's time zone. */
export const dayGiven = shaped('^\\d{4}-\\d{2}-\\d{2}$', 'day', {
  description: 'yyyy-mm-dd',
});

/** An amount in a query. */
export const amountGiven = shaped('^\\d{1,10}(\\.\\d{1,2})?$', 'amount', {
  description: 'Such as 12.34.',
});

/** The place in a list, newest first. */
export const beforeQuery = {
  before: optional(text(200)),
};

export function answer<T extends Record<string, TSchema>>(fields: T) {
  return Type.Object({ ...success, ...fields }, { additionalProperties: false });
}

/** An endpoint of the panel: its responses are never stored under an idempotency key. */
export function panelEndpoint<const E extends Omit<Endpoint, 'tag' | 'idempotent'>>(row: E) {
  return endpoint({ ...row, tag: 'Panel', idempotent: false });
}

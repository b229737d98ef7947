// The further keys of error responses of the marketplace (docs/decisions/0025).

import type { Envelope } from '../http/index.ts';

/** `violations` of invalid input by field, `reasons` of any other refusal. */
export const marketplaceFailureKeys: NonNullable<Envelope['furtherKeys']> = (path, status, errors) => {
  if (!path.startsWith('/marketplace/')) return {};
  if (status !== 400) return { reasons: errors.map(({ errorMessage }) => errorMessage) };
  return { violations: Object.fromEntries(errors.map(({ fieldName, errorMessage }) => [fieldName, errorMessage])) };
};

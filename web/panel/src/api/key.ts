// Idempotency keys of dialogs.

import { useState } from 'react';

/** Not `randomUUID`, which browsers have only under https. */
function newKey(): string {
  return `panel-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
}

/**
 * A key for each request that a dialog sends: the same request has the same key for as long as the dialog is open, so a
 * double click or a repetition after a lost response moves no money twice. A changed request has another one.
 */
export function useKeys(): (request: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (request) => {
    const text = JSON.stringify(request) ?? '';
    const key = keys.get(text) ?? newKey();
    keys.set(text, key);
    return key;
  };
}

// Why a notification was not accepted, on the panel.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TryFault } from '../../src/notifications/delivery/rules.ts';
import deliveryWords from '../../web/panel/src/ui/delivery-fault/words.en.ts';

/** The compiler compares this list with the faults that the service gives. */
const faults: Readonly<Record<TryFault, true>> = {
  address_unreadable: true,
  address_scheme: true,
  address_credentials: true,
  address_port: true,
  address_not_public: true,
  name_not_found: true,
  connection_refused: true,
  connection_failed: true,
  certificate_refused: true,
  timed_out: true,
  answer_too_large: true,
  closing: true,
  redirect: true,
  wrong_status: true,
  wrong_answer: true,
  internal_error: true,
};

// Guarantee: every fault has its words; test/panel/words.test.ts compares the languages.
test('every fault of a delivery has words', () => {
  assert.deepEqual(Object.keys(deliveryWords).sort(), Object.keys(faults).sort());
});

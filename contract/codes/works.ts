// The works of the engine.

export const workNames = [
  'bank_callbacks',
  'charge_recurring',
  'look_up_payments',
  'look_up_charges',
  'move_refunds',
  'claim_disputes',
  'park_disputes',
  'send_mail',
  'expire_transactions',
  'number_events',
  'send_notifications',
  'count_transactions',
  'count_recurring',
  'seal_journals',
  'forget_mail',
  'forget_tokens',
  'forget_sessions',
  'forget_requests',
  'sum_up',
  'fill_search',
  'warn_of_certificates',
  'reconcile',
  'verify_books',
  'forget_idempotency_keys',
] as const;
export type WorkName = (typeof workNames)[number];

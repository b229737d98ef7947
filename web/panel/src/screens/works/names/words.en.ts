import type { WorkName } from '../../../../../../contract/codes/works.ts';

export default {
  bank_callbacks: 'callbacks of the simulated bank',
  charge_recurring: 'charge recurring payments',
  look_up_charges: 'look up charges',
  move_refunds: 'move refunds',
  send_mail: 'send mail',
  expire_transactions: 'expire transactions',
  number_events: 'number events',
  send_notifications: 'send notifications',
  count_transactions: 'count transactions',
  count_recurring: 'count recurring payments',
  seal_journals: 'seal journals',
  forget_mail: 'forget old mail',
  forget_tokens: 'forget expired tokens',
  forget_sessions: 'forget panel sessions',
  forget_requests: 'forget logged requests',
  sum_up: 'sum up for the panel',
  fill_search: 'fill the search',
  warn_of_certificates: 'warn of expiring certificates',
  reconcile: 'reconcile with the bank',
  forget_idempotency_keys: 'forget old idempotency keys',
} as const satisfies Readonly<Record<WorkName, string>>;

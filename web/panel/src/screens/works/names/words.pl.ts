import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  bank_callbacks: 'wywołania zwrotne symulowanego banku',
  charge_recurring: 'pobieranie płatności cyklicznych',
  look_up_payments: 'sprawdzanie płatności',
  look_up_charges: 'sprawdzanie obciążeń cyklicznych',
  move_refunds: 'wysyłanie zwrotów',
  claim_disputes: 'rozpoczynanie sporów, które czekały na płatność',
  park_disputes: 'przekazywanie do decyzji sporów, których agent nie wyrównał',
  send_mail: 'wysyłanie poczty',
  expire_transactions: 'wygaszanie transakcji',
  number_events: 'numerowanie zdarzeń',
  send_notifications: 'wysyłanie powiadomień',
  count_transactions: 'zliczanie transakcji',
  count_recurring: 'zliczanie płatności cyklicznych',
  seal_journals: 'pieczętowanie księgi',
  forget_mail: 'usuwanie starej poczty',
  forget_tokens: 'usuwanie wygasłych tokenów',
  forget_sessions: 'usuwanie sesji panelu',
  forget_requests: 'usuwanie dziennika żądań',
  sum_up: 'sumowanie dla panelu',
  fill_search: 'uzupełnianie wyszukiwarki',
  warn_of_certificates: 'ostrzeganie o wygasających certyfikatach',
  reconcile: 'uzgadnianie z bankiem',
  verify_books: 'sprawdzanie zmian w księgach',
  forget_idempotency_keys: 'usuwanie starych kluczy idempotencji',
} satisfies Translation<typeof en>;

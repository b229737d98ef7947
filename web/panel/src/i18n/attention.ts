// What needs attention: a sentence for each kind, and what to do.

import { dictionary } from './text.ts';

export const attentionText = dictionary({
  title: { en: 'What needs attention', pl: 'Co wymaga uwagi' },
  nothing: { en: 'Nothing. Everything runs as it should.', pl: 'Nic. Wszystko działa jak należy.' },
  critical: { en: 'Urgent', pl: 'Pilne' },
  warning: { en: 'Review', pl: 'Do sprawdzenia' },
  since: { en: 'since {time}', pl: 'od {time}' },
  until: { en: 'until {time}', pl: 'do {time}' },
  failing_endpoint: { en: 'Notifications to {subject} fail', pl: 'Powiadomienia do {subject} nie dochodzą' },
  exhausted_notifications: {
    en: 'Notifications are no longer repeated: {count}',
    pl: 'Powiadomienia, których już nie ponawiamy: {count}',
  },
  expiring_certificate: { en: 'The certificate {subject} expires', pl: 'Certyfikat {subject} wygasa' },
  parked_payment: { en: 'The result of a payment is unclear', pl: 'Wynik płatności jest niejasny' },
  parked_surplus: { en: 'More was paid than was due', pl: 'Wpłacono więcej, niż należało' },
  parked_charge: {
    en: 'The result of a recurring charge is unclear',
    pl: 'Wynik obciążenia cyklicznego jest niejasny',
  },
  parked_refund: { en: 'The result of a refund is unclear', pl: 'Wynik zwrotu jest niejasny' },
  low_balance: {
    en: 'The balance does not cover the refunds of a week',
    pl: 'Saldo nie pokrywa zwrotów z tygodnia',
  },
  no_second_factor: {
    en: 'People who sign in with a password only: {count}',
    pl: 'Osoby, które logują się samym hasłem: {count}',
  },
  protect: {
    en: 'Ask them to set up an authenticator app or a passkey in their profile.',
    pl: 'Poproś, aby w swoim profilu ustawiły aplikację uwierzytelniającą lub klucz dostępu.',
  },
  operatorDecides: {
    en: 'The operator clears it with the bank. You need not do anything.',
    pl: 'Operator wyjaśnia to z bankiem. Nie musisz nic robić.',
  },
  fixEndpoint: {
    en: 'See what the address answers, then repair it. Notifications are repeated by themselves.',
    pl: 'Sprawdź, co odpowiada adres, i napraw go. Powiadomienia zostaną ponowione same.',
  },
  resend: { en: 'Resend them when the address works again.', pl: 'Wyślij je ponownie, gdy adres znów zadziała.' },
  renew: { en: 'Upload a new one before that day.', pl: 'Prześlij nowy przed tym dniem.' },
  coverRefunds: {
    en: 'Refunds in the last 7 days: {amount}. New ones may be refused.',
    pl: 'Zwroty z ostatnich 7 dni: {amount}. Nowe mogą zostać odrzucone.',
  },
  inDoubt: { en: 'In doubt: {amount}', pl: 'Kwota: {amount}' },
  open: { en: 'Open', pl: 'Otwórz' },
});

import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  title: 'Co wymaga uwagi',
  nothing: 'Nic. Wszystko działa jak należy.',
  critical: 'Pilne',
  warning: 'Do sprawdzenia',
  since: 'od {time}',
  until: 'do {time}',
  failing_endpoint: 'Powiadomienia do {subject} nie dochodzą',
  exhausted_notifications: 'Powiadomienia, których już nie ponawiamy: {count}',
  expiring_certificate: 'Certyfikat {subject} wygasa',
  parked_payment: 'Wynik płatności jest niejasny',
  parked_surplus: 'Wpłacono więcej, niż należało',
  parked_charge: 'Wynik obciążenia cyklicznego jest niejasny',
  parked_refund: 'Wynik zwrotu jest niejasny',
  low_balance: 'Saldo nie pokrywa zwrotów z tygodnia',
  no_second_factor: 'Osoby, które logują się samym hasłem: {count}',
  protect: 'Poproś, aby w swoim profilu ustawiły aplikację uwierzytelniającą lub klucz dostępu.',
  operatorDecides: 'Operator wyjaśnia to z bankiem. Nie musisz nic robić.',
  fixEndpoint: 'Sprawdź, co odpowiada adres, i napraw go. Powiadomienia zostaną ponowione same.',
  resend: 'Wyślij je ponownie, gdy adres znów zadziała.',
  renew: 'Prześlij nowy przed tym dniem.',
  coverRefunds: 'Zwroty z ostatnich 7 dni: {amount}. Nowe mogą zostać odrzucone.',
  inDoubt: 'Kwota: {amount}',
  open: 'Otwórz',
} satisfies Translation<typeof en>;

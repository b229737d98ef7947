// Sentences for the service's error codes that people meet. Others are shown as the service writes them.

import { dictionary } from './text.ts';

export const errorText = dictionary({
  field_required: { en: 'This field is required.', pl: 'To pole jest wymagane.' },
  too_short: { en: 'This is too short.', pl: 'Za krótkie.' },
  too_long: { en: 'This is too long.', pl: 'Za długie.' },
  not_valid: { en: 'This is not valid.', pl: 'Nieprawidłowa wartość.' },
  sign_in_failed: {
    en: 'The email address or the password is wrong, or the sign-in has expired.',
    pl: 'Adres e-mail lub hasło są nieprawidłowe albo logowanie wygasło.',
  },
  wrong_password: { en: 'The password is wrong.', pl: 'Hasło jest nieprawidłowe.' },
  wrong_code: {
    en: 'It was not accepted. A code works once and only for half a minute.',
    pl: 'Nie przyjęto. Kod działa raz i tylko przez pół minuty.',
  },
  weak_password: {
    en: 'This password is too easy to guess. Use several unrelated words or random characters: no common password or row of keys, and not your name, your email address or “grosz”.',
    pl: 'To hasło jest zbyt łatwe do odgadnięcia. Użyj kilku niezwiązanych ze sobą słów lub losowych znaków: nie popularnego hasła ani kolejnych klawiszy, nie swojego imienia, adresu e-mail ani słowa „grosz”.',
  },
  user_exists: {
    en: 'There is already a user with this email address.',
    pl: 'Użytkownik z tym adresem e-mail już istnieje.',
  },
  last_owner: {
    en: 'The account needs an active owner. Make somebody else an owner first.',
    pl: 'Konto musi mieć aktywnego właściciela. Najpierw nadaj tę rolę komuś innemu.',
  },
  second_factor_exists: {
    en: 'This is already set up. Remove it first, or begin again.',
    pl: 'To jest już ustawione. Najpierw usuń lub zacznij od nowa.',
  },
  mail_not_configured: {
    en: 'The service cannot send mail. Ask its operator to set up mail.',
    pl: 'Usługa nie może wysyłać poczty. Poproś jej operatora o skonfigurowanie poczty.',
  },
  too_many: { en: 'There are too many of them.', pl: 'Jest ich za dużo.' },
  too_many_requests: {
    en: 'Too many attempts. Wait a while and try again.',
    pl: 'Zbyt wiele prób. Odczekaj chwilę i spróbuj ponownie.',
  },
  access_denied: { en: 'Your role does not allow this.', pl: 'Twoja rola na to nie pozwala.' },
  not_found: {
    en: 'This does not exist, or does not belong to your account.',
    pl: 'To nie istnieje albo nie należy do Twojego konta.',
  },
  service_unavailable: {
    en: 'The service is busy. Try again in a moment.',
    pl: 'Usługa jest zajęta. Spróbuj ponownie za chwilę.',
  },
  refund_exceeds_paid: {
    en: 'This is more than is left to refund.',
    pl: 'To więcej, niż pozostało do zwrotu.',
  },
  refund_already_sent: {
    en: 'The refund was already sent to the bank, or has ended.',
    pl: 'Zwrot został już wysłany do banku albo się zakończył.',
  },
  already_refunded: { en: 'The transaction is already refunded.', pl: 'Transakcja jest już zwrócona.' },
  cannot_create_refund: { en: 'This transaction cannot be refunded.', pl: 'Tej transakcji nie można zwrócić.' },
  already_paid: { en: 'The transaction is already paid.', pl: 'Transakcja jest już opłacona.' },
  transaction_canceled: { en: 'The transaction is canceled.', pl: 'Transakcja jest anulowana.' },
  recurring_not_active: { en: 'The recurring payment is not active.', pl: 'Płatność cykliczna nie jest aktywna.' },
  last_attempt_not_failed: {
    en: 'The last attempt did not fail, or another is due or in progress.',
    pl: 'Ostatnia próba nie była nieudana albo następna już czeka lub jest w toku.',
  },
  retry_limit_reached: {
    en: 'This charge has reached the limit of 30 manual retries.',
    pl: 'To obciążenie osiągnęło limit 30 ręcznych ponowień.',
  },
  incorrect_precision: { en: 'At most two decimal places.', pl: 'Najwyżej dwa miejsca po przecinku.' },
  too_low: { en: 'This is too low.', pl: 'Za mało.' },
  too_high: { en: 'This is too high.', pl: 'Za dużo.' },
  insufficient_funds: { en: 'The balance does not suffice.', pl: 'Saldo nie wystarcza.' },
});

import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  address_unreadable: 'adres nie jest adresem internetowym',
  address_scheme: 'adres nie jest adresem https',
  address_credentials: 'adres zawiera nazwę użytkownika lub hasło',
  address_port: 'port w adresie jest niedozwolony',
  address_not_public: 'adres nie jest publiczny',
  name_not_found: 'nazwa serwera nie jest znana',
  connection_refused: 'serwer odrzucił połączenie',
  connection_failed: 'połączenie zostało zerwane',
  certificate_refused: 'certyfikat nie jest zaufany',
  timed_out: 'brak pełnej odpowiedzi w terminie',
  answer_too_large: 'odpowiedź jest za duża',
  closing: 'usługa kończyła pracę',
  redirect: 'serwer przekierowuje, czego nie robimy',
  wrong_status: 'status odpowiedzi nie jest 200',
  wrong_answer: 'odpowiedzią nie jest TRUE (dla JSON także {"result": true})',
  internal_error: 'usługa nie mogła go przygotować',
} satisfies Translation<typeof en>;

/** Why a notification was not accepted, by the code of the service. */
export const deliveryText: Readonly<Record<string, { readonly en: string; readonly pl: string }>> = {
  address_unreadable: { en: 'the address is not a web address', pl: 'adres nie jest adresem internetowym' },
  address_scheme: { en: 'the address is not https', pl: 'adres nie jest adresem https' },
  address_credentials: {
    en: 'the address has a user name or password in it',
    pl: 'adres zawiera nazwę użytkownika lub hasło',
  },
  address_port: { en: 'the port of the address is not allowed', pl: 'port w adresie jest niedozwolony' },
  address_not_public: { en: 'the address is not public', pl: 'adres nie jest publiczny' },
  name_not_found: { en: 'the name of the server is not known', pl: 'nazwa serwera nie jest znana' },
  connection_refused: { en: 'the server refused the connection', pl: 'serwer odrzucił połączenie' },
  connection_failed: { en: 'the connection broke', pl: 'połączenie zostało zerwane' },
  certificate_refused: { en: 'the certificate is not trusted', pl: 'certyfikat nie jest zaufany' },
  timed_out: { en: 'no complete response in time', pl: 'brak pełnej odpowiedzi w terminie' },
  answer_too_large: { en: 'the response is too large', pl: 'odpowiedź jest za duża' },
  closing: { en: 'the service was shutting down', pl: 'usługa kończyła pracę' },
  redirect: { en: 'the server redirects, which is not followed', pl: 'serwer przekierowuje, czego nie robimy' },
  wrong_status: { en: 'the status of the response is not 200', pl: 'status odpowiedzi nie jest 200' },
  wrong_answer: {
    en: 'the response is not TRUE (for JSON also {"result": true})',
    pl: 'odpowiedzią nie jest TRUE (dla JSON także {"result": true})',
  },
  internal_error: { en: 'the service could not build it', pl: 'usługa nie mogła go przygotować' },
};

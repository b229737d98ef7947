import type { domainResults } from '../../../../../../contract/codes/domains.ts';
import type { Sentences } from '../../../../../../contract/codes/message.ts';

export default {
  server_answered: () => 'Serwer odpowiedział.',
  certificate_trusted: () => 'Certyfikat domeny jest zaufany.',
  not_encrypted: () => 'Połączenie nie jest szyfrowane, co dopuszcza tylko sandbox.',
  no_redirect: () => 'Serwer nie przekierowuje.',
  file_public: () => 'Plik jest publiczny.',
  no_server_error: () => 'Serwer nie zgłosił błędu.',
  file_found: () => 'Plik jest na miejscu.',
  file_right: () => 'Plik jest właściwy.',
  not_checked: () => 'Nie sprawdzono, bo wcześniejszy warunek nie jest spełniony.',
  name_not_known: () => 'Nazwa domeny nie jest znana. Dodaj jej rekord w DNS.',
  no_answer_in_time: () => 'Serwer nie odpowiedział na czas. Sprawdź, czy działa i czy zapora nas nie odrzuca.',
  address_not_public: () => 'Domena prowadzi do adresu, który nie jest publiczny. Popraw jej rekordy DNS.',
  no_connection: () => 'Nie udało się połączyć. Sprawdź, czy serwer działa i nasłuchuje na porcie https.',
  certificate_not_trusted: () =>
    'Certyfikat domeny nie jest zaufany, wygasł albo jest dla innej nazwy. Zainstaluj certyfikat publicznego urzędu, z całym łańcuchem.',
  redirects: ({ status, path }) =>
    `Serwer przekierowuje (${status}). Udostępnij plik dokładnie pod tym adresem: wyłącz ${path} z przekierowań na „www”, język lub logowanie.`,
  asks_for_authorization: ({ status, path }) =>
    `Serwer wymaga autoryzacji (${status}). Upublicznij ${path}: wyłącz go z haseł, list adresów i ochrony przed botami.`,
  server_failed: ({ status, path }) =>
    `Serwer zgłosił błąd (${status}). Sprawdź jego dziennik dla ${path}; plik statyczny omija aplikację.`,
  file_missing: ({ status, path }) =>
    `Serwer odpowiedział ${status} zamiast 200. Umieść plik pod ${path} i sprawdź, czy foldery zaczynające się kropką są udostępniane.`,
  connection_broke: () =>
    'Połączenie zerwało się podczas przesyłania pliku. Sprawdź ponownie; jeśli to się powtarza, sprawdź serwer.',
  file_differs: () =>
    'Plik różni się od naszego. Pobierz go ponownie i umieść bez zmian: bez znaczników, bez BOM, bez konwersji.',
} satisfies Sentences<typeof domainResults>;

// Sentences and names that the service writes in English, in Polish. One that is not known is shown as it is.

import { problemInPolish } from './problems.ts';

const bank: Readonly<Record<string, string>> = {
  'The bank reports a different amount.': 'Bank podaje inną kwotę.',
  'The bank contradicts itself about an ended payment.': 'Bank zaprzecza sobie w sprawie zakończonej płatności.',
  'The bank gave no result for three days.': 'Bank przez trzy dni nie podał wyniku.',
  'The bank refused to give it back.': 'Bank odmówił zwrotu.',
  'The instrument cannot be decrypted: its vault key is missing.':
    'Nie można odszyfrować instrumentu: brakuje klucza sejfu.',
  'The bank has not confirmed it for 30 days.': 'Bank nie potwierdził tego od 30 dni.',
  'The bank paid out a refund that it had declined.': 'Bank wypłacił zwrot, który wcześniej odrzucił.',
  attempt: 'płatność',
  surplus: 'nadpłata',
  charge: 'obciążenie cykliczne',
  refund: 'zwrot',
  capture: 'obciążenie bez płatności',
  payout: 'wypłata',
};

const works: Readonly<Record<string, string>> = {
  'callbacks of the simulated bank': 'wywołania zwrotne symulowanego banku',
  'charge recurring payments': 'pobieranie płatności cyklicznych',
  'look up charges': 'sprawdzanie obciążeń',
  'move refunds': 'wysyłanie zwrotów',
  'send mail': 'wysyłanie poczty',
  'expire transactions': 'wygaszanie transakcji',
  'number events': 'numerowanie zdarzeń',
  'send notifications': 'wysyłanie powiadomień',
  'count transactions': 'zliczanie transakcji',
  'count recurring payments': 'zliczanie płatności cyklicznych',
  'seal journals': 'pieczętowanie księgi',
  'forget old mail': 'usuwanie starej poczty',
  'forget expired tokens': 'usuwanie wygasłych tokenów',
  'forget panel sessions': 'usuwanie sesji panelu',
  'forget logged requests': 'usuwanie dziennika żądań',
  'sum up for the panel': 'sumowanie dla panelu',
  'fill the search': 'uzupełnianie wyszukiwarki',
  'warn of expiring certificates': 'ostrzeganie o wygasających certyfikatach',
  'reconcile with the bank': 'uzgadnianie z bankiem',
  'forget old idempotency keys': 'usuwanie starych kluczy idempotencji',
};

const domains: Readonly<Record<string, string>> = {
  'The server answered.': 'Serwer odpowiedział.',
  'The certificate of the domain is trusted.': 'Certyfikat domeny jest zaufany.',
  'The server does not redirect.': 'Serwer nie przekierowuje.',
  'The file is public.': 'Plik jest publiczny.',
  'The server did not fail.': 'Serwer nie zgłosił błędu.',
  'There is a file.': 'Plik jest na miejscu.',
  'The file is the right one.': 'Plik jest właściwy.',
  'The connection is not encrypted, which only the sandbox accepts.':
    'Połączenie nie jest szyfrowane, co dopuszcza tylko sandbox.',
  'The certificate of the domain is not trusted, has expired or is for another name. Install one of a public authority, with its whole chain.':
    'Certyfikat domeny nie jest zaufany, wygasł albo jest dla innej nazwy. Zainstaluj certyfikat publicznego urzędu, z całym łańcuchem.',
  'The connection broke while the file was sent. Check again; if it stays so, look at the server.':
    'Połączenie zerwało się podczas przesyłania pliku. Sprawdź ponownie; jeśli to się powtarza, sprawdź serwer.',
  'The file differs from ours. Download it again and upload it unchanged: no markup, no byte order mark, no conversion.':
    'Plik różni się od naszego. Pobierz go ponownie i umieść bez zmian: bez znaczników, bez BOM, bez konwersji.',
  'The name of the domain is not known. Add its record to the DNS.':
    'Nazwa domeny nie jest znana. Dodaj jej rekord w DNS.',
  'The server did not answer in time. See that it is up, and that no firewall drops us.':
    'Serwer nie odpowiedział na czas. Sprawdź, czy działa i czy zapora nas nie odrzuca.',
  'The domain leads to an address that is not public. Correct its DNS records.':
    'Domena prowadzi do adresu, który nie jest publiczny. Popraw jej rekordy DNS.',
  'No connection could be made. See that the server is up and listens at the port for https.':
    'Nie udało się połączyć. Sprawdź, czy serwer działa i nasłuchuje na porcie https.',
};

const known: Readonly<Record<string, string>> = { ...bank, ...works, ...domains };

type Pattern = readonly [english: RegExp, polish: string];

const patterns: readonly Pattern[] = [
  [/^Not checked, because \w+ failed\.$/, 'Nie sprawdzono, bo wcześniejszy warunek nie jest spełniony.'],
  [
    /^The server redirects \((\d+)\)\. Serve the file at exactly this address: exempt (\S+) from .*$/,
    'Serwer przekierowuje ($1). Udostępnij plik dokładnie pod tym adresem: wyłącz $2 z przekierowań na „www”, język lub logowanie.',
  ],
  [
    /^The server asks for authorization \((\d+)\)\. Make (\S+) public: .*$/,
    'Serwer wymaga autoryzacji ($1). Upublicznij $2: wyłącz go z haseł, list adresów i ochrony przed botami.',
  ],
  [
    /^The server failed \((\d+)\)\. Look at its log for (\S+); .*$/,
    'Serwer zgłosił błąd ($1). Sprawdź jego dziennik dla $2; plik statyczny omija aplikację.',
  ],
  [
    /^The server answered (\d+), not 200\. Put the file at (\S+), and .*$/,
    'Serwer odpowiedział $1 zamiast 200. Umieść plik pod $2 i sprawdź, czy foldery zaczynające się kropką są udostępniane.',
  ],
  [
    /^(\S+) was requested, not (\S+)\. Have the bank .*$/,
    'Żądano $1, a nie $2. Niech bank przesunie różnicę i wtedy zatwierdź $1, albo niech cofnie całość i wtedy wybierz, że pieniędzy nie przesunięto.',
  ],
];

/** In Polish; undefined if the sentence is not known. */
export function serviceInPolish(text: string): string | undefined {
  const [english, polish] = patterns.find(([pattern]) => pattern.test(text)) ?? [];
  return known[text] ?? (english && polish ? text.replace(english, polish) : problemInPolish(text));
}

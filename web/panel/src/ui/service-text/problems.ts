// What a verification of the books and a comparison with the bank find, in Polish. {1} and {2} are ids, amounts and names.

type Sentences = Readonly<Record<string, string>>;

const heads: Sentences = {
  'Transaction {1}: ': 'Transakcja {1}: ',
  'Recurring payment {1}: ': 'Płatność cykliczna {1}: ',
  'Charge {1}: ': 'Obciążenie {1}: ',
  'Refunds of transaction {1}: ': 'Zwroty transakcji {1}: ',
  'Refund {1}: ': 'Zwrot {1}: ',
  'Part {1}, product {2}: ': 'Część {1}, produkt {2}: ',
  'Part {1}: ': 'Część {1}: ',
  'Audit log: ': 'Dziennik zdarzeń: ',
};

const payments: Sentences = {
  'status {1}, but no successful payment': 'status {1}, ale bez udanej płatności',
  'its payment {1} is not in the books': 'jej płatności {1} nie ma w księgach',
  'a payment succeeded, but the status is {1}': 'płatność się udała, ale status to {1}',
  'paid {1}, but booked as {2}': 'zapłacono {1}, a zaksięgowano {2}',
};

const recurring: Sentences = {
  'its iterations have a gap': 'w jej okresach jest luka',
  'the attempts of iteration {1} have a gap': 'w próbach okresu {1} jest luka',
  'iteration {1} has two attempts that are open or correct': 'okres {1} ma dwie próby otwarte lub udane',
  'iteration {1} was not paid, but a later one started': 'okresu {1} nie opłacono, a zaczął się następny',
  'it is at iteration {1}, but has attempts of {2}': 'jest w okresie {1}, ale ma próby okresu {2}',
  'it is at iteration {1}, but an earlier one is not paid': 'jest w okresie {1}, ale wcześniejszego nie opłacono',
  'it counts {1} attempts of iteration {2}, but there are {3}': 'liczy {1} prób okresu {2}, a jest ich {3}',
  'it counts {1} scheduled retries of iteration {2}, but there are {3}':
    'liczy {1} zaplanowanych ponowień okresu {2}, a jest ich {3}',
  'iteration {1} has too many manual retries': 'okres {1} ma za dużo ręcznych ponowień',
  'its current iteration is already paid': 'jej bieżący okres już opłacono',
  'its attempt in flight is recorded as {1} but is {2}': 'jako próbę w toku zapisano {1}, a jest nią {2}',
  'its last attempt is recorded as {1} but is {2}': 'ostatnią próbę zapisano jako {1}, a jest {2}',
  'it is active, but either nothing is scheduled, or a charge is both scheduled and in flight':
    'jest aktywna, ale nic nie zaplanowano albo obciążenie jest zarazem zaplanowane i w toku',
  'it is {1}, but a charge is due': 'ma status {1}, ale obciążenie czeka na wykonanie',
  'it is finished after {1} of {2} charges': 'zakończyła się po {1} z {2} obciążeń',
  'it is failed, but its last attempt is not': 'ma status nieudanej, choć ostatnia próba nim nie jest',
  'a transaction of the engine without an attempt': 'transakcja bez próby',
  'an attempt without a transaction': 'próba bez transakcji',
  'its transaction has another amount or merchant than its recurring payment':
    'jej transakcja ma inną kwotę lub konto niż płatność cykliczna',
  'the attempt is {1}, but its transaction is {2}': 'próba ma status {1}, a jej transakcja {2}',
  'the attempt is {1}, but booked as paid: {2}': 'próba ma status {1}, a jako zapłacone zaksięgowano: {2}',
};

const refunds: Sentences = {
  'there is no total': 'brakuje sumy',
  'a total without refunds': 'suma bez zwrotów',
  'the total says {1} was paid late, the refunds {2}': 'według sumy po czasie wypłacono {1}, według zwrotów {2}',
  'the total says {1}, the refunds {2}': 'suma mówi {1}, a zwroty {2}',
  'refunded {1} of {2} paid': 'zwrócono {1} z {2} zapłaconych',
  'status refund, but only {1} is refunded': 'status „refund”, ale zwrócono tylko {1}',
  'status {1} with {2} full refunds': 'status {1} przy {2} pełnych zwrotach',
  'its request is not in the books': 'zlecenia nie ma w księgach',
  'it has no outgoing refund': 'nie ma zwrotu pieniędzy do płatnika',
  'status {1}, but its outgoing refund is {2}': 'status {1}, a zwrot pieniędzy do płatnika ma stan {2}',
  'status {1}, but booked as executed: {2}': 'status {1}, a jako wykonane zaksięgowano: {2}',
  'status {1}, but booked as returned: {2}': 'status {1}, a jako cofnięte zaksięgowano: {2}',
  'the late payment of the bank is not in the books': 'późnej wypłaty banku nie ma w księgach',
};

const audit: Sentences = {
  'entry {1} is missing': 'brakuje wpisu {1}',
  'entry {1} was changed after it was written': 'wpis {1} zmieniono po zapisaniu',
};

const whole: Sentences = {
  'Journal {1} does not sum to zero: it is off by {2}.': 'Operacja {1} nie sumuje się do zera: różnica wynosi {2}.',
  'Balance of {1} is {2}, its entries give {3}.': 'Saldo {1} wynosi {2}, a jego zapisy dają {3}.',
  'There is a journal outside the chain: {1}.': 'Operacja poza łańcuchem: {1}.',
  'There is a journal without entries: {1}.': 'Operacja bez zapisów: {1}.',
  'There is an entry without a journal: {1} line {2}.': 'Zapis bez operacji: {1}, wiersz {2}.',
  'There is an entry of an unknown account: {1} line {2}.': 'Zapis na nieznanym koncie: {1}, wiersz {2}.',
  'Seals {1} to {2} are missing.': 'Brakuje pieczęci od {1} do {2}.',
  'Seal {1} (journal {2}) breaks the chain.': 'Pieczęć {1} (operacja {2}) przerywa łańcuch.',
  'Journal {1} is missing; it was sealed as {2}.': 'Brakuje operacji {1}; zapieczętowano ją jako {2}.',
  'Journal {1} was changed.': 'Operację {1} zmieniono.',
  'Entry {1} line {2} was changed, removed or added.': 'Zapis {1}, wiersz {2}, zmieniono, usunięto lub dodano.',
  'Merchant {1}: {2} transactions from {3} UTC are counted as {4}, there are {5}.':
    'Konto {1}: od {3} UTC policzono {2} transakcji o statusie {4}, a jest ich {5}.',
  'Marketplace transaction {1} of {2} has parts of {3}.':
    'Transakcja marketplace {1} na kwotę {2} ma części o sumie {3}.',
  'Refund {1} of {2} and {3} has parts of {4} and {5}.': 'Zwrot {1} ({2} i prowizja {3}) ma części o sumie {4} i {5}.',
  'refund returned {1}: {2} is booked with {3} and should be {4}.':
    'Cofnięcie zwrotu {1}: na {2} zaksięgowano {3}, a powinno być {4}.',
  'refund {1}: {2} is booked with {3} and should be {4}.': 'Zwrot {1}: na {2} zaksięgowano {3}, a powinno być {4}.',
  'payment {1}: {2} is booked with {3} and should be {4}.': 'Płatność {1}: na {2} zaksięgowano {3}, a powinno być {4}.',
  "The panel's sums of {1} are {2}, its entries give {3}.": 'Sumy panelu dla {1} to {2}, a zapisy dają {3}.',
  'Outgoing refund {1}: state {2}, but booked as paid: {3}.':
    'Zwrot pieniędzy {1}: stan {2}, a jako wypłacone zaksięgowano: {3}.',
  'Difference {1}: what it found is not in the books.': 'Różnica {1}: tego, co wykryto, nie ma w księgach.',
  'The verification failed; see the log.': 'Sprawdzenie się nie powiodło; zobacz dziennik usługi.',

  'The bank paid {1} to a payer; no refund of ours asked for it.':
    'Bank wypłacił płatnikowi {1}, choć nie zlecił tego żaden nasz zwrot.',
  'The bank captured {1}; no payment of ours has it.': 'Bank pobrał {1}; nie ma tego żadna nasza płatność.',
  'Our books have a {1} of {2}; the bank has not.': 'W naszych księgach jest {1k} {2}; bank tego nie ma.',
  'The bank has a {1} of {2}; our books have {3}.': 'Bank ma {1k} {2}; w naszych księgach jest {3}.',
  'The {1} of {2} is in the books and at the bank, but rows about it are missing.':
    '{1k} {2}: jest w księgach i w banku, ale brakuje wierszy na ten temat.',
  'The bank paid the refund of {1} on another charge than ours, to another payer.':
    'Bank wypłacił zwrot {1} do innego obciążenia niż nasze, innemu płatnikowi.',
  'The statement has lines of another period.': 'Wyciąg ma pozycje z innego okresu.',
  'The statement does not go on.': 'Wyciąg się urywa.',
  'Another run took over.': 'Porównanie przejął inny proces.',
  'The bank gave no statement.': 'Bank nie podał wyciągu.',
  'It failed; see the log.': 'Nie powiodło się; zobacz dziennik usługi.',
  'The statement names {1} of its lines twice, the first with key {2}.':
    'Wyciąg wymienia dwukrotnie pozycje w liczbie {1}, pierwszą o kluczu {2}.',
  'The bank did not answer about {1} payments or refunds.':
    'Bank nie odpowiedział w sprawie {1} płatności lub zwrotów.',
};

/** What stands where a value is missing. */
const values: Sentences = {
  none: 'brak',
  nothing: 'nic',
  never: 'nigdy',
  unlimited: 'nieograniczonej liczby',
};
/** For {1k}. */
const kinds: Sentences = { capture: 'obciążenie', refund: 'zwrot', payout: 'wypłata' };

const special = /[.*+?^$()|[\]\\]/g;

function patternOf(english: string, isWhole: boolean): RegExp {
  const body = english.replaceAll(special, '\\$&').replaceAll(/\{\d\}/g, '(.+?)');
  return new RegExp(isWhole ? `^${body}$` : `^${body}`);
}

const compiled = (sentences: Sentences, isWhole: boolean) =>
  Object.entries(sentences).map(([english, polish]) => [patternOf(english, isWhole), polish] as const);

const headPatterns = compiled(heads, false);
const whatPatterns = compiled({ ...payments, ...recurring, ...refunds, ...audit }, true);
const wholePatterns = compiled(whole, true);

function filled(polish: string, found: readonly string[]): string {
  return polish.replaceAll(/\{(\d)(k?)\}/g, (_, place: string, kind: string) => {
    const value = found[Number(place)] ?? '';
    return (kind ? kinds : values)[value] ?? value;
  });
}

function matched(patterns: typeof wholePatterns, text: string): string | undefined {
  for (const [pattern, polish] of patterns) {
    const found = pattern.exec(text);
    if (found) return filled(polish, found);
  }
  return undefined;
}

/** In Polish; undefined if the sentence is not known. */
export function problemInPolish(text: string): string | undefined {
  const known = matched(wholePatterns, text);
  if (known !== undefined) return known;
  for (const [pattern, polish] of headPatterns) {
    const head = pattern.exec(text);
    const what = head && matched(whatPatterns, text.slice(head[0].length).replace(/\.$/, ''));
    if (head && what !== undefined && what !== null) return `${filled(polish, head)}${what}.`;
  }
  return undefined;
}

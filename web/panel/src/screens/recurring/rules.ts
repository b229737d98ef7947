// The service writes the rules of the schedule in English. The sentences are few, so they are known here in Polish; one
// that is not known is shown as it is.

const months: Readonly<Record<string, string>> = {
  January: 'stycznia',
  February: 'lutego',
  March: 'marca',
  April: 'kwietnia',
  May: 'maja',
  June: 'czerwca',
  July: 'lipca',
  August: 'sierpnia',
  September: 'września',
  October: 'października',
  November: 'listopada',
  December: 'grudnia',
};

const day = (text: string) => text.replace(/[A-Z][a-z]+/, (month) => months[month] ?? month);

function count(text: string): string {
  const [, number = '1', unit = ''] = /^(?:(\d+) )?(minute|day|month)s?$/.exec(text) ?? [];
  const form = new Intl.PluralRules('pl').select(Number(number));
  const forms: Readonly<Record<string, readonly [one: string, few: string, many: string]>> = {
    minute: ['minutę', 'minuty', 'minut'],
    day: ['dzień', 'dni', 'dni'],
    month: ['miesiąc', 'miesiące', 'miesięcy'],
  };
  const [one = unit, few = unit, many = unit] = forms[unit] ?? [];
  return `${number} ${form === 'one' ? one : form === 'few' ? few : many}`;
}

function note(text: string): string {
  return text
    .replace(/^the (\d+)\w\w clamped to (.+)$/, (_, from: string, to: string) => `dzień ${from} skrócony do ${day(to)}`)
    .replace(/^(\S+) does not exist that day, moved to (\S+)$/, 'godzina $1 tego dnia nie istnieje, więc $2');
}

type Pattern = readonly [english: RegExp, polish: (...parts: string[]) => string];

const of = (total: string) => (total ? ` z ${total}` : '');

const patterns: readonly Pattern[] = [
  [
    /^Charge (\d+)(?: of (\d+))?: the first charge date\.$/,
    (number = '', total = '') => `Obciążenie ${number}${of(total)}: data pierwszego obciążenia.`,
  ],
  [
    /^Charge (\d+)(?: of (\d+))?: every (\S+|\d+ \w+) from (\d+ \w+ \d+)((?:; [^;]+)*)\.$/,
    (number = '', total = '', every = '', first = '', notes = '') =>
      `Obciążenie ${number}${of(total)}: co ${count(every)} od ${day(first)}${notes
        .split('; ')
        .map((one) => (one ? `; ${note(one)}` : ''))
        .join('')}.`,
  ],
  [
    /^Retry (\d+) of (\d+): (\d+ \w+) after the failed attempt \((default policy|own schedule)\)\.$/,
    (number = '', total = '', delay = '', policy = '') =>
      `Ponowienie ${number} z ${total}: ${count(delay)} po nieudanej próbie (${policy === 'own schedule' ? 'własny harmonogram' : 'domyślnie'}).`,
  ],
  [/^Retry by hand: .*$/, () => 'Ponowienie na żądanie: od razu; zaplanowane ponowienia pozostają.'],
  [
    /^Retry with the new instrument: .*$/,
    () => 'Ponowienie z nowym instrumentem: od razu; zaplanowane ponowienia zaczynają się od nowa.',
  ],
  [/^If the attempt before it fails\.$/, () => 'Jeśli poprzednia próba się nie uda.'],
  [/^Once charge (\d+) is made\.$/, (number = '') => `Gdy obciążenie ${number} zostanie wykonane.`],
  [/^Charge (\d+) is the last\.$/, (number = '') => `Obciążenie ${number} jest ostatnie.`],
  [/^No retry and no charge: canceled\.$/, () => 'Nic więcej nie nastąpi: anulowano.'],
  [/^No retry and no charge: all charges were made\.$/, () => 'Nic więcej nie nastąpi: wykonano wszystkie obciążenia.'],
  [
    /^No retry and no charge: the last retry failed\. A new payment instrument restores it\.$/,
    () => 'Nic więcej nie nastąpi: ostatnie ponowienie się nie udało. Przywróci ją nowy instrument płatniczy.',
  ],
];

/** A rule of the schedule in Polish. */
export function ruleInPolish(rule: string): string {
  for (const [english, polish] of patterns) {
    const found = english.exec(rule);
    if (found) return polish(...found.slice(1).map((part) => part ?? ''));
  }
  return rule;
}

import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  captured: 'Pieniądze zostały przesunięte',

  verifyAbout:
    'Czy każde saldo jest sumą zapisów, każdy skrót łańcucha się zgadza, każda operacja ma swoją płatność lub zwrot i odwrotnie, i czy o niczym nie zapomniano.',
  verifyNow: 'Sprawdź teraz',
  never: 'Ksiąg jeszcze nie sprawdzono',
  neverHint: 'Rozpocznij pierwsze sprawdzenie. Usługa działa w tym czasie dalej.',
  running: 'W toku',
  clean: 'Bez zastrzeżeń',
  problems: { one: '{count} problem', few: '{count} problemy', many: '{count} problemów', other: '{count} problemu' },
  statement: 'Wyciąg banku',
  statementAbout:
    'Obciążenia, zwroty i wypłaty banku porównane z księgami, codziennie, zawsze trzy dni wstecz. Różnice czekają w „Do decyzji”.',
  compareNow: 'Porównaj teraz',
  compareStarted: 'Porównanie rozpoczęte',
  neverCompared: 'Jeszcze nie porównano',
  neverComparedHint: 'Pierwsze porównanie obejmuje wszystko od instalacji.',
  acquirer: 'Agent rozliczeniowy',
  period: 'Okres',
  captures: 'Obciążenia',
  refunds: 'Zwroty',
  payouts: 'Wypłaty',
  outcome: 'Wynik',
  agreed: 'Zgodne',
  incomplete: 'Niepełne',
  differences: {
    one: '{count} nowa różnica',
    few: '{count} nowe różnice',
    many: '{count} nowych różnic',
    other: '{count} nowej różnicy',
  },
  open: { one: '{count} otwarta', few: '{count} otwarte', many: '{count} otwartych', other: '{count} otwartej' },
  totalsDiffer: 'Sumy różnią się bardziej, niż wyjaśniają to różnice.',
  last: 'Ostatnie sprawdzenie całości',
  lastOfChanges: 'Ostatnie sprawdzenie zmian, co godzinę',
  since: 'Zmiany od',
  started: 'Rozpoczęto',
  ended: 'Zakończono',
  startedBy: 'Kto rozpoczął',
  byItself: 'Usługa',
  commandLine: 'Wiersz poleceń',
  journals: 'Operacje',
  entries: 'Zapisy',
  problemList: 'Problemy',
} satisfies Translation<typeof en>;

import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { statementProblems } from '../../../../../../contract/codes/statements.ts';

export default {
  empty: () => 'Plik jest pusty.',
  format_unknown: () => 'Plik nie wygląda na camt.053, camt.054, pain.002 ani MT940.',
  version_unknown: ({ version }) => `Wersja ${version} nie jest obsługiwana.`,
  encoding_unknown: ({ encoding }) => `Kodowanie ${encoding} nie jest obsługiwane.`,
  encoding_other: ({ encoding }) => `Plik nie jest zakodowany w ${encoding}.`,
  xml_broken: ({ why }) => `Plik nie jest poprawnym XML: ${why}.`,
  doctype_refused: () => 'Plik deklaruje typ dokumentu (DOCTYPE). Pliki z banków tego nie robią: to może być atak.',
  text_too_long: () => 'Wartość albo cała pozycja jest dłuższa, niż pisze jakikolwiek bank.',
  nested_too_deep: () => 'Elementy są zagnieżdżone głębiej niż w plikach z banków.',
  truncated: () => 'Plik kończy się za wcześnie.',
  nothing_in_it: () => 'W pliku nie ma ani wyciągu, ani statusu płatności.',
  missing: ({ what }) => `Brakuje ${what}.`,
  misplaced: ({ what }) => `${what} jest w miejscu, na które format nie pozwala.`,
  twice: ({ what }) => `${what} występuje dwa razy.`,
  character_not_valid: ({ character }) =>
    `Plik ma znak ${character}, którego banki nie piszą: jest uszkodzony albo ma inne kodowanie.`,
  line_break_other: () => 'Jest w nim inny znak końca wiersza niż w pierwszym wierszu: mógłby być częścią tytułu.',
  not_valid: ({ what, value }) => `${what} to „${value}”, co nie jest poprawne.`,
  currency_not_kept: ({ currency }) => `Waluta to ${currency}; obsługiwane są tylko PLN i EUR.`,
  currency_differs: ({ currency, expected }) => `Kwota jest w ${currency}, a rachunek w ${expected}.`,
  sums_differ: ({ opening, lines, closing }) =>
    `Saldo początkowe (${opening}) i pozycje (razem ${lines}) nie dają salda końcowego (${closing}).`,
  entries_differ: ({ said, found }) => `Wyciąg mówi, że ma ${said} pozycji, a ma ich ${found}.`,
  part_missing: ({ part }) => `Wyciąg nie jest cały: w pliku nie ma ${part}.`,
  parts_differ: ({ expected, found }) =>
    `Strona wyciągu zaczyna się od ${found}, a poprzednia prowadzi do ${expected}.`,
  statement_twice: () => 'Plik ma dwa razy ten sam wyciąg.',
  too_many_statements: () => 'Plik ma więcej wyciągów, niż pisze jakikolwiek bank.',
  details_differ: ({ entry, details }) => `Pozycja ${entry} ma szczegóły, które dają razem ${details}.`,
  account_unknown: ({ account }) => `Rachunek z końcówką ${account} nie jest nasz.`,
  account_in_other_currency: ({ account, currency }) => `Rachunek z końcówką ${account} nie jest w ${currency}.`,
  statement_gap: ({ account, statement, expected, opening }) =>
    `Wyciąg ${statement} rachunku z końcówką ${account} zaczyna się od ${opening}, a poprzedni skończył się na ${expected}.`,
  statement_changed: ({ statement }) => `Wyciąg ${statement} wczytano już wcześniej, z innymi pozycjami.`,
  overtaken: () => 'W tym czasie wczytano inny plik tego rachunku.',
  interrupted: () => 'Proces, który czytał plik, się zakończył.',
} satisfies Sentences<typeof statementProblems>;

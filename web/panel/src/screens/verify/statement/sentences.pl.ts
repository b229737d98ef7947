import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { statementFaults } from '../../../../../../contract/codes/parking.ts';

export default {
  other_period: ({ count, place }) => `Wyciąg ma pozycje z innego okresu (${count}), pierwsza to pozycja ${place}.`,
  unreadable_lines: ({ count, place }) =>
    `Wyciąg ma pozycje, których nie można odczytać (${count}), pierwsza to pozycja ${place}.`,
  not_written: ({ count, key }) =>
    `Nie zapisano różnic w liczbie ${count}, pierwsza o kluczu ${key}; zobacz dziennik usługi.`,
  not_continued: () => 'Wyciąg się urywa.',
  lines_changed: () => 'Pozycje tego porównania zmieniono w bazie danych po ich odczytaniu.',
  taken_over: () => 'Porównanie przejął inny proces.',
  no_statement: () => 'Bank nie podał wyciągu.',
  process_ended: () => 'Proces się zakończył.',
  failed: () => 'Nie powiodło się; zobacz dziennik usługi.',
  repeated_lines: ({ count, key }) =>
    `Wyciąg wymienia dwukrotnie pozycje w liczbie ${count}, pierwszą o kluczu ${key}.`,
  unanswered: ({ count }) => `Bank nie odpowiedział w sprawie ${count} płatności lub zwrotów.`,
  run_damaged: () => 'Wiersz tego porównania jest uszkodzony: uruchom grosz verify.',
} satisfies Sentences<typeof statementFaults>;

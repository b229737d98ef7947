import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { statementFaults } from '../../../../../../contract/codes/parking.ts';

export default {
  other_period: () => 'Wyciąg ma pozycje z innego okresu.',
  not_continued: () => 'Wyciąg się urywa.',
  taken_over: () => 'Porównanie przejął inny proces.',
  no_statement: () => 'Bank nie podał wyciągu.',
  process_ended: () => 'Proces się zakończył.',
  failed: () => 'Nie powiodło się; zobacz dziennik usługi.',
  repeated_lines: ({ count, key }) =>
    `Wyciąg wymienia dwukrotnie pozycje w liczbie ${count}, pierwszą o kluczu ${key}.`,
  unanswered: ({ count }) => `Bank nie odpowiedział w sprawie ${count} płatności lub zwrotów.`,
} satisfies Sentences<typeof statementFaults>;

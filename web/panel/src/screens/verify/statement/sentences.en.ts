import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { statementFaults } from '../../../../../../contract/codes/parking.ts';

export default {
  other_period: () => 'The statement has lines of another period.',
  not_continued: () => 'The statement does not go on.',
  taken_over: () => 'Another run took over.',
  no_statement: () => 'The bank gave no statement.',
  process_ended: () => 'The process ended.',
  failed: () => 'It failed; see the log.',
  repeated_lines: ({ count, key }) => `The statement names ${count} of its lines twice, the first with key ${key}.`,
  unanswered: ({ count }) => `The bank did not answer about ${count} payments or refunds.`,
} satisfies Sentences<typeof statementFaults>;

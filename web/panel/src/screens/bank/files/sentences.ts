import type { statementProblems } from '../../../../../../contract/codes/statements.ts';
import { codeWords } from '../../../language/sentences.ts';

export const fileProblemWords = codeWords<typeof statementProblems>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

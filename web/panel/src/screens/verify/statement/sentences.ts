import type { statementFaults } from '../../../../../../contract/codes/parking.ts';
import { codeWords } from '../../../language/sentences.ts';

export const statementWords = codeWords<typeof statementFaults>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

import type { allocationFaults } from '../../../../../../contract/codes/statements.ts';
import { codeWords } from '../../../language/sentences.ts';

export const allocationFaultWords = codeWords<typeof allocationFaults>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

import type { decisionFaults } from '../../../../../../contract/codes/parking.ts';
import { codeWords } from '../../../language/sentences.ts';

export const decisionFaultWords = codeWords<typeof decisionFaults>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

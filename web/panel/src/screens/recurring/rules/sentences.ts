import type { scheduleCodes } from '../../../../../../contract/codes/schedule.ts';
import { codeWords } from '../../../language/sentences.ts';

export const ruleWords = codeWords<typeof scheduleCodes>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

import type { findings } from '../../../../../../contract/codes/findings.ts';
import { codeWords } from '../../../language/sentences.ts';

export const findingWords = codeWords<typeof findings>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

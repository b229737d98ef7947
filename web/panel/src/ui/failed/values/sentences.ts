import type { valueRules } from '../../../../../../contract/codes/values.ts';
import { codeWords } from '../../../language/sentences.ts';

export const valueWords = codeWords<typeof valueRules>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

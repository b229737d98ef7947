import type { domainResults } from '../../../../../../contract/codes/domains.ts';
import { codeWords } from '../../../language/sentences.ts';

export const domainCheckWords = codeWords<typeof domainResults>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

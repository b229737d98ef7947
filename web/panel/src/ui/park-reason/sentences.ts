import type { parkReasons } from '../../../../../contract/codes/parking.ts';
import { codeWords } from '../../language/sentences.ts';

export const parkReasonWords = codeWords<typeof parkReasons>(
  import.meta.glob('./sentences.*.ts', { eager: true, import: 'default' }),
);

import { historyWords } from '../../../../../../contract/codes/english/parking.ts';

export default historyWords;

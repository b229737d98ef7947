export { parkSentences as default } from '../../../../../contract/codes/english/parking.ts';

export { statementSentences as default } from '../../../../../../contract/codes/english/parking.ts';

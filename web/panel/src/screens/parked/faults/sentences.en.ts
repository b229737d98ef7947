export { decisionSentences as default } from '../../../../../../contract/codes/english/parking.ts';

export { allocationSentences as default } from '../../../../../../contract/codes/english/statements.ts';

export { statementSentences as default } from '../../../../../../contract/codes/english/statements.ts';

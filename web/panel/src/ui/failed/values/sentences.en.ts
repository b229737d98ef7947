export { valueSentences as default } from '../../../../../../contract/codes/english/values.ts';

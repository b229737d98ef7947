export { findingSentences as default } from '../../../../../../contract/codes/english/findings.ts';

export { domainSentences as default } from '../../../../../../contract/codes/english/domains.ts';

export { scheduleSentences as default } from '../../../../../../contract/codes/english/schedule.ts';

export { refundDeclineWords as default } from '../../../../../contract/codes/english/refund-declines.ts';

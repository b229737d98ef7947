// Settlements: for an account, every entry of its balance between two cuts of the chain of journals; `docs/api.md#settlements`.
// Endpoints L1 to L3.
// Owns: settlement, settlement_last, settlement_wanted, settlement_month.
// Guarantees: the settlements of an account have no gap and no overlap; opening and lines are the closing balance; a payout is
// the last line of the settlement that explains it; a settlement never changes.
// Never: moves money, or decides what a line means; a kind that it does not know is printed.
export { askSettlements } from './cut.ts';
export { answerLines, lineColumns, linesOf, pageOf, serializeLine } from './lines.ts';
export { openSettlements } from './open.ts';
export { listAccountIdsAfter, listTold, type Told } from './store/cut.ts';
export {
  findSettlement,
  findSettlementOfPayout,
  type Line,
  listSettlements,
  listSettlementsOfPayouts,
} from './store/read.ts';

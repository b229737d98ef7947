// Pages: what browsers see of the service. Owns no table.
// Promises: whatever merchants and payers wrote is shown as text; no page may be framed or runs a script that is not ours;
// one form of the pay page starts one attempt at most, in however many tabs and however often it is sent.
// Never: stores or logs card data; hands it on only through src/cards.

export { openPages } from './open.ts';

// Pages: what browsers see of the service. Owns no table.
// Guarantees: text from merchants and payers is shown as text; no page can be framed or runs a script that is not ours;
// one form of the pay page starts at most one attempt, in any number of tabs and however often it is sent.
// Never: stores or logs card data; passes it on only to src/cards.

export { sendDocument } from './document.ts';
export { Html, html } from './html.ts';
export { openPages } from './open.ts';
export { notFoundDocument } from './start.ts';

// Marketplace: one payment over several sellers of a partner, and its refunds by seller and by product. Endpoints M1 to
// M7. A marketplace transaction is a transaction with parts: paying, settling, canceling and returning a surplus are
// those of every transaction, and the bank gets one refund per request.
// Owns: no table. The parts are in transactions and refunds, which book them.
// Guarantees: nothing of one partner is visible to another; the parts sum up to the payment; a refund moves the money of
// all sellers concerned or of none.
export { type CartPart, listCart } from './cart.ts';
export { marketplaceFailureKeys } from './failures.ts';
export { openMarketplace } from './open.ts';
export { signPart } from './parts.ts';
export { quantityText } from './rules.ts';
export { verifyMarketplace } from './verify.ts';

// Marketplace: payments over several sellers of a partner. So far: the payment methods that sellers have in common.
// Guarantees: nothing of one partner is visible to another.
export { openMarketplace } from './open.ts';

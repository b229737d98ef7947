// The connector of Stripe: the port of an acquirer over the provider's server API (BLIK, Przelewy24, cards in its own
// fields, refunds, statement, events), with the official package. docs/stripe.md is its guide.
// Owns: stripe_account, stripe_charge, stripe_refund.
// Guarantees: a charge is one PaymentIntent, which is confirmed only after its id is stored; a refund is listed before it is
// sent; what an event says is asked for before it is passed on; no key and no data of payers is stored or logged.
// Never: shows a client secret to anybody, or takes the money of another account or mode for ours.
export { isOfMode, isPublishableKey, readLoopbackUrl, readSecretKey, readWebhookSecrets } from './keys.ts';
export { openStripe, type StripeConnector, type StripeOptions } from './open.ts';
export { stripeRoom } from './verify.ts';

// A fake of Stripe: the operations that a connector uses, over HTTP, with the provider's rules and its faults. For tests
// and for people without an account (docs/fake-stripe.md).
// Owns: its own SQLite file, or memory.
// Guarantees: objects have the fields of the official SDK's types; an effect and the response under its idempotency key
// are committed together; the same seed and requests give the same ids and faults.
// Never: imported by what serves real money. It stores no card number and no BLIK code.

export { type Permissions, usualPermissions } from './access.ts';
export { type BlikOutcome, blikOutcomes } from './blik.ts';
export type { ClockChange } from './clock.ts';
export type { WebhookEndpoint } from './events.ts';
export { type FaultKind, type FaultRule, faultKinds } from './faults.ts';
export type { AccountKeys } from './ids.ts';
export { serviceSettings } from './pages.ts';
export { Provider } from './provider.ts';
export { type FakeStripe, type FakeStripeOptions, openFakeStripe } from './server.ts';
export { type Settings, usualSettings } from './settings.ts';
export { currentVersion } from './world.ts';

// Notifications: the outbox, signatures, delivery and its log.
// Owns: event, delivery, endpoint_health, delivery_try, signing_key. Endpoints N1 to N4, /x509/*.pem.
// Promises: an event is written with the fact it tells; every event with an address is delivered, scheduled or visibly
// exhausted; every try of one event carries the same id; readers of GET /events miss nothing; an endpoint that hangs
// slows no other.
export type { EventType, NewEvent } from './outbox.ts';
export { eventTypes, insertEvents } from './outbox.ts';
export type { MarketplaceTold, Payload, RecurringTold, SavedCard, TransactionTold } from './payload.ts';
export { marketplaceNotification, recurringNotification, transactionNotification } from './payload.ts';

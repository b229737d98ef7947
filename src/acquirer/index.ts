// The acquirers, which move the money, behind one port (`port.ts`): those of the installation by name, which of them a new
// charge goes through, and any acquirer that speaks the protocol over HTTP.
// Owns: acquirer_route, acquirer_activity.
// Guarantees: requests are idempotent by key; every request ends by its deadline; an uncertain result is `unknown`,
// never a failure; nothing throws because of what the other side does; secrets are never logged; a row is the matter of
// the acquirer that it names.
// Never: chooses another acquirer for what one has begun.
export { absentAcquirer } from './absent.ts';
export {
  type Acquirers,
  type ChooseAcquirers,
  type OpenAcquirer,
  openAcquirers,
  type Waited,
} from './acquirers.ts';
export { Activity, type Behavior } from './activity.ts';
export { callbackPath, callbackSender, eventsPath, httpReceiver } from './callback.ts';
export { addRoute, removeRoute, routeStatusAt, routesOf } from './change-routes.ts';
export { type HttpAcquirer, neverConnected, openHttpAcquirer } from './http.ts';
export { signingKeysFrom } from './keys.ts';
export { offersFromWire, wireFromOffers } from './offers.ts';
export { openCallbacks } from './open.ts';
export * from './port.ts';
export {
  callbackFromWire,
  cancelFromWire,
  chargeFromWire,
  refundFromWire,
  statementFromWire,
  wireFromAnswer,
  wireFromCallback,
  wireFromStatementAnswer,
} from './protocol.ts';
export type { HandleCallback, RawCallback, Received, Receiver } from './receive.ts';
export { KnownRoutes } from './routes.ts';
export { isOffered, limitsOf, type RouteFacts, type RouteStatus } from './rules.ts';
export { shownOffers } from './shown-offers.ts';
export { type SigningKey, signAnswer, verifyRequest } from './signature.ts';
export { listActivity, type Route } from './store.ts';

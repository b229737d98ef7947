// The HTTP server: routes of the contract, validation, limits, failures, idempotency keys.
// Owns: idempotency_key.
// Guarantees: input is never coerced; a response with an idempotency key is written once; every request ends in time.
// Never: knows what an endpoint does.

export { prefersCsv } from './accept.ts';
export { addressKey, readTrustedProxies, type TrustedProxies } from './address.ts';
export { type Envelope, errorDocUrl, httpFailures, pageStatusOf } from './failures.ts';
export { type FileColumn, type FileOf, streamFile } from './file.ts';
export { headerText, isFromOwnPage, isOwnForm, readForm, refuseOtherBodies } from './form.ts';
export { type Answer, type Idempotency, type Once, onceIn, openIdempotency, type Run } from './idempotency/index.ts';
export { idempotencyRoom } from './idempotency/room.ts';
export { readJson } from './json.ts';
export { languageHeaderAtMost, preferredLanguage } from './language.ts';
export { AddressLimit, RateLimit } from './limits.ts';
export { isLocal } from './local.ts';
export { isStorable } from './look.ts';
export { refuseOtherMethods, refuseWrongMethod, routeOtherMethods } from './methods.ts';
export {
  Answered,
  type Authenticate,
  type Call,
  type Caller,
  type Client,
  type Identification,
  on,
  onChecked,
  onlyFor,
  type Question,
  type Route,
  Streamed,
  type TokenOwner,
} from './route.ts';
export { registerRoutes } from './routes.ts';
export { openServer } from './server.ts';
export { closest } from './suggest.ts';

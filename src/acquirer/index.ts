// The acquirer, which moves the money, behind one port (`port.ts`): any acquirer that speaks the protocol over HTTP.
// Owns: nothing in our database.
// Guarantees: requests are idempotent by key; every request ends by its deadline; an uncertain result is `unknown`,
// never a failure; nothing throws because of what the other side does; secrets are never logged.
export { callbackPath, callbackSender } from './callback.ts';
export type { HttpAcquirerOptions } from './http.ts';
export { openHttpAcquirer } from './http.ts';
export { signingKeysFrom } from './keys.ts';
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
export { type SigningKey, signAnswer, verifyRequest } from './signature.ts';

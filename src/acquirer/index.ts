// The acquirer, which moves the money, behind one port. The simulated bank here, or any other over HTTP.
// Owns: nothing in our database; the simulated bank has its own record.
// Promises: one thing for one key, however often it is asked; every request ends by its deadline; what is not known for
// certain is `unknown`, never a failure; nothing here throws for what the other side does; secrets are never logged.
export { callbackPath } from './callback.ts';
export type { BankHost, BankHostOptions } from './host.ts';
export { openBankHost } from './host.ts';
export type { HttpAcquirerOptions } from './http.ts';
export { openHttpAcquirer } from './http.ts';
export { signingKeysFrom } from './keys.ts';
export { openBank } from './open.ts';
export * from './port.ts';
export type { SigningKey } from './signature.ts';
export * from './simulator/index.ts';

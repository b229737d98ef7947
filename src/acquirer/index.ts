// The acquirer, which moves the money, behind one port: the simulated bank, or any acquirer over HTTP.
// Owns: nothing in our database; the simulated bank keeps its own record.
// Guarantees: requests are idempotent by key; every request ends by its deadline; an uncertain result is `unknown`,
// never a failure; nothing throws because of what the other side does; secrets are never logged.
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

export type { TrustedProxies } from './address.ts';
export { readTrustedProxies } from './address.ts';
export { errorDocUrl, listFailures, pageStatusOf, paymentFailed } from './failures.ts';
export { isOwnForm, readForm } from './form.ts';
export { AddressLimit, RateLimit } from './limits.ts';
export type { Authenticate, Call, Caller, Holder, Route } from './route.ts';
export { Answered, on, onChecked } from './route.ts';
export { refuseOtherMethods, registerRoutes } from './routes.ts';
export { openServer } from './server.ts';

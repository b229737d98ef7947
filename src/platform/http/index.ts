export { listFailures } from './failures.ts';
export { readForm } from './form.ts';
export { RateLimit } from './limits.ts';
export type { Authenticate, Call, Caller, Route } from './route.ts';
export { Answered, on } from './route.ts';
export { refuseOtherMethods, registerRoutes } from './routes.ts';
export { openServer } from './server.ts';

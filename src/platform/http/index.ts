export { listFailures } from './failures.ts';
export { RateLimit } from './limits.ts';
export type { Authenticate, Call, Caller, Route } from './routes.ts';
export { Answered, on, refuseOtherMethods, registerRoutes } from './routes.ts';
export { openServer } from './server.ts';

// Verifying the books: every room's part, all of it or what was made or moved since a moment, now or every hour.
// Owns: verify_run.
// Guarantees: one run at a time over all nodes, unless the command line starts it; a run that finds nothing is where the
// next one goes on; what was found stands until a run has read it again. Runs that ended are chained and signed.
// Never: changes what it verifies.
export { openVerification, type Verification } from './open.ts';
export { type Verified, type VerifyOptions, verifyBooks } from './run.ts';
export type { VerifyRun } from './store.ts';

// The sandbox: the clock that can be moved, demo data, faults of the simulated bank, /mail.
// Endpoints S1 to S4.
// Owns: sandbox_clock, demo.
// Never: runs in live mode.

export type { Move, Progress } from './advance.ts';
export { advance } from './advance.ts';
export { SandboxClock } from './clock.ts';
export type { DemoFile } from './demo.ts';
export { demoBaseUrl, demoCredential, demoFile, openDemo } from './demo.ts';
export { sandboxFailures } from './failures.ts';
export { clockShown } from './move.ts';
export { openSandbox } from './open.ts';

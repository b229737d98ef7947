// The sandbox: the clock that can be moved, demo data, faults of the simulated bank, the mail catcher with /mail.
// Endpoints S1 to S4.
// Owns: sandbox_clock, demo, caught_mail.
// Never: runs in live mode.

export type { Move, Progress } from './advance.ts';
export { advance, sandboxClockOf } from './advance.ts';
export { SandboxClock } from './clock.ts';
export type { DemoFile } from './demo.ts';
export { demoBaseUrl, demoCredential, openDemo } from './demo.ts';
export { openCaughtMail } from './mail/catcher.ts';
export { clockShown } from './move.ts';
export { openSandbox } from './open.ts';

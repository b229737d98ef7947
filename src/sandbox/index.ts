// The sandbox: demo data. Owns no table; the demo's ids stand in the installation's row.
// Never: runs in live mode.
export type { DemoFile } from './demo.ts';
export { openDemo } from './demo.ts';

// The panel: what people see and do in a browser. Its own endpoints (P1 up), and the routes of the API for signed-in people.
// Owns: panel_progress, panel_move, panel_day, panel_zone, panel_search, panel_view, request_log.
// Guarantees: kept sums agree with the ledger up to the seal that was read last; cards and secrets are masked before a
// request is logged.
// Never: writes a table of another room; what it changes goes through the routes of the API.
export { checkPanel } from './build.ts';
export { isMirrored, panelPath } from './mirror.ts';
export { openPanel } from './open.ts';

// The panel: users, sessions, second factors, roles, the audit log, and what only people need to see. P1 up.
// Owns: panel_user, panel_session, panel_passkey, panel_recovery_code, panel_link, panel_guess, audit_entry,
// panel_progress, panel_move, panel_day, panel_zone_change, panel_search, panel_search_new, panel_view,
// request_log, verify_run.
// Guarantees: passwords are stored as argon2id, sessions and links hashed; everything that a person changes is in the
// audit log before it happens, and the log is a chain of hashes; an account always has an active owner; an account of
// another caller looks as if it did not exist; kept sums agree with the ledger up to the seal that was read last.
// Never: writes a table of another room; what it changes goes through the routes of the API.
export { audited } from './audit/write.ts';
export { checkPanel } from './build.ts';
export type { Person } from './model.ts';
export { openPanel } from './open.ts';
export { findUserByEmail } from './session/store.ts';
export { demoPeople, openDemoPeople } from './users/demo.ts';
export { createUser, linkFor, type NewUser, setUserBlocked } from './users/manage.ts';
export { listUsersOf } from './users/store.ts';

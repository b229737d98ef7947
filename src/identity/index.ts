// Identity: the people who use the panel. Signing in, sessions, second factors, users with their roles, and the audit
// log of what they do.
// Owns: person, session, passkey, recovery_code, mail_link, sign_in_guess, audit_entry.
// Guarantees: passwords are stored as argon2id, sessions and links hashed; everything that a person changes is in the
// audit log before it happens, and the log is a chain of hashes; an account always has an active owner; an account of
// another caller looks as if it did not exist.
// Never: knows what a screen shows, or decides about money.

export { audited, recordAction } from './audit/record.ts';
export type { AuditRow } from './audit/rules.ts';
export { readAuditRow } from './audit/store.ts';
export { identityFailures, notAnOperator, userExists } from './failures.ts';
export { cut, maskedEncoded, maskedUrl, withoutSecrets } from './mask.ts';
export { accountOf, actorOf, type Person } from './model.ts';
export { type Identity, openIdentity } from './open.ts';
export { type Confirmation, type Confirmed, confirmOperator, confirmOwner } from './session/confirm.ts';
export { findUserByEmail } from './session/store.ts';
export { subjectOf } from './subject.ts';
export type { IdentityTools } from './tools.ts';
export { addOwner, createUser, linkFor, refuseUserExists, setPassword, setUserBlocked } from './users/manage.ts';
export { listUsersOf } from './users/store.ts';
export { type Viewer, viewerOf, watchingOf } from './watching.ts';
export { done } from './wire.ts';

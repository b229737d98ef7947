// The tables of identity, column by column.

import type { UserRole } from '../../contract/identity/roles.ts';
import type { PanelLanguage } from '../../contract/languages.ts';
import { bigint, boolean, bytes, instant, nullable, table, text, textAs } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';

export const userTable = table('person', {
  id: text,
  accountId: nullable(textAs<AccountId>()),
  email: text,
  name: text,
  role: textAs<UserRole>(),
  language: textAs<PanelLanguage>(),
  passwordHash: nullable(text),
  totpSealed: nullable(text),
  totpNewSealed: nullable(text),
  totpStep: bigint,
  blockedAt: nullable(instant),
  createdAt: instant,
  modifiedAt: instant,
});

export const sessionTable = table('session', {
  id: text,
  userId: text,
  tokenHash: bytes,
  complete: boolean,
  challenge: nullable(text),
  address: text,
  userAgent: text,
  createdAt: instant,
  seenAt: instant,
  expiresAt: instant,
});

export const passkeyTable = table('passkey', {
  id: text,
  userId: text,
  credentialId: text,
  publicKey: bytes,
  counter: bigint,
  name: text,
  createdAt: instant,
  usedAt: nullable(instant),
});

export const recoveryCodeTable = table('recovery_code', {
  userId: text,
  codeMac: text,
});

export type LinkPurpose = 'invitation' | 'reset';

export const linkTable = table('mail_link', {
  tokenHash: bytes,
  userId: text,
  purpose: textAs<LinkPurpose>(),
  createdAt: instant,
  expiresAt: instant,
});

export const guessTable = table('sign_in_guess', {
  id: text,
  subject: text,
  guessedAt: instant,
});

export const auditTable = table('audit_entry', {
  position: bigint,
  ofPosition: nullable(bigint),
  at: instant,
  userId: nullable(text),
  email: text,
  accountId: nullable(text),
  action: text,
  target: text,
  subjectId: nullable(text),
  details: text,
  outcome: nullable(text),
  address: text,
  userAgent: text,
  hash: bytes,
});

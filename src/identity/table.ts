// The tables of identity, column by column.

import type { PanelLanguage, PanelRole } from '../../contract/panel/shared.ts';
import { bigint, boolean, bytes, instant, nullable, table, text, textAs } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';

export const userTable = table('panel_user', {
  id: text,
  accountId: nullable(textAs<AccountId>()),
  email: text,
  name: text,
  role: textAs<PanelRole>(),
  language: textAs<PanelLanguage>(),
  passwordHash: nullable(text),
  totpSealed: nullable(text),
  totpNewSealed: nullable(text),
  totpStep: bigint,
  blockedAt: nullable(instant),
  createdAt: instant,
  modifiedAt: instant,
});

export const sessionTable = table('panel_session', {
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

export const passkeyTable = table('panel_passkey', {
  id: text,
  userId: text,
  credentialId: text,
  publicKey: bytes,
  counter: bigint,
  name: text,
  createdAt: instant,
  usedAt: nullable(instant),
});

export const recoveryCodeTable = table('panel_recovery_code', {
  userId: text,
  codeMac: text,
});

export type LinkPurpose = 'invitation' | 'reset';

export const linkTable = table('panel_link', {
  tokenHash: bytes,
  userId: text,
  purpose: textAs<LinkPurpose>(),
  createdAt: instant,
  expiresAt: instant,
});

export const guessTable = table('panel_guess', {
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

// Codes of an authenticator app (TOTP), and recovery codes. Each code works once.

import { Secret as OtpSecret, TOTP } from 'otpauth';
import type { Sql } from '../../database/index.ts';
import type { Client } from '../../http/index.ts';
import { refuse, Secret } from '../../kernel/index.ts';
import { randomText } from '../../runtime/index.ts';
import { secondFactorExists, wrongCode } from '../failures.ts';
import type { Person, Session, User } from '../model.ts';
import type { IdentityTools } from '../tools.ts';
import { codeLimits, confirmLimits, guess, unguessableLimits } from './guesses.ts';
import { completeSignIn, recordSignIn, type SignedIn } from './sign-in.ts';
import { deleteRecoveryCode, listRecoveryCodes, lockUser, replaceRecoveryCodes, updateUser } from './store.ts';

const period = 30;
const sixDigits = /^\d{6}$/;
const purpose = (userId: string) => `panel totp ${userId}`;
const recoveryPurpose = 'panel recovery code';
const recoveryCodes = 10;
const secretBytes = 20;

function totpOf(secret: Secret, email: string): TOTP {
  return new TOTP({ issuer: 'Grosz', label: email, secret: OtpSecret.fromBase32(secret.reveal()), period });
}

/** The time step of a right code; undefined for a wrong one. Accepts one step before and after, for slow clocks. */
function stepOf(totp: TOTP, code: string, now: Temporal.Instant): bigint | undefined {
  if (!sixDigits.test(code)) return undefined;
  const timestamp = now.epochMilliseconds;
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? undefined : BigInt(Math.floor(timestamp / 1_000 / period) + delta);
}

/** Begins to set up an app: the secret counts once a code of it was given. */
export async function beginTotp(tools: IdentityTools, { user }: Person): Promise<{ secret: string; uri: string }> {
  const bytes = new Uint8Array(tools.random.bytes(secretBytes));
  const secret = new Secret(new OtpSecret({ buffer: bytes.buffer }).base32);
  await changeUser(tools, user.id, (row) => {
    if (row.totpSealed !== null) refuse(secondFactorExists);
    return { ...row, totpNewSealed: tools.vault.seal(secret, purpose(user.id)) };
  });
  return { secret: secret.reveal(), uri: totpOf(secret, user.email).toString() };
}

/** Confirms the app with its first code; returns the recovery codes, which are shown once. */
export async function confirmTotp(tools: IdentityTools, { user }: Person, code: string): Promise<string[]> {
  return guess(tools, confirmLimits(user.id), () =>
    tools.db.atomic(async (sql) => {
      const row = (await lockUser(sql, user.id)) ?? refuse('not_found');
      if (row.totpNewSealed === null || row.totpSealed !== null) return refuse(secondFactorExists);
      const secret = tools.vault.open(row.totpNewSealed, purpose(user.id));
      const step = stepOf(totpOf(secret, row.email), code, tools.wall.now()) ?? refuse(wrongCode, 'code');
      const modifiedAt = tools.wall.now();
      await updateUser(sql, {
        ...row,
        totpSealed: row.totpNewSealed,
        totpNewSealed: null,
        totpStep: step,
        modifiedAt,
      });
      return giveRecoveryCodes(tools, sql, user.id);
    }),
  );
}

async function giveRecoveryCodes({ random, vault }: IdentityTools, sql: Sql, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => recoveryCode(randomText(random, 24)));
  await replaceRecoveryCodes(
    sql,
    userId,
    codes.map((code) => vault.mac(plainCode(code), recoveryPurpose)),
  );
  return codes;
}

/** Twelve letters and digits in groups: 60 bits. */
function recoveryCode(drawn: string): string {
  const letters = drawn
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .padEnd(12, '7')
    .slice(0, 12);
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
}

function plainCode(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

export async function removeTotp(tools: IdentityTools, { user }: Person): Promise<void> {
  await tools.db.atomic(async (sql) => {
    const row = (await lockUser(sql, user.id)) ?? refuse('not_found');
    await updateUser(sql, { ...row, totpSealed: null, totpNewSealed: null, modifiedAt: tools.wall.now() });
    await replaceRecoveryCodes(sql, user.id, []);
  });
}

/** The second step by a code. */
export async function signInByCode(
  tools: IdentityTools,
  { session, user }: { readonly session: Session; readonly user: User },
  code: string,
  client: Client,
): Promise<SignedIn> {
  const limitsOf = sixDigits.test(code) ? codeLimits : unguessableLimits;
  await guess(tools, limitsOf(tools, user.email, client), async () => {
    if (await tools.db.atomic((sql) => spendCode(tools, sql, user.id, code))) return;
    await recordSignIn(tools, { email: user.email, user, client }, 'wrong_code');
    refuse(wrongCode, 'code');
  });
  return completeSignIn(tools, session, user, client);
}

/** Whether the code is right, and not used before. */
export async function spendCode(tools: IdentityTools, sql: Sql, userId: string, code: string): Promise<boolean> {
  const row = await lockUser(sql, userId);
  if (!row || row.totpSealed === null) return false;
  const totp = totpOf(tools.vault.open(row.totpSealed, purpose(userId)), row.email);
  const step = stepOf(totp, code, tools.wall.now());
  if (step !== undefined && step > row.totpStep) {
    await updateUser(sql, { ...row, totpStep: step });
    return true;
  }
  const macs = await listRecoveryCodes(sql, userId);
  const used = macs.find((mac) => tools.vault.isMacOf(mac, plainCode(code), recoveryPurpose));
  return used !== undefined && deleteRecoveryCode(sql, userId, used);
}

async function changeUser(tools: IdentityTools, id: string, change: (row: User) => User): Promise<void> {
  await tools.db.atomic(async (sql) => {
    const row = (await lockUser(sql, id)) ?? refuse('not_found');
    await updateUser(sql, { ...change(row), modifiedAt: tools.wall.now() });
  });
}

// Passkeys (WebAuthn) as the second factor.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { brokenUnique } from '../../database/index.ts';
import type { Client } from '../../http/index.ts';
import { refuse } from '../../kernel/index.ts';
import { secondFactorExists, wrongCode } from '../failures.ts';
import { isOwnOrigin } from '../guard.ts';
import type { Person, Session, User } from '../model.ts';
import type { IdentityTools } from '../tools.ts';
import { guess, unguessableLimits } from './guesses.ts';
import { completeSignIn, recordSignIn, type SignedIn } from './sign-in.ts';
import {
  consumeChallenge,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  lockUser,
  markPasskeyUsed,
  setChallenge,
} from './store.ts';

const passkeysAtMost = 20;

/** Loaded when somebody uses a passkey: it takes a third of a second. */
const webAuthn = () => import('@simplewebauthn/server');

/** The page's origin and its host, to which passkeys are bound: on this machine `localhost` counts too. */
function partyOf({ config }: IdentityTools, { origin }: Client): { origin: string; rpID: string } {
  const own = origin !== undefined && isOwnOrigin(config.baseUrl, origin) ? origin : config.baseUrl;
  const { origin: expected, hostname } = new URL(own);
  return { origin: expected, rpID: hostname };
}

export async function passkeyOptions(tools: IdentityTools, { user, session }: Person, client: Client): Promise<object> {
  const known = await listPasskeys(tools.db.sql, user.id);
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Grosz',
    rpID: partyOf(tools, client).rpID,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  await setChallenge(tools.db.sql, session.id, options.challenge);
  return options;
}

/** Adds a passkey that the browser made for the options of this session. */
export async function addPasskey(
  tools: IdentityTools,
  { user, session }: Person,
  { name, response }: { readonly name: string; readonly response: unknown },
  client: Client,
): Promise<string> {
  const challenge = (await consumeChallenge(tools.db.sql, session.id)) ?? refuse(wrongCode, 'response');
  const party = partyOf(tools, client);
  const { verifyRegistrationResponse } = await webAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.rpID,
    requireUserVerification: false,
  }).catch(() => refuse(wrongCode, 'response'));
  if (!verified || !registrationInfo) return refuse(wrongCode, 'response');
  const { credential } = registrationInfo;
  const id = tools.ids.ulid();
  await tools.db
    .atomic(async (sql) => {
      await lockUser(sql, user.id);
      const known = await listPasskeys(sql, user.id);
      if (known.length >= passkeysAtMost) refuse('too_many', '', `At most ${passkeysAtMost} passkeys.`);
      if (known.some(({ credentialId }) => credentialId === credential.id)) refuse(secondFactorExists);
      await insertPasskey(sql, {
        id,
        userId: user.id,
        credentialId: credential.id,
        publicKey: credential.publicKey,
        counter: BigInt(credential.counter),
        name,
        createdAt: tools.wall.now(),
        usedAt: null,
      });
    })
    .catch(refusingKnown);
  return id;
}

/** Another user has it. */
function refusingKnown(error: unknown): never {
  if (brokenUnique(error) === 'passkey_credential_id_key') refuse(secondFactorExists);
  throw error;
}

export async function removePasskey(tools: IdentityTools, { user }: Person, id: string): Promise<void> {
  if (!(await deletePasskey(tools.db.sql, user.id, id))) refuse('not_found');
}

type Pending = { readonly session: Session; readonly user: User };

export async function signInOptions(tools: IdentityTools, { session, user }: Pending, client: Client): Promise<object> {
  const known = await listPasskeys(tools.db.sql, user.id);
  if (known.length === 0) refuse(wrongCode);
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: partyOf(tools, client).rpID,
    allowCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    userVerification: 'preferred',
  });
  await setChallenge(tools.db.sql, session.id, options.challenge);
  return options;
}

/** The second step by a passkey. */
export async function signInByPasskey(
  tools: IdentityTools,
  { session, user }: Pending,
  response: unknown,
  client: Client,
): Promise<SignedIn> {
  await guess(tools, unguessableLimits(tools, user.email, client), async () => {
    if (await isRight(tools, { session, user }, response as AuthenticationResponseJSON, client)) return;
    await recordSignIn(tools, { email: user.email, user, client }, 'wrong_code');
    refuse(wrongCode, 'response');
  });
  return completeSignIn(tools, session, user, client);
}

async function isRight(
  tools: IdentityTools,
  { session, user }: Pending,
  response: AuthenticationResponseJSON,
  client: Client,
): Promise<boolean> {
  const challenge = await consumeChallenge(tools.db.sql, session.id);
  const passkey = (await listPasskeys(tools.db.sql, user.id)).find(({ credentialId }) => credentialId === response.id);
  if (challenge === undefined || !passkey) return false;
  const party = partyOf(tools, client);
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.rpID,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    requireUserVerification: false,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) return false;
  await markPasskeyUsed(tools.db.sql, passkey.id, BigInt(authenticationInfo.newCounter), tools.wall.now());
  return true;
}

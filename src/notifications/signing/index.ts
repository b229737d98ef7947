// The keys that sign notifications: created at the first start, stored encrypted in the database, shared by all nodes.

import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Sql } from '../../database/index.ts';
import { refuseOtherMethods } from '../../http/index.ts';
import { Secret } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { endsBefore, type KeyWithCertificate, type MakeKeys, makeLeaf, makeRoot, makeRsaKeys } from './certificates.ts';
import {
  insertSigningKey,
  type KeyPurpose,
  listLiveKeys,
  lockSigningKeys,
  retireSigningKey,
  type SigningKeyRow,
} from './store.ts';
import { timestampOf } from './webhook.ts';

export type { MakeKeys } from './certificates.ts';
export { makeRsaKeys } from './certificates.ts';

export interface Signing {
  /** The signing certificate, followed by its issuer. */
  readonly notificationsPem: string;
  readonly rootPem: string;
  /** `X-JWS-Signature`: a compact JWS over these bytes with a detached payload. Runs in the thread pool. */
  signDetached(body: Uint8Array, names: SignedNames): Promise<string>;
}

/**
 * Named in the signed header, so that a genuine notification cannot be replayed for another merchant or as a new one.
 */
export interface SignedNames {
  readonly merchantId: string;
  /** The `webhook-id`. */
  readonly eventId: string;
  /** The `webhook-timestamp`; different in each attempt. */
  readonly at: Temporal.Instant;
}

export type SigningTools = Pick<Tools, 'db' | 'vault' | 'wall' | 'ids' | 'config'>;

const notificationsPath = '/x509/notifications-jws.pem';
const rootPath = '/x509/root.pem';
/** A certificate that expires sooner than this is replaced at startup. */
const renewedBefore = { hours: 24 * 60 };

/** Returns the live keys; creates them if there are none, once, however many nodes start at the same time. */
export async function openSigning(tools: SigningTools, makeKeys: MakeKeys = makeRsaKeys): Promise<Signing> {
  const renewBy = tools.wall.now().add(renewedBefore);
  const known = await listLiveKeys(tools.db.sql);
  const fit = known.length === 2 && !known.some((key) => endsBefore(key.certificatePem, renewBy));
  const keys = fit ? known : await tools.db.atomic((sql) => makeMissing(tools, sql, makeKeys, renewBy));
  const root = keyOf(keys, 'root');
  const leaf = keyOf(keys, 'notifications');
  const { baseUrl, notificationCertificateUrl } = tools.config;
  const privateKey = createPrivateKey(tools.vault.open(leaf.privateKeySealed, sealPurpose(leaf.id)).reveal());
  return {
    notificationsPem: `${leaf.certificatePem.trimEnd()}\n${root.certificatePem.trimEnd()}\n`,
    rootPem: `${root.certificatePem.trimEnd()}\n`,
    signDetached: detachedSigner(privateKey, notificationCertificateUrl ?? `${baseUrl}${notificationsPath}`),
  };
}

function keyOf(keys: readonly SigningKeyRow[], purpose: KeyPurpose): SigningKeyRow {
  const found = keys.find((key) => key.purpose === purpose);
  if (!found) throw new Error(`There is no ${purpose} key.`);
  return found;
}

function sealPurpose(id: string): string {
  return `signing key ${id}`;
}

/** Under the lock, so that a second node finds the keys of the first. A new root requires a new leaf. */
async function makeMissing(
  tools: SigningTools,
  sql: Sql,
  makeKeys: MakeKeys,
  renewBy: Temporal.Instant,
): Promise<SigningKeyRow[]> {
  await lockSigningKeys(sql);
  const now = tools.wall.now();
  const found = await listLiveKeys(sql);
  const lasting = found.filter((key) => !endsBefore(key.certificatePem, renewBy));
  let root = lasting.find((key) => key.purpose === 'root');
  let leaf = root && lasting.find((key) => key.purpose === 'notifications');
  for (const key of found) if (key !== root && key !== leaf) await retireSigningKey(sql, key.id, now);
  if (!root) root = await keep(tools, sql, 'root', await makeRoot(makeKeys, serial(tools), now));
  if (!leaf) {
    const privateKeyPem = tools.vault.open(root.privateKeySealed, sealPurpose(root.id)).reveal();
    const issuer = { privateKeyPem, certificatePem: root.certificatePem };
    leaf = await keep(tools, sql, 'notifications', await makeLeaf(makeKeys, issuer, serial(tools), now));
  }
  return [root, leaf];
}

/** A unique positive number of at most 20 bytes. */
function serial(tools: SigningTools): string {
  return `01${Buffer.from(tools.ids.ulid().slice(-15)).toString('hex')}`;
}

async function keep(
  tools: SigningTools,
  sql: Sql,
  purpose: KeyPurpose,
  made: KeyWithCertificate,
): Promise<SigningKeyRow> {
  const id = tools.ids.ulid();
  const privateKeySealed = tools.vault.seal(new Secret(made.privateKeyPem), sealPurpose(id));
  const { certificatePem } = made;
  const row = { id, purpose, privateKeySealed, certificatePem, createdAt: tools.wall.now(), retiredAt: null };
  await insertSigningKey(sql, row);
  return row;
}

function detachedSigner(key: KeyObject, x5u: string): Signing['signDetached'] {
  return (body, { merchantId, eventId, at }) =>
    new Promise((resolve, reject) => {
      const names = { alg: 'RS256', x5u, mid: merchantId, jti: eventId, iat: timestampOf(at) };
      const header = Buffer.from(JSON.stringify(names)).toString('base64url');
      const payload = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64url');
      sign('sha256', Buffer.from(`${header}.${payload}`), key, (error, signature) => {
        if (error) reject(error);
        else resolve(`${header}..${signature.toString('base64url')}`);
      });
    });
}

/** Serves the certificates that receivers verify with. */
export function registerCertificates(app: FastifyInstance, signing: Signing): void {
  for (const [path, pem] of [
    [notificationsPath, signing.notificationsPem],
    [rootPath, signing.rootPem],
  ] as const) {
    app.get(path, async (_request, reply) =>
      reply.type('application/x-pem-file').header('cache-control', 'public, max-age=300').send(pem),
    );
    refuseOtherMethods(app, path, ['GET']);
  }
}

// Reads the operator's wallet configuration from the files named in the settings. If any of them is invalid, the
// service does not start; if a certificate has only expired, it starts without wallet payments on the web.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { notValid } from '../../contract/codes/english/values.ts';
import { readPem, writePem } from '../asn1/index.ts';
import { Secret, Unavailable } from '../kernel/index.ts';
import type { ClientIdentity } from '../outbound/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { certificateRules, checkProcessingCertificate } from './certificates/check.ts';
import { publicKeyOf } from './certificates/request.ts';
import { walletUnavailable } from './failures.ts';
import type { Expiring, OwnIdentifier, WalletSetup } from './model.ts';
import { publicKeyHash } from './x509/certificate.ts';
import { readRoots, type TrustedRoot } from './x509/roots.ts';

type SetupTools = Pick<Tools, 'config' | 'wall' | 'log'>;

/** Reads what is configured; the rest is undefined or empty. */
export async function readSetup(tools: SetupTools): Promise<WalletSetup> {
  const { roots, hosts, tlsCa } = tools.config.wallet;
  return {
    roots: roots === undefined ? [] : await readRootFile(roots),
    hosts: () => hosts,
    tlsCa: tlsCa === undefined ? undefined : await readAuthorities(tlsCa),
    ...(await readOwn(tools)),
  };
}

async function readRootFile(path: string): Promise<readonly TrustedRoot[]> {
  const roots = readRoots(await readSetting('WALLET_ROOTS', path));
  if ('fault' in roots) throw new StartFault(`WALLET_ROOTS: ${path} is not usable. ${roots.fault}`);
  return roots;
}

/**
 * No `own` if a certificate has expired: a node that restarts must not refuse every other way to pay because nobody
 * replaced it.
 */
async function readOwn({ config, wall, log }: SetupTools): Promise<Pick<WalletSetup, 'own' | 'expired'>> {
  const { web } = config.wallet;
  if (!web) return { own: undefined, expired: [] };
  const { merchantIdentifier } = web;
  const processing = readKeyAndCertificate('WALLET_PROCESSING', await readSetting('WALLET_PROCESSING', web.processing));
  const privateKey = createPrivateKey(processing.privateKey.reveal());
  const publicKey = publicKeyOf(privateKey);
  const now = wall.now();
  const checked = checkProcessingCertificate(processing.certificate, { merchantIdentifier, publicKey }, now);
  const unusable = (why: string, cause?: unknown) =>
    new StartFault(`WALLET_PROCESSING: ${web.processing} is not usable. ${why}`, { cause });
  if ('faults' in checked && checked.faults.some((fault) => fault !== 'expired'))
    throw unusable(checked.faults.map((fault) => notValid('', certificateRules[fault]).message).join(' '));
  const association = Buffer.from(await readSetting('WALLET_ASSOCIATION', web.association));
  if (association.toString().trim() === '') throw new StartFault(`WALLET_ASSOCIATION: ${web.association} is empty.`);
  const identity = await readIdentity(web.identity);
  const expired: Expiring[] = [];
  const end = (setting: string, certificateId: string, expiresAt: Temporal.Instant) => {
    log.error({ setting }, 'the certificate has expired: wallet payments on the web are off until it is replaced');
    expired.push({ certificateId, merchantId: null, merchantIdentifier, expiresAt });
  };
  if ('faults' in checked) {
    const leaf = readLeaf(processing.certificate, (cause) => unusable('The certificate cannot be read.', cause));
    end('WALLET_PROCESSING', 'service', leaf.validToDate.toTemporalInstant());
  }
  if (Temporal.Instant.compare(identity.identityExpiresAt, now) < 0)
    end('WALLET_IDENTITY', 'identity', identity.identityExpiresAt);
  if ('faults' in checked || expired.length > 0) return { own: undefined, expired };
  const certificate = ownCertificate(privateKey, publicKey, checked.merchantIdentifierHash);
  const { expiresAt } = checked;
  return { own: { merchantIdentifier, certificate, publicKey, expiresAt, association, ...identity }, expired };
}

/** Node ignores what is not a certificate, so that every connection would fail. */
async function readAuthorities(path: string): Promise<string> {
  const text = await readSetting('WALLET_TLS_CA', path);
  if (readPem(text).some(({ label }) => label === 'CERTIFICATE')) return text;
  throw new StartFault(`WALLET_TLS_CA: ${path} contains no certificate in PEM.`);
}

async function readIdentity(path: string): Promise<Pick<OwnIdentifier, 'identity' | 'identityExpiresAt'>> {
  const identity = readKeyAndCertificate('WALLET_IDENTITY', await readSetting('WALLET_IDENTITY', path));
  const unusable = (why: string, cause?: unknown) =>
    new StartFault(`WALLET_IDENTITY: ${path} is not usable. ${why}`, { cause });
  const certificate = readLeaf(identity.certificate, (cause) => unusable('The certificate cannot be read.', cause));
  if (!certificate.checkPrivateKey(createPrivateKey(identity.privateKey.reveal())))
    throw unusable('The first certificate is for another key.');
  return { identity, identityExpiresAt: certificate.validToDate.toTemporalInstant() };
}

function readLeaf(pem: string, fault: (cause: unknown) => StartFault): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw fault(error);
  }
}

/** Long enough to avoid constant retries; only the operator can change it. */
const notSetUpSeconds = 3_600;

/** The service's own identifier, for what needs it. */
export function neededOwn({ own }: Pick<WalletSetup, 'own'>): OwnIdentifier {
  if (own) return own;
  const fix = 'Ask the operator of the service: there is nothing that you can change.';
  throw new Unavailable(walletUnavailable, 'Wallet payments on the web are not set up here.', notSetUpSeconds, fix);
}

export function ownCertificate(privateKey: KeyObject, publicKey: Buffer, merchantIdentifierHash: Buffer) {
  return { certificateId: 'service', publicKeyHash: publicKeyHash(publicKey), privateKey, merchantIdentifierHash };
}

async function readSetting(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new StartFault(`${name}: ${path} cannot be read.`, { cause: error });
  }
}

/** A PEM file with one private key and its certificate first. */
function readKeyAndCertificate(name: string, text: string): ClientIdentity {
  const blocks = readPem(text);
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE');
  const [key] = keys;
  if (!key || keys.length > 1 || certificates.length === 0)
    throw new StartFault(`${name} must be a PEM file with one private key and its certificate.`);
  try {
    const privateKey = createPrivateKey(writePem(key.label, key.der)).export({ type: 'pkcs8', format: 'pem' });
    const certificate = certificates.map(({ der }) => writePem('CERTIFICATE', der)).join('');
    return { privateKey: new Secret(privateKey), certificate };
  } catch (error) {
    throw new StartFault(`${name}: the private key cannot be read. It must not have a passphrase.`, { cause: error });
  }
}

// The simulated vendor as the sandbox runs it: the same on every node, because everything comes from the vault's key. It
// validates merchants over mutual TLS at a port of its own, which opens when a device first needs it.

import { createHash } from 'node:crypto';
import type { HostAndPort } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { hashOfIdentifier } from './certificates/check.ts';
import type { OwnIdentifier } from './model.ts';
import { ownCertificate } from './setup.ts';
import { associationFile } from './vendor/association.ts';
import { keyFrom } from './vendor/keys.ts';
import { startValidationServer, type ValidationServer } from './vendor/validation-server.ts';
import { openVendor, type Vendor } from './vendor/vendor.ts';
import { readRoots, type TrustedRoot } from './x509/roots.ts';

type VendorTools = Pick<Tools, 'config' | 'vault' | 'wall' | 'random' | 'log'>;

const hostName = 'localhost';
const sessionPath = '/paymentservices/startSession';

/** The service's identifier at the simulated vendor. */
const ownIdentifier = 'merchant.grosz.sandbox';

export interface SimulatedVendor {
  readonly vendor: Vendor;
  readonly roots: readonly TrustedRoot[];
  /** The service's own identifier, unless the operator configured one. */
  readonly own: OwnIdentifier;
  /** None while its port is not known yet. */
  hosts(): readonly HostAndPort[];
  isHost(url: string): boolean;
  /** Where a backend asks for a session, once the server runs. */
  validationUrl(): Promise<string>;
  /** How the server answers from now on, for tests. */
  server(): Promise<ValidationServer | undefined>;
  close(): Promise<void>;
}

export function openSimulatedVendor(tools: VendorTools, configured: OwnIdentifier | undefined): SimulatedVendor {
  const { config, wall, random, log } = tools;
  const seed = createHash('sha256').update(tools.vault.mac('seed', 'simulated wallet vendor')).digest();
  const vendor = openVendor(seed);
  const roots = readRoots(vendor.rootPem);
  if ('fault' in roots) throw new Error(roots.fault);
  const own = configured
    ? { ...configured, identity: vendor.issueIdentity(configured.merchantIdentifier, wall.now()) }
    : ownAt(vendor, wall.now());
  let port = config.wallet.vendorPort;
  let starting: Promise<ValidationServer | undefined> | undefined;

  /** Another process of this machine may have the port: it is the same vendor. */
  async function start(): Promise<ValidationServer | undefined> {
    try {
      const server = await startValidationServer({ vendor, clock: wall, random, port, hostName });
      port = server.port;
      return server;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      log.info({ port }, 'the simulated wallet vendor runs in another process');
      return undefined;
    }
  }
  function server(): Promise<ValidationServer | undefined> {
    starting ??= start();
    return starting;
  }
  return {
    vendor,
    roots,
    own,
    hosts: () => (port === 0 ? [] : [{ host: hostName, port }]),
    isHost: (url) => port !== 0 && url.startsWith(`https://${hostName}:${port}/`),
    async validationUrl() {
      await server();
      return `https://${hostName}:${port}${sessionPath}`;
    },
    server,
    close: async () => (await starting?.catch(() => undefined))?.close(),
  };
}

/** A key from the vendor's seed, so that every node decrypts what any node's device was given. */
function ownAt(vendor: Vendor, at: Temporal.Instant): OwnIdentifier {
  const { privateKey, publicKey } = keyFrom(vendor.seed, 'payment-processing key of the service');
  const hash = hashOfIdentifier(ownIdentifier);
  return {
    merchantIdentifier: ownIdentifier,
    certificate: ownCertificate(privateKey, publicKey, hash),
    publicKey,
    expiresAt: at.add({ hours: 24 * 365 }),
    association: Buffer.from(associationFile(vendor, ownIdentifier)),
    identity: vendor.issueIdentity(ownIdentifier, at),
  };
}

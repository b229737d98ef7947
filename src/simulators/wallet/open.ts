// The simulated vendor as the sandbox runs it: the same on every node, because everything is derived from the vault's
// key. It validates merchants over mutual TLS on its own port, which opens when a device first needs it.

import { createHash } from 'node:crypto';
import { connect } from 'node:tls';
import type { Tools } from '../../tools.ts';
import {
  hashOfIdentifier,
  type OwnIdentifier,
  ownCertificate,
  readRoots,
  type VendorBeside,
} from '../../wallet/index.ts';
import { associationFile } from './association.ts';
import { keyFrom } from './keys.ts';
import { deviceScriptPath } from './paths.ts';
import { startValidationServer, type ValidationServer } from './validation-server.ts';
import { openVendor, type Vendor, vendorValidity } from './vendor.ts';

type VendorTools = Pick<Tools, 'config' | 'vault' | 'wall' | 'random' | 'log'>;

const hostName = 'localhost';
const sessionPath = '/paymentservices/startSession';

/** The service's identifier at the simulated vendor. */
const ownIdentifier = 'merchant.grosz.sandbox';

export interface SimulatedVendor extends VendorBeside {
  readonly vendor: Vendor;
  /** Where a backend requests a session, once the server runs. */
  validationUrl(): Promise<string>;
  /** The server, for tests that change how it responds. */
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

  /** Another node on this machine may have the port and be the same vendor; anything else there is avoided. */
  async function start(): Promise<ValidationServer | undefined> {
    const server = await listenAt(port);
    if (server) return server;
    if (await isVendorAt(port, vendor)) return undefined;
    log.warn(
      { port },
      'the port of the simulated wallet vendor is in use, so it takes another: set WALLET_VENDOR_PORT',
    );
    return listenAt(0);
  }
  async function listenAt(wanted: number): Promise<ValidationServer | undefined> {
    try {
      const server = await startValidationServer({ vendor, clock: wall, random, port: wanted, hostName });
      port = server.port;
      return server;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
      throw error;
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
    authority: vendor.rootPem,
    script: deviceScriptPath,
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

/** Whether the server at the port has a certificate of this vendor. */
function isVendorAt(port: number, { rootPem }: Vendor): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: hostName, ca: rootPem, timeout: 2_000 });
    const end = (isVendor: boolean) => {
      socket.destroy();
      resolve(isVendor);
    };
    socket.once('secureConnect', () => end(socket.authorized));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** A key derived from the vendor's seed, so that every node can decrypt tokens made by any node's device. */
function ownAt(vendor: Vendor, at: Temporal.Instant): OwnIdentifier {
  const { privateKey, publicKey } = keyFrom(vendor.seed, 'payment-processing key of the service');
  const hash = hashOfIdentifier(ownIdentifier);
  return {
    merchantIdentifier: ownIdentifier,
    certificate: ownCertificate(privateKey, publicKey, hash),
    publicKey,
    expiresAt: vendorValidity.notAfter,
    association: Buffer.from(associationFile(vendor, ownIdentifier)),
    identity: vendor.issueIdentity(ownIdentifier, at),
    identityExpiresAt: at.add({ hours: 24 * 365 }),
  };
}

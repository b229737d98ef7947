// The simulated device over HTTP, in the sandbox only: S5 for tests without a browser, and the endpoints for the script
// that provides the session object. Like a real device, it works on pages of other origins.

import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deviceCardNames, issueWalletCertificate, mintWalletToken } from '../../../contract/sandbox.ts';
import type { Merchant } from '../../accounts/index.ts';
import { on, type Route, readJson, refuseOtherMethods } from '../../http/index.ts';
import { type AccountId, type Currency, minorFromDecimal, money, refuse } from '../../kernel/index.ts';
import type { Random } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { currencyNumbers, hashOfIdentifier, listLiveCertificates } from '../../wallet/index.ts';
import { type Confirmed, deviceCards, mintConfirmed, type Recipient } from './device.ts';
import { badKinds } from './kinds/index.ts';
import type { SimulatedVendor } from './open.ts';
import { deviceScriptPath } from './paths.ts';
import { isOwnSession, type MerchantSession } from './session.ts';

type DeviceTools = Pick<Tools, 'db' | 'random' | 'wall'>;

/** The device over HTTP, and its actions for the command line. */
export function openDevices(tools: DeviceTools, simulated: SimulatedVendor) {
  return {
    name: 'simulated wallet',
    routes: deviceRoutes(tools, simulated),
    register: (app: FastifyInstance) => registerDevice(app, tools, simulated),
    close: () => simulated.close(),
    mint: (merchantId: AccountId, wanted: MintWanted) => mintFor(tools, simulated, merchantId, wanted),
    issue: (csr: string, merchantIdentifier: string) => issueFrom(tools, simulated, csr, merchantIdentifier),
    /** The vendor, for tests that change how it responds. */
    simulated,
  };
}

const deviceRoutes = (tools: DeviceTools, simulated: SimulatedVendor): Route<Merchant>[] => [
  on(mintWalletToken, async ({ caller, body, requestId }) => {
    const { amount, currency = 'PLN', card = 'approved', merchantIdentifier, badKind } = body;
    const wanted = { amount: money(minorFromDecimal(amount) ?? 0n, currency), card, badKind, merchantIdentifier };
    const minted = await mintFor(tools, simulated, caller.id, wanted);
    return { result: 'success' as const, requestId, walletPayPaymentData: minted };
  }),
  on(issueWalletCertificate, async ({ body, requestId }) => {
    const certificate = issueFrom(tools, simulated, body.csr, body.merchantIdentifier);
    return { result: 'success' as const, requestId, certificate };
  }),
];

interface MintWanted extends Omit<Confirmed, 'signedAt'> {
  /** Of the merchant's mobile app; undefined: the service's own, as on the web. */
  readonly merchantIdentifier?: string | undefined;
}

/** A token as a device of this merchant's payer makes it. */
async function mintFor(
  tools: DeviceTools,
  simulated: SimulatedVendor,
  merchantId: AccountId,
  { merchantIdentifier, ...confirmed }: MintWanted,
): Promise<string> {
  const recipient =
    merchantIdentifier === undefined
      ? ownRecipient(simulated)
      : await recipientOf(tools, merchantId, merchantIdentifier);
  return mint(tools, simulated, confirmed, recipient);
}

/** The certificate (PEM) that the simulated vendor issues for a signing request. */
function issueFrom(
  { wall }: Pick<DeviceTools, 'wall'>,
  { vendor }: SimulatedVendor,
  csr: string,
  merchantIdentifier: string,
): string {
  const message = 'Must be a certificate signing request in PEM, for a key on P-256 that signed it.';
  return vendor.issueProcessing(csr, merchantIdentifier, wall.now()) ?? refuse('not_valid', 'csr', message);
}

function mint(
  { wall, random }: DeviceTools,
  { vendor }: SimulatedVendor,
  confirmed: Omit<Confirmed, 'signedAt'>,
  recipient: Recipient,
): string {
  const minted = mintConfirmed(vendor, { ...confirmed, signedAt: wall.now() }, recipient, random);
  if (minted !== undefined) return minted;
  const names = badKinds.map(({ name }) => name).join(', ');
  return refuse('not_valid', 'badKind', 'There is no such kind of bad token.', `Send one of: ${names}.`);
}

function ownRecipient({ own }: SimulatedVendor): Recipient {
  return { publicKey: own.publicKey, merchantIdentifierHash: hashOfIdentifier(own.merchantIdentifier) };
}

/** A token for the service's own identifier, as a device makes it on the web. */
export function mintDeviceToken(simulated: SimulatedVendor, confirmed: Confirmed, random: Random): string | undefined {
  return mintConfirmed(simulated.vendor, confirmed, ownRecipient(simulated), random);
}

/** The newest active certificate of the identifier. */
async function recipientOf(tools: DeviceTools, merchantId: AccountId, identifier: string): Promise<Recipient> {
  const rows = await listLiveCertificates(tools.db.sql, merchantId, tools.wall.now());
  const row = rows.find(({ merchantIdentifier }) => merchantIdentifier === identifier);
  if (!row) return refuse('not_found', 'merchantIdentifier', 'There is no active certificate of this identifier.');
  return { publicKey: Buffer.from(row.publicKey), merchantIdentifierHash: hashOfIdentifier(identifier) };
}

const bodyBytesAtMost = 65_536;
const deviceScript = new URL('../../../web/wallet/device.js', import.meta.url);
const sessionPath = '/wallet/device/session';
const paymentPath = '/wallet/device/payment';

/** What a real device does itself: finding the vendor, checking the session, making the token. */
function registerDevice(app: FastifyInstance, tools: DeviceTools, simulated: SimulatedVendor): void {
  const options = { bodyLimit: bodyBytesAtMost };
  app.post(sessionPath, options, async (_request, reply) =>
    anyOrigin(reply).send({
      validationURL: await simulated.validationUrl(),
      badKinds: badKinds.map(({ name }) => name),
    }),
  );
  const script = readFileSync(deviceScript);
  app.get(deviceScriptPath, async (_request, reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script),
  );
  refuseOtherMethods(app, deviceScriptPath, ['GET']);
  app.post(paymentPath, options, async (request, reply) => anyOrigin(reply).send(pay(tools, simulated, request)));
  for (const path of [sessionPath, paymentPath]) {
    app.options(path, async (_request, reply) => anyOrigin(reply).code(204).send());
    refuseOtherMethods(app, path, ['POST', 'OPTIONS']);
  }
}

function anyOrigin(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-headers', 'content-type')
    .header('access-control-allow-methods', 'POST')
    .header('cache-control', 'no-store');
}

interface Payment {
  readonly session: MerchantSession;
  readonly amount: string;
  readonly currencyCode: string;
  readonly card: string;
  readonly badKind?: string;
}

/** The payment object that `onpaymentauthorized` gets. */
function pay(tools: DeviceTools, simulated: SimulatedVendor, request: FastifyRequest) {
  const { session, amount, currencyCode, card, badKind } = readPayment(request.body);
  const { own } = simulated;
  const identifier = hashOfIdentifier(own.merchantIdentifier).toString('hex').toUpperCase();
  if (!isOwnSession(session, simulated.roots, tools.wall.now()) || session.merchantIdentifier !== identifier)
    refuse('not_valid', 'session', 'This is not a valid merchant session of the vendor.');
  if (session.domainName !== hostOf(request.headers.origin))
    refuse('not_valid', 'session', `The session is for ${session.domainName}, not for this page.`);
  const name = deviceCardNames.find((known) => known === card) ?? refuse('not_valid', 'card');
  const currency = Object.entries(currencyNumbers).find(([text, number]) => [text, number].includes(currencyCode))?.[0];
  const minor = /^\d{1,11}(\.\d{1,2})?$/.test(amount) ? minorFromDecimal(Number(amount)) : undefined;
  if (currency === undefined || minor === undefined) return refuse('not_valid', 'amount');
  const confirmed = { amount: money(minor, currency as Currency), card: name, badKind };
  const token = JSON.parse(
    Buffer.from(mint(tools, simulated, confirmed, ownRecipient(simulated)), 'base64').toString(),
  );
  const { network, number } = deviceCards[name];
  return {
    token: {
      paymentData: token,
      paymentMethod: { displayName: `${network} ${number.slice(-4)}`, network, type: 'credit' },
      transactionIdentifier: token.header?.transactionId ?? '',
    },
  };
}

function readPayment(body: unknown): Payment {
  const value = readJson(Buffer.isBuffer(body) ? body.toString() : '');
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  for (const name of ['amount', 'currencyCode', 'card']) {
    if (typeof fields[name] !== 'string') refuse('not_string', name);
  }
  if (typeof fields.session !== 'object' || fields.session === null) refuse('not_object', 'session');
  if (fields.badKind !== undefined && typeof fields.badKind !== 'string') refuse('not_string', 'badKind');
  return value as Payment;
}

/** Host and port of the page; browsers send the origin with every request that is not a simple read. */
function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host;
}

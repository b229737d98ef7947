// Builders for wallet payments: tokens of the simulated device.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { type Config, readConfig } from '../../src/config.ts';
import { money } from '../../src/kernel/index.ts';
import type { Random } from '../../src/runtime/index.ts';
import { type DeviceCardName, mintDeviceToken, mintToken } from '../../src/simulators/index.ts';
import { hashOfIdentifier } from '../../src/wallet/index.ts';
import type { Answer, Service, TestMerchant } from './service.ts';

export interface TokenWanted {
  readonly amount?: bigint;
  readonly card?: DeviceCardName;
  readonly badKind?: string;
  readonly signedAt?: Temporal.Instant;
  /** What the device draws its id and key from. */
  readonly random?: Random;
}

/** `walletPayPaymentData` for the service's own identifier; 10.01 by default. */
export function aToken({ rooms, world }: Service, wanted: TokenWanted = {}): string {
  const { amount = 1_001n, card = 'approved', badKind, signedAt = world.wall.now(), random = world.random } = wanted;
  const simulated = rooms.devices?.simulated;
  assert.ok(simulated);
  const token = mintDeviceToken(simulated, { amount: money(amount, 'PLN'), card, badKind, signedAt }, random);
  assert.ok(token !== undefined, `there is a bad kind ${badKind}`);
  return token;
}

export function payWallet(
  service: Service,
  merchant: TestMerchant,
  id: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = { channelId: 75, walletPayPaymentData: token };
  return service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body, headers });
}

/** A service whose simulated vendor takes any free port, with these wallet settings. */
export function walletConfig(wallet: Partial<Config['wallet']> = {}): Partial<Config> {
  return { wallet: { ...readConfig({ MODE: 'sandbox' }).wallet, vendorPort: 0, ...wallet } };
}

export interface TestCertificate {
  readonly id: string;
  readonly merchantIdentifier: string;
  readonly csr: string;
  /** PEM, as the vendor issued it. */
  readonly certificate: string;
}

/** Asks for a signing request. */
export async function aRequest(
  service: Service,
  { token }: TestMerchant,
  merchantIdentifier = 'merchant.com.example.shop',
): Promise<Omit<TestCertificate, 'certificate'>> {
  const body = { merchantIdentifier };
  const answer = await service.ask('POST', '/wallet/certificates', { token, body });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.body.certificateId, merchantIdentifier, csr: answer.body.csr };
}

export function uploadCertificate(
  service: Service,
  { token }: TestMerchant,
  id: string,
  certificate: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.ask('POST', `/wallet/certificates/${id}/certificate`, { token, headers, body: { certificate } });
}

/** A certificate that the simulated vendor issued, uploaded and active. */
export async function aCertificate(
  service: Service,
  merchant: TestMerchant,
  { merchantIdentifier = 'merchant.com.example.shop', validFrom = service.world.wall.now() } = {},
): Promise<TestCertificate> {
  const request = await aRequest(service, merchant, merchantIdentifier);
  const certificate = service.rooms.devices?.simulated.vendor.issueProcessing(
    request.csr,
    merchantIdentifier,
    validFrom,
  );
  assert.ok(certificate);
  const answer = await uploadCertificate(service, merchant, request.id, certificate);
  assert.equal(answer.status, 200, answer.text);
  return { ...request, certificate };
}

/** A token for this certificate, as a device makes it in a mobile app; 10.01. */
export function aMobileToken({ rooms, world }: Service, { certificate, merchantIdentifier }: TestCertificate): string {
  const simulated = rooms.devices?.simulated;
  assert.ok(simulated);
  return mintToken(simulated.vendor, {
    amount: money(1_001n, 'PLN'),
    card: { number: '4111111111111111', expires: '391231' },
    signedAt: world.wall.now(),
    publicKey: new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }),
    merchantIdentifierHash: hashOfIdentifier(merchantIdentifier),
    random: world.random,
  });
}

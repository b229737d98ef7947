// Builders for wallet payments: tokens of the simulated device.

import assert from 'node:assert/strict';
import { type Config, readConfig } from '../../src/config.ts';
import { money } from '../../src/kernel/index.ts';
import { type DeviceCardName, mintDeviceToken } from '../../src/wallet/index.ts';
import type { Answer, Service, TestMerchant } from './service.ts';

export interface TokenWanted {
  readonly amount?: bigint;
  readonly card?: DeviceCardName;
  readonly badKind?: string;
  readonly signedAt?: Temporal.Instant;
}

/** `walletPayPaymentData` for the service's own identifier; 10.01 by default. */
export function aToken({ rooms, world }: Service, wanted: TokenWanted = {}): string {
  const { amount = 1_001n, card = 'approved', badKind, signedAt = world.wall.now() } = wanted;
  const { simulated } = rooms.wallet;
  assert.ok(simulated);
  const token = mintDeviceToken(simulated, { amount: money(amount, 'PLN'), card, badKind, signedAt }, world.random);
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

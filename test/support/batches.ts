// Builders for batches: operators who sign, an account that pays, payouts that wait.

import { Secret as OtpSecret, TOTP } from 'otpauth';
import { approveBatch, type Batch, draftBatch } from '../../src/batches/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import type { Payout } from '../../src/payouts/index.ts';
import { givePayer } from '../../src/treasury/index.ts';
import { aPassword, aPerson, type TestPerson } from './panel.ts';
import { aPayout, aPayoutAccount, someIbans } from './payouts.ts';
import { fund } from './refunds.ts';
import { aMerchant, type Service, type TestMerchant } from './service.ts';

export const ourIban = 'PL10105000997603123456789123';

/** An operator with an authenticator app, signed in. */
export interface TestOperator extends TestPerson {
  /** A recovery code: each works once, at any time. */
  readonly code: () => string;
  /** The code of the app at this time. */
  readonly appCode: (at: Temporal.Instant) => string;
  readonly signer: { readonly id: string; readonly email: string };
}

export async function anOperator(service: Service): Promise<TestOperator> {
  const person = await aPerson(service, 'operator', null);
  const { secret } = (await person.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
  const totp = new TOTP({ secret: OtpSecret.fromBase32(secret) });
  const appCode = ({ epochMilliseconds }: Temporal.Instant) => totp.generate({ timestamp: epochMilliseconds });
  const confirmed = await person.ask('POST', '/panel/api/me/totp/confirm', {
    body: { code: appCode(service.world.wall.now()) },
  });
  const codes: string[] = confirmed.body.recoveryCodes;
  const { id, email } = person;
  return { ...person, appCode, code: () => codes.pop() ?? '', signer: { id, email } };
}

/** What an operator types. */
export const confirming = ({ email, code }: TestOperator) => ({ email, password: new Secret(aPassword), code: code() });

export function aPayingAccount({ world }: Service, profile = 'iso20022-pl', number = ourIban) {
  return givePayer(world, { number, holder: 'Grosz sp. z o.o.', profile, givenBy: 'owner@grosz.example' });
}

/** Payouts of these amounts that wait, each of a merchant of its own. */
export async function waitingPayouts(
  service: Service,
  amounts: readonly bigint[],
): Promise<{ readonly merchant: TestMerchant; readonly payout: Payout }[]> {
  const made = [];
  for (const [index, amountMinor] of amounts.entries()) {
    const merchant = await aMerchant(service);
    await fund(service, merchant, amountMinor);
    await aPayoutAccount(service, merchant, someIbans[index % 2]);
    made.push({ merchant, payout: await aPayout(service, merchant, amountMinor) });
  }
  return made;
}

export interface Signatures {
  readonly first: TestOperator;
  readonly second: TestOperator;
}

export const aDraft = ({ world }: Service, { first }: Signatures): Promise<Batch> =>
  draftBatch(world, { by: first.signer });

/** Signed by both, without asking for their passwords. */
export async function anApproved(service: Service, signatures: Signatures): Promise<Batch> {
  const draft = await aDraft(service, signatures);
  return approveBatch(service.world, { batchId: draft.id, by: signatures.second.signer, seen: draft });
}

// Forged, damaged, stale and replayed wallet tokens that pay: every kind that the simulated vendor makes, and every way
// to send a token again.

import { badKinds } from '../../src/simulators/index.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { aCertificate, aMobileToken, aToken, payWallet, walletConfig } from '../support/wallet.ts';
import { noneOf, type ProveOptions, type Seen } from './figure.ts';

const goalKinds = 45;

/** Sends a token that must not pay; returns whether anything was started for it. */
type Try = (stage: Stage) => Promise<boolean>;

interface Stage {
  readonly service: Service;
  readonly merchant: TestMerchant;
  readonly other: TestMerchant;
}

const isPaid = (status: string) => status === 'paid' || status === 'refund';

/** Pays a new transaction of the merchant with the token; true if it started an attempt. */
async function starts({ service }: Stage, merchant: TestMerchant, token: string): Promise<boolean> {
  const id = await aTransaction(service, merchant);
  await payWallet(service, merchant, id, token);
  const { body } = await service.ask('GET', `/transactions/${id}`, { token: merchant.token });
  return isPaid(body.status) || body.payments.attempts.length > 0;
}

/** A token that has paid. */
async function usedToken({ service, merchant }: Stage): Promise<string> {
  const token = aToken(service);
  const paid = await payWallet(service, merchant, await aTransaction(service, merchant), token);
  if (paid.body.status !== 'paid') throw new Error(`A good token did not pay: ${paid.text}`);
  return token;
}

/** The same token in other clothes: another encoding of its JSON, and its id in capitals. */
function respelled(token: string): string {
  const object = JSON.parse(Buffer.from(token, 'base64').toString());
  object.header.transactionId = object.header.transactionId.toUpperCase();
  return Buffer.from(JSON.stringify({ header: object.header, ...object }, null, 1)).toString('base64');
}

const replays: Readonly<Record<string, Try>> = {
  'for another transaction': async (stage) => starts(stage, stage.merchant, await usedToken(stage)),
  'by another merchant': async (stage) => starts(stage, stage.other, await usedToken(stage)),
  'spelled differently': async (stage) => starts(stage, stage.merchant, respelled(await usedToken(stage))),
  'inside E1': async (stage) => {
    const walletPayPaymentData = await usedToken(stage);
    const { token } = stage.merchant;
    const body = { amount: 10.01, description: 'Order', pay: { channelId: 75, walletPayPaymentData } };
    return (await stage.service.ask('POST', '/transactions', { token, body })).status === 200;
  },
  'for the same transaction, again and at once': async (stage) => {
    const { service, merchant } = stage;
    const [id, token] = [await aTransaction(service, merchant), aToken(service)];
    await Promise.all(Array.from({ length: 10 }, () => payWallet(service, merchant, id, token)));
    const { body } = await service.ask('GET', `/transactions/${id}`, { token: merchant.token });
    return body.payments.attempts.length !== 1;
  },
  'for ten transactions at once': async (stage) => {
    const { service, merchant } = stage;
    const token = aToken(service);
    const ids = await Promise.all(Array.from({ length: 10 }, () => aTransaction(service, merchant)));
    const answers = await Promise.all(ids.map((id) => payWallet(service, merchant, id, token)));
    return answers.filter(({ body }) => isPaid(body.status)).length !== 1;
  },
  'of a revoked certificate': async (stage) => {
    const { service, merchant } = stage;
    const certificate = await aCertificate(service, merchant);
    const token = aMobileToken(service, certificate);
    const path = `/wallet/certificates/${certificate.id}/revoke`;
    await service.ask('POST', path, { token: merchant.token, body: {} });
    return starts(stage, merchant, token);
  },
  'of the certificate of another merchant': async (stage) =>
    starts(stage, stage.merchant, aMobileToken(stage.service, await aCertificate(stage.service, stage.other))),
  'that is six minutes old': async (stage) => {
    const signedAt = stage.service.world.wall.now().subtract({ minutes: 6 });
    return starts(stage, stage.merchant, aToken(stage.service, { signedAt }));
  },
  'for another amount': async (stage) => starts(stage, stage.merchant, aToken(stage.service, { amount: 1_000n })),
};

export async function proveWallet({ print }: ProveOptions): Promise<Seen[]> {
  const service = await aService({ config: walletConfig() });
  const aStagedMerchant = () => aMerchant(service, { requestsPerSecond: 1_000_000 });
  const stage = { service, merchant: await aStagedMerchant(), other: await aStagedMerchant() };
  const tries: [string, Try][] = [
    ...badKinds.map(({ name }): [string, Try] => [
      name,
      async (staged) => starts(staged, staged.merchant, aToken(service, { badKind: name })),
    ]),
    ...Object.entries(replays),
  ];
  const accepted: string[] = [];
  for (const [name, attempt] of tries) if (await attempt(stage)) accepted.push(name);
  await checkInvariants(service.world);
  for (const name of accepted.slice(0, 10)) print(`  accepted: ${name}`);
  const seen = noneOf('forged or replayed wallet tokens accepted, by kind', accepted.length, tries.length, goalKinds);
  return [{ ...seen, met: seen.met && tries.length >= goalKinds }];
}

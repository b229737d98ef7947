// Builders for marketplace transactions.

import assert from 'node:assert/strict';
import { type AccountDetails, addSeller, changeAccount } from '../../src/accounts/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { aTransaction } from './payments.ts';
import { type Answer, aCredential, aMerchant, faultsOf, type Service, type TestMerchant } from './service.ts';

export interface TestPartner extends TestMerchant {
  readonly sellers: readonly TestMerchant[];
}

/** A partner with the marketplace function, and a seller for each of these details. */
export async function aPartner(
  service: Service,
  sellers: readonly Partial<AccountDetails>[] = [{}, {}, {}],
  details: Partial<AccountDetails> = {},
): Promise<TestPartner> {
  const partner = await aMerchant(service, { kind: 'partner', name: 'Market', ...details });
  const made: TestMerchant[] = [];
  for (const [index, seller] of sellers.entries()) {
    const one = await aMerchant(service, { kind: 'seller', name: `Seller ${index + 1}`, ...seller });
    await addSeller(service.world.db.sql, partner.id, one.id);
    made.push(one);
  }
  return { ...partner, sellers: made };
}

/** A child of one of the partner's sellers. */
export function aChild(partner: TestPartner, seller: number, amount: number, more: object = {}): object {
  return {
    amount,
    description: `Part ${seller}`,
    merchant: { id: partner.sellers[seller]?.id },
    products: [],
    ...more,
  };
}

export function splitBody(partner: TestMerchant, children: readonly object[], more: object = {}): object {
  return {
    currency: 'PLN',
    description: 'Cart',
    hiddenDescription: 'cart-1',
    pos: { id: partner.posId },
    billingAddress: { email: 'payer@example.com', name: 'Jan Nowak' },
    childTransactions: children,
    ...more,
  };
}

const path = '/marketplace/v1/transaction';

export function createSplit(
  service: Service,
  partner: TestMerchant,
  children: readonly object[],
  more: object = {},
): Promise<Answer> {
  return service.ask('POST', path, { token: partner.token, body: splitBody(partner, children, more) });
}

export async function aSplit(
  service: Service,
  partner: TestMerchant,
  children: readonly object[],
  more: object = {},
): Promise<string> {
  const answer = await createSplit(service, partner, children, more);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transactionId;
}

export function paySplit(service: Service, partner: TestMerchant, id: string, body?: object): Promise<Answer> {
  const data = body ?? { blikPaymentData: { blikToken: '777123' } };
  return service.ask('POST', `${path}/${id}/pay`, { token: partner.token, body: data });
}

export async function aPaidSplit(
  service: Service,
  partner: TestMerchant,
  children: readonly object[],
  more: object = {},
): Promise<string> {
  const id = await aSplit(service, partner, children, more);
  const answer = await paySplit(service, partner, id);
  assert.equal(answer.body.status, 'paid', answer.text);
  return id;
}

export function refundSplit(
  service: Service,
  partner: TestMerchant,
  id: string,
  body: object = {},
  query = '',
): Promise<Answer> {
  return service.ask('POST', `${path}/${id}/refund${query}`, { token: partner.token, body });
}

export function cancelSplit(service: Service, partner: TestMerchant, id: string): Promise<Answer> {
  return service.ask('POST', `${path}/${id}/cancel`, { token: partner.token });
}

export function showSplit(service: Service, partner: TestMerchant, id: string): Promise<Answer> {
  return service.ask('GET', `${path}/${id}`, { token: partner.token });
}

export function balanceOf({ world }: Pick<Service, 'world'>, { id }: Pick<TestMerchant, 'id'>): Promise<bigint> {
  return findBalance(world.db.sql, ledgerAccounts.available(id));
}

/** The balances of all sellers in order, then of the partner. */
export async function balancesOf(service: Service, partner: TestPartner): Promise<bigint[]> {
  const balances: bigint[] = [];
  for (const one of [...partner.sellers, partner]) balances.push(await balanceOf(service, one));
  return balances;
}

/** How an endpoint is called; `id` is that of a transaction, if it takes one. */
export type Call = (who: TestMerchant | undefined, id: string) => Promise<Answer>;

/**
 * Guarantee: without a token 401; 403 with reasons for everybody who is not a partner with the marketplace function,
 * and for writing with a read-only credential.
 */
export async function checkDenied(
  service: Service,
  partner: TestMerchant,
  call: Call,
  { id, writes }: { readonly id: string; readonly writes: boolean },
): Promise<void> {
  assert.equal((await call(undefined, id)).status, 401);
  const off = await aMerchant(service, { kind: 'partner' });
  await changeAccount(service.world, off.id, { marketplaceEnabled: false });
  service.world.wall.advance({ seconds: 1 });
  const others = [off, await aMerchant(service), await aMerchant(service, { kind: 'seller' })];
  const reader = await aCredential(service, partner, 'read_only');
  for (const who of writes ? [...others, reader] : others) {
    const answer = await call(who, id);
    assert.deepEqual([answer.status, ...faultsOf(answer)], [403, 'access_denied'], answer.text);
    assert.deepEqual(answer.body.reasons, [answer.body.errors[0].errorMessage]);
    assert.equal(answer.body.violations, undefined);
  }
  if (!writes) assert.equal((await call(reader, id)).status, 200);
}

/** Guarantee: whatever is not a marketplace transaction of the caller gives the same 404, byte for byte. */
export async function checkNotFound(service: Service, partner: TestPartner, call: Call): Promise<void> {
  const other = await aPartner(service, [{}]);
  const foreign = await aSplit(service, other, [aChild(other, 0, 100)]);
  const standard = await aTransaction(service, partner);
  const texts = new Set<string>();
  for (const id of [
    foreign,
    standard,
    service.world.ids.ulid(),
    foreign.toLowerCase(),
    'nonsense',
    '%00',
    "' or 1=1",
  ]) {
    const answer = await call(partner, encodeURIComponent(id));
    assert.deepEqual([answer.status, ...faultsOf(answer)], [404, 'not_found'], `${id}: ${answer.text}`);
    assert.equal(answer.body.reasons.length, 1);
    texts.add(answer.text.replace(answer.body.requestId, ''));
  }
  assert.equal(texts.size, 1);
  const stranger = await call(other, await aSplit(service, partner, [aChild(partner, 0, 100)]));
  assert.equal(stranger.status, 404);
}

/** Guarantee: other methods are refused with those that exist. */
export async function checkMethods(service: Service, path: string, allow: string): Promise<void> {
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const answer = await service.ask(method, path);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow]);
    assert.equal(answer.body.reasons.length, 1);
  }
}

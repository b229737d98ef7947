// Disputes in the panel, in a real browser, as each of those sees them whom they concern.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { UserRole } from '../../contract/identity/roles.ts';
import { aReachableService } from '../support/browser.ts';
import { sayDispute } from '../support/disputes.ts';
import { aChild, aPaidSplit, aPartner, type TestPartner } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { settleAll } from '../support/payments.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('disputes in the panel', () => {
  let service: Service;
  let partner: TestPartner;
  let seller: TestMerchant;

  before(async () => {
    service = await aReachableService();
    partner = await aPartner(service, [{ paymentFeeBasisPoints: 100 }, {}]);
    seller = partner.sellers[0] ?? (await aMerchant(service));
  });

  async function open(role: UserRole, { id }: Pick<TestMerchant, 'id'>, path: string) {
    const window = await aPanelWindow(service, await aPerson(service, role, id));
    await window.open(path);
    return window;
  }

  /** Paid with 7.00 and 3.00, of which so much is disputed. */
  async function aDisputed(minor: bigint): Promise<string> {
    const id = await aPaidSplit(service, partner, [
      aChild(partner, 0, 700, { commission: 70, hiddenDescription: 'jar-1' }),
      aChild(partner, 1, 300),
    ]);
    await sayDispute(service.world, id, 'opened', minor);
    await settleAll(service.world);
    return id;
  }

  // Guarantee: the partner is offered a refund only of what is not disputed, and never of everything, which is refused.
  test('of a split payment: in the marketplace, with who bears it and what can be refunded', async () => {
    const id = await aDisputed(500n);
    for (const one of partner.sellers) await fund(service, one, 10_000n);
    const { page, faults, open: go } = await open('staff', partner, `/marketplace/transactions/${id}`);
    await page.getByText(/^The payer disputes PLN.5\.00\..+ the balances of the sellers and yours/).waitFor();
    const bearers = page.getByRole('table', { name: 'Disputes' }).getByRole('listitem');
    assert.deepEqual(
      (await bearers.allInnerTexts()).map((text) => text.replace('\u00a0', ' ')),
      ['Seller 1: PLN 3.15', 'Seller 2: PLN 1.50', 'You: PLN 0.35'],
    );
    await looksGood(page, 'a disputed transaction of the marketplace');
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByText(/^The payer disputes PLN.5\.00, so at most PLN.5\.00 can be refunded\.$/).waitFor();
    assert.equal(await page.getByRole('radio', { name: 'Everything that is left' }).count(), 0);
    await page.getByRole('radio', { name: 'An amount of a seller' }).check();
    await page.getByLabel('Seller 2').fill('2');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: /^Refund PLN.2\.00$/ }).waitFor();
    const whole = await aDisputed(1_000n);
    await go(`/marketplace/transactions/${whole}`);
    await page.getByRole('table', { name: 'Disputes' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Refund', exact: true }).count(), 0);
    assert.deepEqual(faults, []);
  });

  // Guarantee: a seller sees why its balance was taken and what it owes, and no way to a page that does not open.
  test('a seller, in its ledger; the marketplace is its partner’s', async () => {
    const poor = await aPartner(service, [{ paymentFeeBasisPoints: 1_000 }]);
    const [only] = poor.sellers;
    const id = await aPaidSplit(service, poor, [aChild(poor, 0, 1_000, { hiddenDescription: 'jar-9' })]);
    await sayDispute(service.world, id, 'opened', 1_000n, { reason: 'product_not_received' });
    await settleAll(service.world);
    const { page, faults, open: go } = await open('owner', only ?? seller, '/money/ledger');
    await page.getByText('what was paid for did not arrive (product_not_received)').waitFor();
    await page.getByText('You owe', { exact: true }).waitFor();
    assert.equal(await page.getByText('jar-9').count(), 2);
    assert.equal(await page.getByRole('link', { name: /^TR-/ }).count(), 0);
    await looksGood(page, 'the ledger of a seller');
    await go('/marketplace/transactions');
    await titled(page, 'You may not see this');
    await page.getByText(/^Your partner manages the payments of its marketplace\./).waitFor();
    const usual = await open('owner', await aMerchant(service), '/marketplace/transactions');
    await usual.page.getByText('Only partners, who run a marketplace, have this.').waitFor();
    assert.deepEqual(faults, []);
  });
});

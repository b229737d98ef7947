// The network goes away at each step of a payment: the page stays, says what is known, finds out what became of the
// payment, and nobody pays twice. In the page and in its frame; with BLIK, card and wallet.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { aReachableService, aWindow, type Window } from '../support/browser.ts';
import { aMerchantSite, eventsUntil, formOf, type MerchantSite } from '../support/merchant-page.ts';
import { type Loss, lose } from '../support/network.ts';
import { aPerson } from '../support/panel.ts';
import {
  answerForShop,
  aPayPage,
  attemptsOf,
  axeFindings,
  capturesOf,
  enterBlik,
  enterCard,
  heading,
  shop,
} from '../support/payer.ts';
import { checkInvariants, passTime, testCard } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';
import { walletConfig } from '../support/wallet.ts';

const checking = 'We are checking whether your payment was sent.';
const notSent = 'Your payment has not reached us. You can pay again: you will be charged only once.';
const offline = 'No connection to the payment service.';

/** Of the pay page and of its frame: where forms are sent. */
const payForm = /\/pay\/[^/?]+(\/embed\?.*)?$/;
const bankForm = /\/bank\/confirm\//;

suite('the network goes away', () => {
  let service: Service;
  let merchant: TestMerchant;
  let site: MerchantSite;

  before(async () => {
    service = await aReachableService({ config: walletConfig() });
    merchant = await aMerchant(service, { name: 'Tea House' });
    site = await aMerchantSite(service.url);
    const owner = await aPerson(service, 'owner', merchant.id);
    const body = { embedOrigins: [site.origin] };
    assert.equal((await owner.ask('POST', '/panel/api/settings/pay-page', { body })).status, 200);
  });
  after(() => checkInvariants(service.world));

  interface Opened extends Window {
    readonly id: string;
    readonly url: string;
    /** Where the payer pays: the page itself, or the frame in it. */
    readonly place: Page | Frame;
  }

  async function open(body: object = {}): Promise<Opened> {
    const window = await aWindow();
    // Avoids the rate limit of forms, which has its own test.
    service.world.wall.advance({ seconds: 5 });
    const made = await aPayPage(service, merchant, { callbacks: {}, ...body });
    await window.page.goto(made.url);
    return { ...made, ...window, place: window.page };
  }

  async function openInFrame(body: object = {}): Promise<Opened> {
    const window = await aWindow();
    service.world.wall.advance({ seconds: 5 });
    const made = await aPayPage(service, merchant, { callbacks: {}, ...body });
    await site.open(window.page, made.url);
    await eventsUntil(window.page, 'ready');
    return { ...made, ...window, place: await formOf(window.page) };
  }

  const says = (place: Page | Frame, text: string) => place.getByText(text).waitFor();
  async function paidOnce({ id }: Opened, attempts: readonly string[]): Promise<void> {
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [attempts, 1]);
  }

  for (const [name, openPlace] of [
    ['page', open],
    ['frame', openInFrame],
  ] as const) {
    const blik = { pay: { groupId: 150 } };
    const card = { pay: { channelId: 53 } };

    suite(`BLIK, in the ${name}`, () => {
      // Guarantee: what was not sent is told as such, nothing typed is lost, and it can be sent again.
      test('the form does not arrive', async () => {
        const opened = await openPlace(blik);
        const { place, context } = opened;
        const { lost, restore } = await lose(context, payForm, 'request');
        const away = await lose(context, /\/status$/, 'request', 'GET');
        await enterBlik(place, '777123');
        await lost;
        await says(place, checking);
        await heading(place, 'Pay with BLIK');
        assert.equal(await place.inputValue('#blik'), '777 123');
        assert.deepEqual(await axeFindings(place), []);
        await away.restore();
        await says(place, notSent);
        assert.deepEqual(await attemptsOf(service, opened.id), []);
        await restore();
        await place.click('button.main');
        await heading(place, 'Payment successful');
        await paidOnce(opened, ['64 correct']);
      });

      // Guarantee: whatever became of a payment whose answer was lost, the page finds it out by itself.
      for (const [code, outcome, state] of [
        ['777123', 'Payment successful', 'correct'],
        ['222222', 'There is not enough money', 'failed'],
        ['770123', 'Confirm the payment in your bank’s app', 'waiting'],
      ] as const) {
        test(`the answer does not arrive: ${state}`, async () => {
          const { place, context, id } = await openPlace(blik);
          const { lost, restore } = await lose(context, payForm, 'answer');
          await enterBlik(place, code);
          await lost;
          await restore();
          await says(place, outcome);
          assert.deepEqual(await attemptsOf(service, id), [`64 ${state}`]);
          await passTime(service.world, { minutes: 3 });
          assert.equal(await capturesOf(service, id), state === 'failed' ? 0 : 1);
        });
      }

      // Guarantee: a payer who sends again what had arrived pays once, and sees what became of it.
      test('sent again after it had arrived', async () => {
        const opened = await openPlace(blik);
        const { place, context } = opened;
        const away = await lose(context, /\/status$/, 'request', 'GET');
        const { lost, restore } = await lose(context, payForm, 'answer');
        await enterBlik(place, '777123');
        await lost;
        await says(place, checking);
        await restore();
        await place.click('button.main');
        await heading(place, 'This payment has already been made');
        await away.restore();
        await paidOnce(opened, ['64 correct']);
      });

      // Guarantee: without any network the page stays, and goes on by itself when it is back.
      test('no network from the choice to the result', async () => {
        const opened = await openPlace();
        const { place, context } = opened;
        await context.setOffline(true);
        await place.getByRole('link', { name: /^BLIK/ }).click();
        await says(place, offline);
        await heading(place, 'How would you like to pay?');
        await context.setOffline(false);
        await heading(place, 'Pay with BLIK');
        await context.setOffline(true);
        await enterBlik(place, '770123');
        await says(place, checking);
        await place.click('button.main');
        await says(place, checking);
        await context.setOffline(false);
        await says(place, notSent);
        await place.click('button.main');
        await heading(place, 'Confirm the payment in your bank’s app');
        await context.setOffline(true);
        await says(place, offline);
        await passTime(service.world, { seconds: 6 });
        await heading(place, 'Confirm the payment in your bank’s app');
        await context.setOffline(false);
        await heading(place, 'Payment successful');
        await paidOnce(opened, ['64 correct']);
      });
    });

    if (name === 'frame')
      // Guarantee: the page around the form learns that no answer came, and what is known then.
      test('the page around a form that was sent without a network', async () => {
        const { page, place, context } = await openPlace(blik);
        const typesOf = (events: Awaited<ReturnType<typeof eventsUntil>>) =>
          events.map(({ type, reason }) => [type, reason].join(' ').trim()).slice(2);
        await context.setOffline(true);
        await enterBlik(place, '777123');
        assert.deepEqual(typesOf(await eventsUntil(page, 'unanswered')), ['processing', 'unanswered checking']);
        await context.setOffline(false);
        await says(place, notSent);
        await place.click('button.main');
        const known = ['processing', 'unanswered checking', 'unanswered not sent', 'processing', 'paid'];
        assert.deepEqual(typesOf(await eventsUntil(page, 'paid')), known);
      });

    suite(`card, in the ${name}`, () => {
      const toCard = async (place: Page | Frame) => heading(place, 'Pay by card');

      // Guarantee: an unsent card keeps every field; it is paid once, through the bank's page.
      test('the form does not arrive', async () => {
        const opened = await openPlace(card);
        const { place, context, page } = opened;
        const { lost, restore } = await lose(context, payForm, 'request');
        await enterCard(place);
        await lost;
        await says(place, notSent);
        await toCard(place);
        const values = await Promise.all(['#number', '#expiry', '#code'].map((field) => place.inputValue(field)));
        assert.deepEqual(values, ['4111 1111 1111 1111', testCard.expiry, testCard.code]);
        await restore();
        await place.click('button.main');
        await page.getByRole('button', { name: 'Confirm' }).click();
        await heading(page, 'Payment successful');
        await paidOnce(opened, ['53 correct']);
      });

      // Guarantee: if the bank waits for the payer, a page whose answer was lost leads there.
      test('the answer does not arrive', async () => {
        const opened = await openPlace(card);
        const { place, context, page } = opened;
        const { lost, restore } = await lose(context, payForm, 'answer');
        await enterCard(place);
        await lost;
        await restore();
        await heading(place, 'Confirm the payment at your bank');
        await place.getByRole('link', { name: 'Go to the bank’s page' }).click();
        await page.getByRole('button', { name: 'Confirm' }).click();
        await heading(page, 'Payment successful');
        await paidOnce(opened, ['53 correct']);
      });

      // Guarantee: a declined card keeps its fields except the security code, and nothing of it comes from the server.
      test('declined, also if the answer does not arrive', async () => {
        for (const loss of [undefined, 'answer'] as const) {
          const { place, context, id } = await openPlace({ ...card, amount: 10.06 });
          const network = loss && (await lose(context, payForm, loss));
          await enterCard(place);
          await network?.lost;
          await network?.restore();
          await place.getByRole('alert').waitFor();
          assert.match(await place.getByRole('alert').innerText(), /refused the payment/);
          assert.equal(await place.inputValue('#number'), '4111 1111 1111 1111');
          assert.equal(await place.inputValue('#expiry'), testCard.expiry);
          // One that may not have been sent is still there.
          assert.equal(await place.inputValue('#code'), loss ? testCard.code : '');
          assert.match((await place.title()) ?? '', /^Declined: Pay by card/);
          assert.equal(await place.locator('.brands .this').innerText(), 'Visa');
          assert.deepEqual(await attemptsOf(service, id), ['53 failed']);
        }
      });

      // Guarantee: while a payment is sent again, the page says nothing of the declined one any more.
      test('declined, then sent again without a network', async () => {
        const { place, context, id } = await openPlace({ ...card, amount: 10.06 });
        await enterCard(place);
        await place.getByText('refused the payment').waitFor();
        assert.match(await place.title(), /^Declined: Pay by card/);
        await context.setOffline(true);
        await enterCard(place);
        await says(place, checking);
        assert.equal(await place.locator('.notice.bad').count(), 0);
        assert.match(await place.title(), /^Pay by card/);
        await context.setOffline(false);
        await says(place, notSent);
        assert.deepEqual(await attemptsOf(service, id), ['53 failed']);
      });
    });
  }

  suite('3-D Secure', () => {
    async function atBank(): Promise<Opened> {
      const opened = await open({ pay: { channelId: 53 } });
      await enterCard(opened.page);
      await heading(opened.page, 'Confirm your card payment');
      await opened.page.waitForLoadState('load');
      return opened;
    }

    // Guarantee: a choice that did not arrive is told as such, and can be made again; one that arrived counts.
    for (const loss of ['request', 'answer'] satisfies Loss[]) {
      test(`the ${loss} does not arrive`, async () => {
        const opened = await atBank();
        const { page, context } = opened;
        const { lost, restore } = await lose(context, bankForm, loss);
        const away = await lose(context, bankForm, 'request', 'GET');
        await page.getByRole('button', { name: 'Confirm' }).click();
        await lost;
        await says(page, 'We are checking whether it has your choice.');
        assert.deepEqual(await axeFindings(page), []);
        await Promise.all([restore(), away.restore()]);
        if (loss === 'request') {
          await says(page, 'Your choice has not reached the bank.');
          await page.getByRole('button', { name: 'Confirm' }).click();
        }
        await heading(page, 'Payment successful');
        await paidOnce(opened, ['53 correct']);
      });
    }

    // Guarantee: refusing there is told as refused, not as a payer who could not be recognized.
    test('refused without a network', async () => {
      const { page, context, id } = await atBank();
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Refuse' }).click();
      await says(page, 'We are checking whether it has your choice.');
      await context.setOffline(false);
      await says(page, 'Your choice has not reached the bank.');
      await page.getByRole('button', { name: 'Refuse' }).click();
      await says(page, 'The payment was refused in the bank’s app or on its page.');
      assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['53 failed'], 0]);
    });

    // Guarantee: the page of a payment at the bank follows it, in other tabs and after *back*.
    test('another tab, and back', async () => {
      const opened = await atBank();
      const { page, context, url } = opened;
      const other = await context.newPage();
      await other.goto(url);
      await heading(other, 'Confirm the payment at your bank');
      const third = await context.newPage();
      await third.goto(`${url}?method=all`);
      await says(third, 'Your earlier payment is not confirmed yet.');
      await page.getByRole('button', { name: 'Confirm' }).click();
      for (const tab of [page, other, third]) await heading(tab, 'Payment successful');
      await page.goBack();
      await heading(page, 'This payment is confirmed.');
      await page.goBack();
      await heading(page, 'Payment successful');
      await paidOnce(opened, ['53 correct']);
    });
  });

  suite('wallet', () => {
    const begin = (page: Page) => page.getByRole('button', { name: 'Pay with the wallet' }).click();
    const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm with passcode' }).click();

    // Guarantee: a session that cannot be opened charges nothing, and the payer can begin again.
    test('the session does not open', async () => {
      const opened = await open({ amount: 10.01, pay: { channelId: 75 } });
      const { page, context } = opened;
      const { lost, restore } = await lose(context, /\/wallet\/session$/, 'request');
      await begin(page);
      await lost;
      await says(page, 'The wallet payment did not work. You were not charged.');
      await restore();
      await begin(page);
      await confirm(page);
      await heading(page, 'Payment successful');
      await paidOnce(opened, ['75 correct']);
    });

    // Guarantee: while the sheet is open the same payment is sent again, and charged once.
    for (const loss of ['request', 'answer'] satisfies Loss[]) {
      test(`the ${loss} does not arrive`, async () => {
        const opened = await open({ amount: 10.01, pay: { channelId: 75 } });
        const { page, context } = opened;
        const { lost, restore } = await lose(context, /\/pay\/[^/]+\/wallet$/, loss);
        await begin(page);
        await confirm(page);
        await lost;
        await restore();
        await heading(page, 'Payment successful');
        await paidOnce(opened, ['75 correct']);
      });
    }

    // Guarantee: what the wallet could not send is told as such, for as long as the page is there, and can be sent again.
    for (const [when, goOffline] of [
      [
        'when it is pressed',
        async ({ page, context }: Opened) => {
          await context.setOffline(true);
          await begin(page);
        },
      ],
      [
        'while the sheet is open',
        async ({ page, context }: Opened) => {
          await begin(page);
          await page.getByRole('button', { name: 'Confirm with passcode', disabled: false }).waitFor();
          await context.setOffline(true);
          await confirm(page);
        },
      ],
    ] as const) {
      test(`no network ${when}`, async () => {
        const opened = await open({ amount: 10.01, pay: { channelId: 75 } });
        const { page, context } = opened;
        await goOffline(opened);
        await says(page, 'The wallet cannot be reached.');
        await says(page, checking);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await says(page, checking);
        assert.deepEqual(await axeFindings(page), []);
        await context.setOffline(false);
        await says(page, notSent);
        assert.deepEqual(await attemptsOf(service, opened.id), []);
        await begin(page);
        await confirm(page);
        await heading(page, 'Payment successful');
        await paidOnce(opened, ['75 correct']);
      });
    }

    // Guarantee: a network that is back before the sheet has closed is no reason to say nothing.
    test('no network for a moment', async () => {
      const opened = await open({ amount: 10.01, pay: { channelId: 75 } });
      const { page, context } = opened;
      const { lost, restore } = await lose(context, /\/wallet\/device\/session$/, 'request');
      await context.setOffline(true);
      await begin(page);
      await context.setOffline(false);
      await lost;
      await says(page, 'The wallet cannot be reached.');
      await says(page, notSent);
      await restore();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await says(page, notSent);
      await begin(page);
      await confirm(page);
      await heading(page, 'Payment successful');
      await paidOnce(opened, ['75 correct']);
    });

    // Guarantee: a payer who closes the sheet is told nothing, unless nobody knows who closed it.
    test('the payer closes the sheet', async () => {
      const { page, context, id } = await open({ amount: 10.01, pay: { channelId: 75 } });
      const cancel = () => page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await begin(page);
      const asked = page.waitForResponse(/\/status$/);
      await cancel();
      await asked;
      assert.equal(await page.locator('.network').innerText(), '');
      await begin(page);
      await page.getByRole('button', { name: 'Confirm with passcode', disabled: false }).waitFor();
      await context.setOffline(true);
      await cancel();
      await says(page, checking);
      await context.setOffline(false);
      await says(page, notSent);
      assert.deepEqual(await attemptsOf(service, id), []);
    });

    // Guarantee: whatever became of a payment whose page was lost, the page finds it out by itself.
    for (const [card, outcome, state] of [
      ['Visa', 'Payment successful', 'correct'],
      ['Mastercard', 'refused the payment', 'failed'],
    ] as const) {
      test(`the page with the result does not arrive: ${state}`, async () => {
        const opened = await open({ amount: 10.01, pay: { channelId: 75 } });
        const { page, context, id } = opened;
        const { lost, restore } = await lose(context, payForm, 'request', 'GET');
        const away = await lose(context, /\/status$/, 'request', 'GET');
        await begin(page);
        await page.getByRole('radio', { name: card }).check();
        await confirm(page);
        await lost;
        await says(page, checking);
        await Promise.all([restore(), away.restore()]);
        await says(page, outcome);
        assert.deepEqual(await attemptsOf(service, id), [`75 ${state}`]);
        assert.equal(await capturesOf(service, id), state === 'failed' ? 0 : 1);
      });
    }

    // Guarantee: the result of a wallet payment stays without a network, and the way to the shop waits for it.
    test('on the page with the result', async () => {
      const window = await aWindow();
      const { page, context } = window;
      await answerForShop(context);
      const made = await aPayPage(service, merchant, { amount: 10.01, pay: { channelId: 75 } });
      await page.goto(made.url);
      await begin(page);
      await confirm(page);
      await heading(page, 'Payment successful');
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Return to the shop' }).click();
      await says(page, offline);
      await heading(page, 'Payment successful');
      await context.setOffline(false);
      await page.waitForURL(shop.success);
      await paidOnce({ ...made, ...window, place: page }, ['75 correct']);
    });

    // Guarantee: when the sheet has to close before anybody knows, the page says so and finds out.
    test('the network stays away until the sheet closes', async () => {
      const window = await aWindow();
      const made = await aPayPage(service, merchant, { callbacks: {}, amount: 10.01, pay: { channelId: 75 } });
      const { page, context } = window;
      await page.clock.install();
      await page.goto(made.url);
      await begin(page);
      await page.getByRole('button', { name: 'Confirm with passcode', disabled: false }).waitFor();
      const { lost, restore } = await lose(context, /\/pay\/[^/]+\/wallet$/, 'answer');
      const away = await lose(context, /\/status$/, 'request', 'GET');
      await confirm(page);
      await lost;
      for (let seconds = 0; seconds < 60 && !(await page.getByText(checking).isVisible()); seconds += 1)
        await page.clock.runFor(1_000);
      await says(page, checking);
      await Promise.all([restore(), away.restore()]);
      await page.clock.runFor(5_000);
      await heading(page, 'Payment successful');
      await paidOnce({ ...made, ...window, place: page }, ['75 correct']);
    });
  });

  // Guarantee: a paid payment takes nobody to an error page: the way to the shop waits for the network.
  test('on the way back to the shop', async () => {
    const window = await aWindow();
    const { page, context } = window;
    await answerForShop(context);
    const made = await aPayPage(service, merchant, { pay: { groupId: 150 } });
    await page.goto(made.url);
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    const away = await lose(context, /\/status$/, 'request', 'GET');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await says(page, offline);
    await heading(page, 'Payment successful');
    await away.restore();
    await page.waitForURL(shop.success);
  });

  // Guarantee: canceling without a network goes on by itself.
  test('canceling', async () => {
    const { page, context, id } = await open();
    await page.getByRole('link', { name: 'Cancel the payment' }).click();
    await heading(page, 'Cancel this payment?');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await says(page, offline);
    await context.setOffline(false);
    await heading(page, 'This payment was canceled');
    assert.deepEqual(await attemptsOf(service, id), []);
  });

  // Guarantee: back without a network keeps the page and its truth, and shows the other one when the network is there.
  test('back', async () => {
    const opened = await open();
    const { page, context } = opened;
    await page.getByRole('link', { name: /^Card/ }).click();
    await heading(page, 'Pay by card');
    await page.fill('#number', testCard.number);
    await context.setOffline(true);
    await page.goBack();
    await says(page, offline);
    await context.setOffline(false);
    await heading(page, 'How would you like to pay?');
    await page.goForward();
    await heading(page, 'Pay by card');
    assert.equal(await page.inputValue('#number'), '4111 1111 1111 1111', 'what was typed is there again');
  });
});

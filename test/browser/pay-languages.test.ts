// The pay page and the bank's pages in all their languages, on the narrowest phone; and changing the language there.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { languageNames, languages } from '../../contract/languages.ts';
import { aReachableService, aWindow, desktop, phone } from '../support/browser.ts';
import { aPayPage, heading } from '../support/payer.ts';
import { encryptCard } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

const narrow = { width: 320, height: 600 };

/** Words of ours that stand in two lines without a hyphen; what merchants write is theirs. */
const brokenWords = `
function brokenWords() {
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.parentElement.closest('.merchant, .summary dd, code')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\u00ad\\u2010/-]+/g)) {
      const range = document.createRange();
      // The hyphen itself is drawn with the letter after it.
      range.setStart(node, node.data[index - 1] === '\\u00ad' ? index + 1 : index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push('broken: ' + word);
    }
  }
  return broken;
}`;

suite('eight languages', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service, { name: 'Księgarnia pod Aniołem' });
  });

  const pay = async (id: string, body: object) =>
    (await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body })).body;
  const blik = (code: string) => ({ groupId: 150, blikPaymentData: { blikToken: code } });
  const setStatus = (id: string, status: string) =>
    service.world.db.sql.run`update transaction set status = ${status} where id = ${id}`;

  /** Pages in many states; the language is asked for in their URL, or by the browser. */
  async function pages(): Promise<string[]> {
    const body = { amount: 1_234_567.89 };
    const [open, declined, waiting, paid, refunded, canceled, atBank] = await Promise.all(
      Array.from({ length: 7 }, () => aPayPage(service, merchant, body)),
    );
    if (!open || !declined || !waiting || !paid || !refunded || !canceled || !atBank) throw new Error('unreachable');
    await pay(declined.id, blik('222222'));
    await pay(waiting.id, blik('500000'));
    await pay(paid.id, blik('777123'));
    await setStatus(refunded.id, 'refund');
    await setStatus(canceled.id, 'canceled');
    await pay(atBank.id, { channelId: 21 });
    const { id } = await aPayPage(service, merchant);
    const bank = await pay(id, { channelId: 53, cardPaymentData: { card: encryptCard(service) } });
    const methods = [53, 64, 21, 106, 'all'].map((method) => `${open.url}?method=${method}`);
    const states = [waiting, paid, refunded, canceled, atBank, open].map(({ url }) => url);
    return [...methods, `${declined.url}?method=53`, ...states, `${open.url}/cancel`, bank.transactionPaymentUrl];
  }

  // Guarantee: in no language and no state is anything wider than the narrowest phone, and no word is broken without a
  // hyphen. Measured in one page, into which
  // the others are put: with the same style, without loading each.
  test('nothing is wider than 320 pixels', async () => {
    const { page } = await aWindow({ viewport: narrow, javaScriptEnabled: true });
    const addresses = await pages();
    for (const isBank of [false, true]) {
      const urls = addresses.filter((url) => url.includes('/bank/') === isBank);
      await page.goto(urls[0] ?? '');
      for (const language of languages) {
        for (const url of urls) {
          const separator = url.includes('?') ? '&' : '?';
          const answer = await fetch(`${url}${separator}lang=${language}`, {
            headers: { 'accept-language': language },
          });
          const text = await answer.text();
          assert.ok(text.includes(`<html lang="${language}">`), `${url} ${language}`);
          const found = (await page.evaluate(`{
            document.body.replaceWith(new DOMParser().parseFromString(${JSON.stringify(text)}, 'text/html').body);
            for (const fold of document.querySelectorAll('details')) fold.open = true;
            for (const note of document.querySelectorAll('.network')) note.textContent = note.dataset.unreachable;
            const wide = [...document.querySelectorAll('body, body *')]
              .filter((element) => element.getBoundingClientRect().right > (element.closest('.methods') ? 304 : 320) || element.scrollWidth > 320)
              .map((element) => element.outerHTML.slice(0, 120));
            [...wide, ...brokenWords()];
            ${brokenWords}
          }`)) as string[];
          assert.deepEqual(found, [], `${language} ${new URL(url).pathname.slice(0, 5)} ${new URL(url).search}`);
        }
      }
    }
  });

  // Guarantee: the fields of the card form are in one line, however long their labels are.
  test('the card form is aligned', async () => {
    const { url } = await aPayPage(service, merchant, { pay: { channelId: 53 } });
    const { page } = await aWindow({ javaScriptEnabled: false });
    for (const language of languages) {
      await page.goto(`${url}?lang=${language}`);
      for (const viewport of [phone, desktop]) {
        await page.setViewportSize(viewport);
        const [expiry, code] = [await page.locator('#expiry').boundingBox(), await page.locator('#code').boundingBox()];
        assert.deepEqual([expiry?.y, expiry?.height], [code?.y, code?.height], `${language} ${viewport.width}`);
      }
    }
  });

  // Guarantee: a payer changes the language without a script; it stays for the whole payment, also at the bank.
  test('the switch', async () => {
    const { url } = await aPayPage(service, merchant, { lang: 'pl', amount: 10.02 });
    const { page } = await aWindow({ javaScriptEnabled: false });
    await page.goto(url);
    await heading(page, 'Jak chcesz zapłacić?');
    await page.getByRole('navigation', { name: 'Język' }).getByRole('link', { name: languageNames.fr }).click();
    await heading(page, 'Comment souhaitez-vous payer ?');
    await page.getByRole('link', { name: 'Virement bancaire' }).click();
    await heading(page, 'Choisissez votre banque');
    await page.getByRole('button', { name: 'Bank Gamma' }).click();
    await heading(page, 'Confirmez votre virement');
    assert.equal(await page.locator('.bank').innerText(), 'Bank Gamma');
    const facts = await page.locator('main dl').innerText();
    assert.match(facts, /Bénéficiaire\s+Księgarnia pod Aniołem\s+Montant\s+10,02\sPLN/);
    await page.getByRole('button', { name: 'Confirmer' }).click();
    await heading(page, 'Paiement réussi');
  });
});

// P95, P96: what an account shows to payers, and that the pay page follows.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPayPage } from '../support/payer.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

const path = '/panel/api/settings/pay-page';
/** The beginning of each kind of file decides; what follows does not matter here. */
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)]);
const images = {
  'image/png': png,
  'image/jpeg': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(64)]),
  'image/webp': Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(64)]),
};

suite('P95, P96: the pay page of an account', () => {
  let service: Service;
  let merchant: TestMerchant;
  let owner: TestPerson;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    owner = await aPerson(service, 'owner', merchant.id);
  });
  const change = (body: object, person = owner) => person.ask('POST', path, { body });
  async function page(headers: Record<string, string> = {}): Promise<string> {
    const { url } = await aPayPage(service, merchant);
    return (await fetch(service.url + new URL(url).pathname, { headers })).text();
  }

  // Guarantee: what is not given stays, and without any setting the page is the usual one.
  test('200: shows and changes', async () => {
    const usual = (await owner.ask('GET', path)).body.payPage;
    assert.deepEqual(usual, {
      color: null,
      language: null,
      logoUrl: null,
      embedOrigins: [],
      mails: { paid: true, chargeFailed: true, refunded: true, order: true },
    });
    assert.ok(!(await page()).includes('colors/'));
    await change({ color: '#FFCC00', language: 'it' });
    const { payPage } = (await change({ mails: { paid: false } })).body;
    assert.deepEqual(payPage, {
      ...usual,
      color: '#ffcc00',
      language: 'it',
      mails: { ...usual.mails, paid: false },
    });
    const html = await page({ 'accept-language': 'cs' });
    assert.ok(html.includes('<html lang="it">') && html.includes('/assets/pay/colors/ffcc00.css'));
    const style = await fetch(`${service.url}/assets/pay/colors/ffcc00.css`);
    assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.match(await style.text(), /--button:#ffcc00/);
    await change({ color: '' });
    assert.ok(!(await page()).includes('colors/'));
  });

  // Guarantee: an image is what its bytes say, is cached for good, and can run nothing.
  for (const [type, bytes] of Object.entries(images)) {
    test(`200: a logo, ${type}`, async () => {
      const { logoUrl } = (await change({ logo: bytes.toString('base64') })).body.payPage;
      const address = new URL(logoUrl).pathname;
      assert.ok((await page()).includes(`src="${address}"`));
      const answer = await fetch(service.url + address);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      for (const [name, value] of [
        ['content-type', type],
        ['x-content-type-options', 'nosniff'],
        ['cache-control', 'public, max-age=31536000, immutable'],
        ['content-security-policy', "default-src 'none'; sandbox"],
      ] as const)
        assert.equal(answer.headers.get(name), value);
    });
  }

  test('200: a logo is removed', async () => {
    await change({ logo: png.toString('base64') });
    const { logoUrl } = (await change({ color: '#000000' })).body.payPage;
    assert.ok(logoUrl, 'it stays until somebody removes it');
    assert.equal((await change({ logo: '' })).body.payPage.logoUrl, null);
    assert.equal((await fetch(service.url + new URL(logoUrl).pathname)).status, 404);
  });

  // Guarantee: origins are kept as browsers write them, each once; what is not given stays.
  test('200: origins that may embed the form', async () => {
    const given = ['https://Shop.Example/', 'https://shop.example:443', 'http://127.0.0.1:3001'];
    const kept = ['https://shop.example', 'http://127.0.0.1:3001'];
    assert.deepEqual((await change({ embedOrigins: given })).body.payPage.embedOrigins, kept);
    assert.deepEqual((await change({ color: '#000000' })).body.payPage.embedOrigins, kept);
    assert.deepEqual((await change({ embedOrigins: [] })).body.payPage.embedOrigins, []);
  });

  // Guarantee: what could break a policy is stopped by the database too.
  for (const origins of [['https://a.example; script-src *'], ['https://a.example b'], ['*'], ['']]) {
    test(`the schema refuses ${JSON.stringify(origins)}`, async () => {
      await change({ color: '#000000' });
      const write = service.world.db.sql.run`
        update pay_page set embed_origins = ${origins}::text[] where account_id = ${merchant.id}`;
      await assert.rejects(write, /pay_page_embed_origins_check/);
    });
  }

  // Guarantee: nothing that could run, nothing too large, nothing that a policy could be broken with.
  for (const [what, body, field] of [
    ['SVG', { logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }, 'logo'],
    ['HTML after a comment', { logo: Buffer.from('GIF89a<script>').toString('base64') }, 'logo'],
    ['too large', { logo: Buffer.concat([png, Buffer.alloc(102_400)]).toString('base64') }, 'logo'],
    ['not base64', { logo: 'a b' }, 'logo'],
    ['a color with more behind it', { color: '#000000;}' }, 'color'],
    ['a named color', { color: 'red' }, 'color'],
    ['an origin with a path', { embedOrigins: ['https://shop.example', 'https://shop.example/pay'] }, 'embedOrigins'],
    ['an origin with a wildcard', { embedOrigins: ['https://*.shop.example'] }, 'embedOrigins'],
    ['an origin without https', { embedOrigins: ['http://shop.example'] }, 'embedOrigins'],
    [
      'too many origins',
      { embedOrigins: Array.from({ length: 21 }, (_, index) => `https://shop-${index}.example`) },
      'embedOrigins',
    ],
    ['a language that we do not have', { language: 'cs' }, 'language'],
  ] as const) {
    test(`400: ${what}`, async () => {
      const answer = await change(body);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.errors[0].fieldName, field);
    });
  }

  // Guarantee: only owners change it; everybody of the account sees it.
  test('403: staff', async () => {
    const staff = await aPerson(service, 'staff', merchant.id);
    assert.equal((await staff.ask('GET', path)).status, 200);
    assert.equal((await change({ color: '#000000' }, staff)).status, 403);
  });

  for (const address of ['/assets/pay/colors/12345.css', '/assets/pay/colors/zzzzzz.css', '/assets/logos/abc']) {
    test(`404: ${address}`, async () => assert.equal((await fetch(service.url + address)).status, 404));
  }
});

// P95, P96: what an account shows to payers, and that the pay page follows.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPayPage } from '../support/payer.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

const path = '/panel/api/settings/pay-page';
/** The beginning and the end of each kind of file decide; what is between them does not matter here. */
function aPng(width: number, height = width): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000100000000', 'hex');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, Buffer.alloc(64), Buffer.from('0000000049454e44ae426082', 'hex')]);
}
function aJpeg(width: number, height = width): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    frame,
    Buffer.from('ffd9', 'hex'),
  ]);
}
const png = aPng(64);
const lossy = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const lossless = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const extended = Buffer.from('RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xcf\x07\0\xcf\x07\0\0\0\0\0\0\0\0\0', 'latin1');
const images = { 'image/png': png, 'image/jpeg': aJpeg(2_000, 10), 'image/webp': lossy };
const changed = (bytes: Buffer, at: number, byte: number) => Buffer.from(bytes).fill(byte, at, at + 1);
/** Files that are no whole images, or would need more memory than a payer's phone has. */
const refusedLogos: Readonly<Record<string, Buffer>> = {
  'PNG that is too wide': aPng(2_001, 1),
  'PNG that is too high': aPng(1, 16_300),
  'PNG without pixels': aPng(0, 1),
  'PNG that was cut off': png.subarray(0, -1),
  'the beginning of a PNG': png.subarray(0, 8),
  'JPEG that is too wide': aJpeg(2_001, 1),
  'JPEG that was cut off': aJpeg(64).subarray(0, -2),
  'JPEG with HTML': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('<html><script>alert(1)</script>')]),
  'JPEG without a frame': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  'WebP that is too wide, lossy': changed(lossy, 27, 0x3f),
  'WebP that is too wide, lossless': changed(lossless, 22, 0x3f),
  'WebP that is too wide, extended': changed(extended, 24, 0xd0),
  'WebP that was cut off': lossy.subarray(0, -1),
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
      cardUrl: null,
      mails: { paid: true, charged: true, chargeFailed: true, refunded: true, order: true },
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

  for (const [what, logo] of Object.entries({ lossless, extended, jpeg: aJpeg(1) })) {
    test(`200: a logo, ${what}`, async () => {
      assert.equal((await change({ logo: logo.toString('base64') })).status, 200);
    });
  }

  for (const [what, logo] of Object.entries(refusedLogos)) {
    test(`400: ${what}`, async () => {
      const answer = await change({ logo: logo.toString('base64') });
      assert.deepEqual([answer.status, answer.body.errors?.[0].fieldName], [400, 'logo'], answer.text);
    });
  }

  // Guarantee: nothing that could run, nothing too large, nothing that a policy could be broken with.
  for (const [what, body, field] of [
    ['SVG', { logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }, 'logo'],
    ['HTML after a comment', { logo: Buffer.from('GIF89a<script>').toString('base64') }, 'logo'],
    ['too large', { logo: Buffer.concat([png, Buffer.alloc(102_400)]).toString('base64') }, 'logo'],
    [
      'too large, and whole',
      { logo: Buffer.concat([png.subarray(0, -12), Buffer.alloc(102_400), png.subarray(-12)]).toString('base64') },
      'logo',
    ],
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
    ['an address without a scheme', { cardUrl: 'shop.example' }, 'cardUrl'],
    ['a script as an address', { cardUrl: 'javascript:alert(1)' }, 'cardUrl'],
    ['an address without a host', { cardUrl: 'https://:1' }, 'cardUrl'],
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

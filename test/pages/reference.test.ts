// The reference: what its page and its document contain besides the endpoints.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { endpoints } from '../../contract/endpoints.ts';
import { escapeHtml } from '../../src/kernel/index.ts';
import { sendRaw } from '../support/raw.ts';
import { aService, atEnd, type Service } from '../support/service.ts';

const client = { clientId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ-1', clientSecret: 'sesame<open>' };

suite('the reference', () => {
  let service: Service;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'grosz-reference-'));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    service = await aService({ config: { dataDir } });
  });

  const page = (host: string, more = '') =>
    sendRaw(service.url, `GET /docs/ HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);

  // Guarantee: the guides, the test values and the error codes are in the document, and no link of theirs is broken.
  test('the guides are inside', async () => {
    const { body } = await service.ask('GET', '/openapi.json');
    const tags = new Map<string, string>(
      body.tags.map(({ name, description = '' }: { name: string; description?: string }) => [name, description]),
    );
    for (const text of ['# Test values', '# Errors', '`idempotency_key_reused`'])
      assert.ok(body.info.description.includes(text));
    assert.match(tags.get('Transactions') ?? '', /## Paying on-site/);
    assert.match(tags.get('Notifications') ?? '', /webhook-signature/);
    assert.match(tags.get('Wallet') ?? '', /step by step/);
    const texts = [body.info.description, ...tags.values()].join('\n');
    const headings = [...body.info.description.matchAll(/^# (.+)$/gm)].map(
      ([, name]) => `#description/${String(name).toLowerCase().replaceAll(' ', '-')}`,
    );
    const known = new Set([
      ...headings,
      ...[...tags.keys()].map((name) => `#tag/${name.toLowerCase()}`),
      '/docs/errors',
      '/docs/panel/',
    ]);
    const links = [...texts.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 3);
    assert.deepEqual(
      links.filter((link) => !known.has(link) && !link.startsWith('https://')),
      [],
    );
  });

  // Guarantee: what there is can be read before the script has loaded, or without it.
  test('the page has text of its own', async () => {
    const { text } = await page(new URL(service.url).host);
    const shown = text.slice(text.indexOf('<body>'), text.indexOf('<script'));
    for (const { summary, method, path } of endpoints) {
      assert.ok(shown.includes(`<dt>${escapeHtml(summary)}</dt>`), summary);
      assert.ok(shown.includes(`<code>${method} ${path}</code>`), path);
    }
    for (const link of ['/openapi.json', '/docs/errors', '/docs/panel/'])
      assert.ok(shown.includes(`href="${link}"`), link);
  });

  // Guarantee: the panel's own endpoints have a document and a page of their own, with the guide of the panel.
  test('the panel has its own', async () => {
    const { body } = await service.ask('GET', '/openapi-panel.json');
    assert.equal(body.info.title, 'Grosz panel');
    assert.match(body.tags[0].description, /## /);
    const shown = await (await fetch(`${service.url}/docs/panel/`)).text();
    assert.match(shown, /"url":"\/openapi-panel\.json"/);
    assert.match(shown, /GET \/panel\/api\/session/);
  });

  // Guarantee: the demo's credential is filled in for whoever sits at this machine, and for no other name or place.
  test('the credential of the demo', async () => {
    const { host } = new URL(service.url);
    assert.doesNotMatch((await page(host)).text, /clientSecret/);
    const others = { readOnly: client, otherMerchant: client, partner: client };
    const demo = { merchant: { id: '1', ...client }, panel: {}, ...others };
    await writeFile(join(dataDir, 'demo.json'), JSON.stringify(demo));
    const filled = await page(host);
    assert.match(
      filled.text,
      /"x-scalar-client-id":"01K9Z4M7Q2V5X8B1C3D6F9G0HJ-1","clientSecret":"sesame\\u003copen>"/,
    );
    assert.equal(filled.headers.get('cache-control'), 'no-store');
    const read = async (from: string) => {
      const request = `GET /docs/openapi.json HTTP/1.1\r\nHost: ${from}\r\nConnection: close\r\n\r\n`;
      const { text, headers } = await sendRaw(service.url, request);
      return { document: JSON.parse(text), cache: headers.get('cache-control') };
    };
    const { document, cache } = await read(host);
    const { content } = document.paths['/oauth/auth'].post.requestBody;
    for (const { example } of Object.values<{ example: object }>(content)) {
      assert.deepEqual(example, { ...example, client_id: client.clientId, client_secret: client.clientSecret });
    }
    assert.equal(cache, 'no-store');
    assert.doesNotMatch(JSON.stringify((await read('pay.example.com')).document), /sesame/);
    assert.doesNotMatch(await (await fetch(`${service.url}/openapi.json`)).text(), /sesame/);
    for (const name of ['pay.example.com', `${host}.example.com`, 'localhost.evil.example'])
      assert.doesNotMatch((await page(name)).text, /sesame/);
    for (const header of ['X-Forwarded-For: 203.0.113.9', 'Forwarded: for=203.0.113.9', 'Via: 1.1 proxy'])
      assert.doesNotMatch((await page(host, `${header}\r\n`)).text, /sesame/);
    const behindProxy = await aService({ config: { dataDir, baseUrl: 'https://demo.example.com' } });
    assert.doesNotMatch(await (await fetch(`${behindProxy.url}/docs/`)).text(), /sesame/);
    const reachable = await aService({ config: { dataDir, host: '0.0.0.0' } });
    assert.doesNotMatch(await (await fetch(`${reachable.url}/docs/`)).text(), /sesame/);
  });
});

// `/` and unknown paths, as browsers and as programs see them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aService, type Service } from '../support/service.ts';

suite('pages around the API', () => {
  let service: Service;
  before(async () => {
    service = await aService();
  });

  const browse = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, ...init });

  // Guarantee: whoever opens the address of the service finds out what it is and where to go, and every link works.
  test('the start page', async () => {
    service.rooms.pages.link({ name: 'Demo <shop>', url: `${service.url}/health/live`, about: 'A & B' });
    const answer = await browse('/');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /text\/html/);
    const page = await answer.text();
    assert.match(page, /<h1>Grosz<\/h1>/);
    assert.match(page, /Demo &lt;shop&gt;/);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => new URL(url, service.url).href);
    assert.ok(links.length >= 5);
    for (const url of links) assert.equal((await fetch(url)).status, 200, url);
  });

  // Guarantee: a browser gets a page for an unknown address, which repeats nothing of it; programs get the envelope.
  test('404: a page for browsers, JSON for programs', async () => {
    const page = await browse('/nothing/<script>zebra');
    assert.equal(page.status, 404);
    const text = await page.text();
    assert.match(text, /There is nothing at this address/);
    assert.doesNotMatch(text, /zebra|<script/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const json = await service.ask('GET', '/nothing');
    assert.deepEqual([json.status, json.body.errors[0].errorCode], [404, 'not_found']);
    const posted = await browse('/nothing', { method: 'POST' });
    assert.match(posted.headers.get('content-type') ?? '', /application\/json/);
  });
});

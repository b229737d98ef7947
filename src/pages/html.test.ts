import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Html, html, type Part } from './html.ts';

suite('html', () => {
  // Guarantee: text from merchants or payers is shown as text, in content and in attributes.
  const cases: readonly (readonly [Part, string])[] = [
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    [`" onload='x' & more`, '&quot; onload=&#39;x&#39; &amp; more'],
    ['&amp;', '&amp;amp;'],
    ['plain', 'plain'],
    [html`<b>${'<'}</b>`, '<b>&lt;</b>'],
    [['<', html`<i></i>`, ['>']], '&lt;<i></i>&gt;'],
    [7, '7'],
    [0, '0'],
    [undefined, ''],
    [null, ''],
    [false, ''],
  ];
  for (const [part, expected] of cases) {
    test(expected || String(part), () => assert.equal(html`<p title="${part}">`.text, `<p title="${expected}">`));
  }

  // Guarantee: an object that merely looks like markup, such as one from JSON, is not treated as markup.
  test('only what this template made is markup', () => {
    const fake = { text: '<script>' } as unknown as Html;
    assert.equal(html`${fake}`.text, '');
  });
});

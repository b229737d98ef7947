import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maskedTexts, maskedUrl, withoutSecrets } from './mask.ts';

const key = 'AbCdEfGhIjKlMnOpQrStUv';

// Guarantee: no card number and nothing that could pay is in what the panel logs, however it was written.
suite('what could pay is hidden', () => {
  const texts: [string, string][] = [
    ['Tea 4111 1111 1111 1111', 'Tea (hidden)'],
    ['4111\u00a01111\u00a01111\u00a01111', '(hidden)'],
    ['4111\u20091111\u202f1111\u30001111', '(hidden)'],
    ['4111\u200b1111\u20111111\u20131111', '(hidden)'],
    ['4111 - 1111 - 1111 - 1111.', '(hidden).'],
    ['４１１１１１１１１１１１１１１１', '(hidden)'],
    ['123456789012345 4111111111111111', '(hidden)'],
    ['card_0123456789abcdef', '(hidden)'],
    ['https://shop.example/?card_token=abc&order=7', 'https://shop.example/?card_token=(hidden)&order=7'],
    [`https://grosz.example/pay/01K9Z4M7Q1T4W7A0B2C5E8F9GH.${key}/status`, 'https://grosz.example/pay/(hidden)/status'],
    [
      `returnUrl=https%3A%2F%2Fgrosz.example%2Fpay%2F01K9.${key}`,
      'returnUrl=https%3A%2F%2Fgrosz.example%2Fpay%2F(hidden)',
    ],
    ['2026-03-29 03:00:00', '2026-03-29 03:00:00'],
    ['+48 500 600 700', '+48 500 600 700'],
    ['01K9Z4M7Q1T4W7A0B2C5E8F9GH', '01K9Z4M7Q1T4W7A0B2C5E8F9GH'],
  ];
  for (const [text, shown] of texts) test(text, () => assert.equal(maskedTexts(text), shown));

  const urls: [string, string][] = [
    ['/transactions', '/transactions'],
    ['/transactions?page=2&q=a%20b+c', '/transactions?page=2&q=a%20b+c'],
    ['/transactions?q=4111+1111+1111+1111', '/transactions?q=(hidden)'],
    ['/transactions?q=4111%201111%c2%a01111%201111', '/transactions?q=(hidden)'],
    ['/transactions?q=%2534111111111111111', '/transactions?q=(hidden)'],
    ['/transactions?q=%ff4111%201111%201111%201111', '/transactions?q=\ufffd(hidden)'],
    ['/transactions?4111%201111%201111%201111', '/transactions?(hidden)'],
    ['/transactions/4111-1111-1111-1111', '/transactions/(hidden)'],
    ['/transactions/%34111111111111111?a', '/transactions/(hidden)?a'],
    [
      '/x?access_token=a&client%5Fsecret=b=c&Password=d&clientId=e',
      '/x?access_token=(hidden)&client%5Fsecret=(hidden)&Password=(hidden)&clientId=e',
    ],
  ];
  for (const [url, shown] of urls) test(url, () => assert.equal(maskedUrl(url), shown));

  test('in JSON: numbers, names, fields that are secret by their name', () => {
    const value = { pan: 4111111111111111, a: [4111111111111111, 12.34, 1e21], '4111111111111111': null };
    const shown = { pan: '(hidden)', a: ['(hidden)', 12.34, 1e21], '(hidden)': null };
    assert.deepEqual(withoutSecrets(value), shown);
    assert.deepEqual(withoutSecrets({ client_secret: 'a', 'access-token': 7, blikToken: { b: 1 }, name: 'c' }), {
      client_secret: '(hidden)',
      'access-token': '(hidden)',
      blikToken: '(hidden)',
      name: 'c',
    });
  });
});

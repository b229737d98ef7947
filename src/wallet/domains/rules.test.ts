// The domain check, as a table: what was seen, and which rules fail.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { domainSentences } from '../../../contract/codes/english/domains.ts';
import { sentenceOf } from '../../../contract/codes/message.ts';
import { domainRules } from '../../../contract/wallet.ts';
import { associationPath, checkDomain, type DomainRule, type Fetched } from './rules.ts';

const expected = Buffer.from('7B2276657273696F6E223A317D');
const good: Fetched = { isHttps: true, status: 200, fault: null, answer: expected };
const afterAnswer: readonly DomainRule[] = ['found', 'content'];
const all: readonly DomainRule[] = domainRules;
const allButReachable = all.filter((rule) => rule !== 'reachable');

const table: readonly (readonly [
  name: string,
  seen: Partial<Fetched>,
  cause: DomainRule | null,
  failing: readonly DomainRule[],
])[] = [
  ['the file', {}, null, []],
  ['the file with a line break', { answer: Buffer.concat([expected, Buffer.from('\r\n')]) }, null, []],
  ['the file over http', { isHttps: false }, null, []],
  ['no such name', { status: null, fault: 'name_not_found' }, 'reachable', all],
  ['no connection', { status: null, fault: 'connection_refused' }, 'reachable', all],
  ['no answer in time', { status: null, fault: 'timed_out' }, 'reachable', all],
  ['a private address', { status: null, fault: 'address_not_public' }, 'reachable', all],
  ['neither answer nor fault', { status: null }, 'reachable', all],
  ['an untrusted certificate', { status: null, fault: 'certificate_refused' }, 'tls', allButReachable],
  ['nothing there', { status: 404 }, 'found', afterAnswer],
  ['gone', { status: 410 }, 'found', afterAnswer],
  ['no content', { status: 204 }, 'found', afterAnswer],
  ['a password', { status: 401 }, 'no_authorization', [...afterAnswer, 'no_authorization']],
  ['forbidden', { status: 403 }, 'no_authorization', [...afterAnswer, 'no_authorization']],
  ['a redirect', { status: 301 }, 'no_redirect', [...afterAnswer, 'no_redirect']],
  ['a temporary redirect', { status: 307 }, 'no_redirect', [...afterAnswer, 'no_redirect']],
  ['a broken server', { status: 500 }, 'no_server_error', [...afterAnswer, 'no_server_error']],
  ['a server that is away', { status: 503 }, 'no_server_error', [...afterAnswer, 'no_server_error']],
  ['a page instead of the file', { answer: Buffer.from('<html></html>') }, 'content', ['content']],
  ['an empty file', { answer: Buffer.alloc(0) }, 'content', ['content']],
  ['a byte order mark', { answer: Buffer.concat([Buffer.from('\uFEFF'), expected]) }, 'content', ['content']],
  ['a huge file', { fault: 'answer_too_large' }, 'content', ['content']],
  ['a file cut short', { fault: 'timed_out' }, 'content', ['content']],
];

suite('the domain check', () => {
  // Guarantee: each fault of a domain fails its rule and says how to fix it.
  for (const [name, seen, cause, failing] of table) {
    test(`${name}: ${cause ?? 'passes'}`, () => {
      const { passed, rules } = checkDomain({ ...good, ...seen }, expected);
      assert.equal(passed, failing.length === 0);
      assert.deepEqual(
        rules.map(({ rule }) => rule),
        domainRules,
      );
      assert.deepEqual(
        rules.filter((rule) => !rule.passed).map(({ rule }) => rule),
        domainRules.filter((rule) => failing.includes(rule)),
      );
      for (const { rule, result } of rules.filter((one) => !one.passed)) {
        const detail = sentenceOf(domainSentences, result);
        assert.equal(result.code === 'not_checked', rule !== cause, detail);
        if (rule === cause) assert.match(detail, /\. \S.*\.$/, 'what was seen, and how to fix it');
      }
    });
  }
});

suite('what is reported', () => {
  const resultsOf = (seen: Partial<Fetched>) =>
    Object.fromEntries(checkDomain({ ...good, ...seen }, expected).rules.map(({ rule, result }) => [rule, result]));
  const codesOf = (seen: Partial<Fetched>) =>
    Object.fromEntries(Object.entries(resultsOf(seen)).map(([rule, { code }]) => [rule, code]));

  test('of a good file', () => {
    const codes = {
      reachable: 'server_answered',
      tls: 'certificate_trusted',
      no_redirect: 'no_redirect',
      no_authorization: 'file_public',
      no_server_error: 'no_server_error',
      found: 'file_found',
      content: 'file_right',
    };
    assert.deepEqual(codesOf({}), codes);
    assert.deepEqual(codesOf({ isHttps: false }), { ...codes, tls: 'not_encrypted' });
  });

  // Guarantee: each cause is named as what it was, with the status and the path that was asked for.
  for (const [seen, rule, code, status] of [
    [{ status: null, fault: 'name_not_found' }, 'reachable', 'name_not_known'],
    [{ status: null, fault: 'timed_out' }, 'reachable', 'no_answer_in_time'],
    [{ status: null, fault: 'address_not_public' }, 'reachable', 'address_not_public'],
    [{ status: null, fault: 'connection_refused' }, 'reachable', 'no_connection'],
    [{ status: null }, 'reachable', 'no_connection'],
    [{ status: null, fault: 'certificate_refused' }, 'tls', 'certificate_not_trusted'],
    [{ status: 300 }, 'no_redirect', 'redirects', 300],
    [{ status: 399 }, 'no_redirect', 'redirects', 399],
    [{ status: 299 }, 'found', 'file_missing', 299],
    [{ status: 400 }, 'found', 'file_missing', 400],
    [{ status: 401 }, 'no_authorization', 'asks_for_authorization', 401],
    [{ status: 407 }, 'no_authorization', 'asks_for_authorization', 407],
    [{ status: 408 }, 'found', 'file_missing', 408],
    [{ status: 499 }, 'found', 'file_missing', 499],
    [{ status: 500 }, 'no_server_error', 'server_failed', 500],
    [{ status: 599 }, 'no_server_error', 'server_failed', 599],
    [{ status: 600 }, 'found', 'file_missing', 600],
    [{ fault: 'timed_out' }, 'content', 'connection_broke'],
    [{ fault: 'answer_too_large' }, 'content', 'file_differs'],
    [{ answer: Buffer.from('other') }, 'content', 'file_differs'],
    [
      { answer: Buffer.concat([expected.subarray(0, 5), Buffer.from('\n'), expected.subarray(5)]) },
      'content',
      'file_differs',
    ],
  ] as const) {
    test(`${JSON.stringify({ ...seen, answer: undefined })}: ${code}`, () => {
      const parameters = status === undefined ? {} : { status, path: associationPath };
      assert.deepEqual(resultsOf(seen)[rule], { code, parameters });
    });
  }

  test('what could not be checked names the first rule that was in the way', () => {
    const { content, found } = resultsOf({ status: null, fault: 'certificate_refused' });
    assert.deepEqual(
      [content, found].map((one) => one?.parameters),
      [{ because: 'tls' }, { because: 'tls' }],
    );
    assert.deepEqual(resultsOf({ status: null }).content?.parameters, { because: 'reachable' });
    assert.deepEqual(resultsOf({ status: 404 }).content?.parameters, { because: 'found' });
  });

  test('the path is that of the vendor', () => {
    assert.equal(associationPath, '/.well-known/wallet-developer-merchantid-domain-association');
  });
});

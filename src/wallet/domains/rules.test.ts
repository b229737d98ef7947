// The domain check, as a table: what was seen, and which rules fail.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { domainSentences } from '../../../contract/codes/english/domains.ts';
import { sentenceOf } from '../../../contract/codes/message.ts';
import { domainRules } from '../../../contract/wallet.ts';
import { checkDomain, type DomainRule, type Fetched } from './rules.ts';

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

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readSender, replyAddress, senderOf } from './sender.ts';

suite('who a mail is from', () => {
  const shop = { name: 'Tea House', email: 'tea@example.com' };

  // Guarantee: payers see the shop and who sends for it, whatever the operator has set; the address is the operator's.
  for (const [from, operatorName, shown] of [
    ['Grosz <no-reply@pay.example>', undefined, 'Tea House via Grosz'],
    ['Grosz <no-reply@pay.example>', 'Płatności SA', 'Tea House via Płatności SA'],
    ['"Pay, Inc." <no-reply@pay.example>', undefined, 'Tea House via Pay, Inc.'],
    ['no-reply@pay.example', undefined, 'Tea House via pay.example'],
    ['<no-reply@pay.example>', 'Grosz', 'Tea House via Grosz'],
  ] as const) {
    test(`${from}, ${operatorName ?? 'no name'}`, () => {
      const operator = readSender(from, operatorName);
      assert.deepEqual(senderOf(operator, shop), { name: shown, address: 'no-reply@pay.example' });
      assert.equal(operator.domain, 'pay.example');
    });
  }

  // Guarantee: a mail of the operator itself, such as an invitation, has its name only, and replies go to it.
  test('the operator itself', () => {
    const operator = readSender('Grosz <no-reply@pay.example>', 'Płatności SA');
    assert.deepEqual(senderOf(operator, undefined), { name: 'Grosz', address: 'no-reply@pay.example' });
    assert.deepEqual(replyAddress(undefined), {});
  });

  // Guarantee: a shop's name is one line and looks like no address.
  for (const [name, shown] of [
    ['Tea\r\nBcc: all@example.com', 'Tea Bcc: all example.com via Grosz'],
    ['Bank <help@bank.example>', 'Bank help bank.example via Grosz'],
    ['"Tea" \\ House', 'Tea House via Grosz'],
    ['Tea\u202egpj\u0000', 'Tea gpj via Grosz'],
    ['x'.repeat(300), `${'x'.repeat(100)} via Grosz`],
    [' \n ', 'Grosz'],
  ] as const) {
    test(JSON.stringify(name.slice(0, 40)), () => {
      const operator = readSender('Grosz <no-reply@pay.example>', undefined);
      assert.equal(senderOf(operator, { name, email: '' }).name, shown);
    });
  }

  // Guarantee: replies go to one address, or nowhere else than to the operator.
  for (const [email, address] of [
    ['tea@example.com', 'tea@example.com'],
    ['herbata+1@żółw.example', 'herbata+1@żółw.example'],
    ['', undefined],
    ['tea', undefined],
    ['a@example.com, b@example.com', undefined],
    ['a@example.com\r\nBcc: b@example.com', undefined],
    ['<a@example.com>', undefined],
    ['"a b"@example.com', undefined],
  ] as const) {
    test(`replies to ${JSON.stringify(email)}`, () => {
      assert.equal(replyAddress({ name: 'Tea', email }).replyTo?.address, address);
    });
  }
});

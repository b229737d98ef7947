import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { suite, test } from 'node:test';
import { languages } from '../../contract/languages.ts';
import { methodNames } from '../../contract/methods.ts';
import { money, type Refusal } from '../kernel/index.ts';
import { dataFields, methodOfData } from './instrument.ts';
import { allowsAmount, limitFaults, refuseOutsideLimits } from './limits.ts';
import { enabledMethod, methodOf, methodOfRecurring, methods } from './list.ts';
import { methodFacts } from './mail.ts';

// Guarantee: both ends of the limits are taken, and nothing beyond them; without limits every amount is.
test('limits', () => {
  const limits = { least: 10, most: 5_000 };
  const taken = (minor: bigint) => allowsAmount({ limits }, money(minor, 'PLN'));
  assert.deepEqual([999n, 1_000n, 500_000n, 500_001n].map(taken), [false, true, true, false]);
  assert.ok(allowsAmount({}, money(1n, 'PLN')));
  assert.throws(
    () => refuseOutsideLimits({ limits }, money(999n, 'PLN'), 'pay.'),
    ({ faults: [fault] }: Refusal) =>
      fault?.field === 'pay.channelId' && fault.message === 'Takes amounts from 10 to 5000.',
  );
  const [fault] = limitFaults({ limits }, money(500_001n, 'PLN'), 'preSelectedChannelId');
  assert.deepEqual([fault?.code, fault?.field], ['not_valid', 'preSelectedChannelId']);
  assert.deepEqual(limitFaults(undefined, money(1n, 'PLN'), 'preSelectedChannelId'), []);
});

function twice<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

suite('the list of methods', () => {
  // Guarantee: a number, a group, a field or an instrument leads to one method.
  test('nothing that a method is found by belongs to two of them', () => {
    assert.deepEqual(methods.map(({ method }) => method).sort(), methodNames.toSorted());
    for (const key of ['id', 'groupId', 'name'] as const) assert.deepEqual(twice(methods.map((one) => one[key])), []);
    assert.deepEqual(twice(dataFields), []);
    assert.deepEqual(twice(methods.flatMap(({ recurring }) => recurring ?? [])), []);
  });

  for (const one of methods) {
    const { method, id, groupId, form, dataField, recurring, instantRedirection, limits, words } = one;

    test(`${method}: found by everything that it has`, () => {
      assert.equal(methodOf(id), one);
      assert.equal(enabledMethod([id], { id }), one);
      assert.equal(enabledMethod([id], { groupId }), one);
      assert.equal(enabledMethod([], { id }), undefined, 'not enabled');
      if (dataField) assert.equal(methodOfData(dataField), one);
      if (recurring) assert.equal(methodOfRecurring(recurring), one);
    });

    // Guarantee: no payer meets a method without a picture, a name or a button.
    test(`${method}: a picture, and words in every language`, () => {
      assert.ok(existsSync(new URL(`../../web/pay/methods/${method}.svg`, import.meta.url)), 'web/pay/methods');
      for (const language of languages) {
        const { name, hint, form: texts } = words[language];
        assert.ok(name !== '' && hint !== '', language);
        assert.equal(texts !== undefined, form === 'redirect', `${language}: the words of the button`);
        assert.equal(methodFacts(language, id, null).length, 1, `${language}: a line in mails`);
      }
    });

    test(`${method}: pays with data, or redirects`, () => {
      assert.notEqual(dataField !== undefined, instantRedirection);
      if (limits) assert.ok(limits.least < limits.most);
    });
  }
});

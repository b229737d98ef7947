// P41 to P43: saved views.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;
let person: TestPerson;

const path = '/panel/api/views';
const view = { screen: 'transactions', name: 'Refunded', query: 'status=refund' };

const namesOf = async (who: TestPerson, query = '') =>
  (await who.ask('GET', `${path}${query}`)).body.views.map((one: { name: string }) => one.name);

before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
  person = await aPerson(service, 'read_only', merchant.id);
});

suite('saved views', () => {
  test('201, listed by name, replaced under the same name, deleted', async () => {
    const made = await person.ask('POST', path, { body: view });
    assert.equal(made.status, 201, made.text);
    const { viewId, ...shown } = made.body.view;
    assert.deepEqual({ ...shown, createdAt: '' }, { ...view, createdAt: '' });
    await person.ask('POST', path, { body: { ...view, name: 'All', query: '' } });
    await person.ask('POST', path, { body: { ...view, screen: 'ledger', name: 'Fees' } });
    assert.deepEqual(await namesOf(person, '?screen=transactions'), ['All', 'Refunded']);
    assert.deepEqual(await namesOf(person), ['Fees', 'All', 'Refunded']);
    const again = await person.ask('POST', path, { body: { ...view, query: 'status=paid' } });
    assert.deepEqual([again.body.view.viewId, again.body.view.query], [viewId, 'status=paid']);
    assert.equal((await person.ask('DELETE', `${path}/${viewId}`)).status, 200);
    assert.deepEqual(await namesOf(person, '?screen=transactions'), ['All']);
    assert.equal((await person.ask('DELETE', `${path}/${viewId}`)).status, 404);
  });

  // Guarantee: views are of one person and one account.
  test('nobody else sees or deletes them', async () => {
    const { body } = await person.ask('POST', path, { body: { ...view, name: 'Mine' } });
    const colleague = await aPerson(service, 'owner', merchant.id);
    assert.deepEqual(await namesOf(colleague), []);
    assert.equal((await colleague.ask('DELETE', `${path}/${body.view.viewId}`)).status, 404);
    const operator = await aPerson(service, 'operator', null);
    assert.deepEqual(await namesOf(operator.as(merchant.id)), []);
    assert.equal((await service.ask('GET', path)).status, 401);
    assert.equal((await operator.ask('GET', path)).status, 403);
  });

  test('400: names and screens, and more than 100', async () => {
    const owner = await aPerson(service, 'owner', merchant.id);
    for (const [body, fault] of [
      [{ ...view, name: '' }, 'too_short name'],
      [{ ...view, screen: '../x' }, 'not_valid screen'],
      [{ ...view, query: 'x'.repeat(2_001) }, 'too_long query'],
    ] as const) {
      const answer = await owner.ask('POST', path, { body });
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, fault]);
    }
    for (let number = 1; number <= 100; number += 1) {
      service.world.wall.advance({ milliseconds: 20 });
      const answer = await owner.ask('POST', path, { body: { ...view, name: `View ${number}` } });
      assert.equal(answer.status, 201, answer.text);
    }
    const full = await owner.ask('POST', path, { body: { ...view, name: 'One more' } });
    assert.deepEqual([full.status, ...faultsOf(full)], [400, 'too_many']);
    assert.equal((await owner.ask('POST', path, { body: { ...view, name: 'View 7' } })).status, 201);
  });
});

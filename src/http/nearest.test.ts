import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { endpoints } from '../../contract/endpoints.ts';
import { panelEndpoints } from '../../contract/panel/endpoints.ts';
import { nearestPath } from './nearest.ts';

const known = [...Map.groupBy([...endpoints, ...panelEndpoints], ({ path }) => path)].map(([path, of]) => ({
  path,
  methods: of.map(({ method }) => method),
}));

suite('the nearest path', () => {
  // Guarantee: usual mistakes lead to the path that was meant.
  for (const [method, given, meant] of [
    ['POST', '/transaction', '/transactions'],
    ['POST', '/Transactions', '/transactions'],
    ['POST', '/v1/transactions', '/transactions'],
    ['POST', '/api/oauth/auth', '/oauth/auth'],
    ['POST', '/oauth/token', '/oauth/auth'],
    ['GET', '/transactions/01K9Z4M7Q2V5X8B1C3D6F9G0HJ/refund', '/transactions/{transactionId}/refunds'],
    ['POST', '/transactions/01K9Z4M7Q2V5X8B1C3D6F9G0HJ/payy', '/transactions/{transactionId}/pay'],
    ['POST', '/marketplace/transaction', '/marketplace/v1/transaction'],
    ['POST', '/marketplace/v1/transactions', '/marketplace/v1/transaction'],
    ['GET', '/recuring/01K9Z4M7Q2V5X8B1C3D6F9G0HJ', '/recurring/{recurringId}'],
    ['GET', '/payments', undefined],
    ['GET', '/favicon.ico', undefined],
    ['GET', '/', undefined],
  ] as const) {
    test(`${method} ${given}: ${meant ?? 'nothing'}`, () => {
      assert.equal(nearestPath(method, given, known)?.path, meant);
    });
  }

  // Guarantee: nobody can make the comparison long.
  test('long paths are not compared', () => {
    const began = performance.now();
    for (let round = 0; round < 100; round += 1) {
      nearestPath('GET', `/${'transactionz/'.repeat(8)}`, known);
      nearestPath('GET', `/${'x'.repeat(127)}`, known);
      nearestPath('GET', `/${'x'.repeat(60_000)}`, known);
    }
    assert.ok(performance.now() - began < 1_000);
  });
});

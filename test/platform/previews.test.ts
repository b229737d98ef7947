// Parameters that ask for a preview: 400 wherever there is none.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { endpoints } from '../../contract/endpoints.ts';
import { panelEndpoints } from '../../contract/panel/endpoints.ts';
import { aChild, aPaidSplit, aPartner, balancesOf, refundSplit } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aPaidTransaction, aTransaction, checkInvariants, show } from '../support/payments.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

const someId = '01JZ8D3K7R4M5N6P7Q8R9S0T1V';

suite('previews', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { requestsPerSecond: 1_000_000 }, 'operator');
    await fund(service, merchant, 1_000_000n);
  });

  const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, someId);

  // Guarantee: whoever asks to look at a refund never makes it.
  test('E4 400: nothing is refunded, however the preview is spelled', async () => {
    const id = await aPaidTransaction(service, merchant, {});
    const path = `/transactions/${id}/refunds`;
    const { token } = merchant;
    for (const name of ['dryRun', 'dry_run', 'dryrun', 'DRY-RUN', 'preview', 'validateOnly', 'isDryRun', 'simulate']) {
      for (const value of ['true', 'false', '1', '']) {
        const inQuery = await service.ask('POST', `${path}?${name}=${value}`, { token, body: {} });
        assert.deepEqual([inQuery.status, faultsOf(inQuery)], [400, [`unexpected_field ${name}`]]);
      }
      for (const value of [true, false, null, 'no']) {
        const inBody = await service.ask('POST', path, { token, body: { [name]: value } });
        assert.deepEqual([inBody.status, faultsOf(inBody)], [400, [`unexpected_field ${name}`]]);
      }
    }
    for (const [name, value] of [
      ...[
        'x-dry-run',
        'x-dryrun',
        'dryrun',
        'Dry-Run',
        'preview',
        'X-Preview',
        'x-validate-only',
        'x-simulate',
        'X-Grosz-Dry-Run',
        'Grosz-Preview',
      ].map((name): [string, string] => [name, 'true']),
      ...['dry-run', 'return=minimal, dryRun', 'handling=strict; preview=1', 'mode="validate-only"'].map(
        (value): [string, string] => ['prefer', value],
      ),
      ...['x-request-mode', 'mode'].map((name): [string, string] => [name, 'preview']),
    ]) {
      const header = await service.ask('POST', path, { token, body: {}, headers: { [name]: value } });
      assert.deepEqual([header.status, faultsOf(header)], [400, [`unexpected_field ${name.toLowerCase()}`]], value);
    }
    assert.equal((await show(service, merchant, id)).body.status, 'paid');
    await checkInvariants(service.world);
  });

  // Guarantee: also where the endpoint takes no body, and reads none: whatever the type, the length and the nesting.
  test('T3 400: nothing is canceled by a body or a query that asks for a preview', async () => {
    const { token } = merchant;
    const id = await aTransaction(service, merchant);
    const path = `/transactions/${id}/cancel`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
    const json = { 'content-type': 'application/json' };
    for (const [raw, headers] of [
      ['dryRun=true', form],
      ['a=1&options%5BdryRun%5D=true', form],
      ['--b\r\nContent-Disposition: form-data; name="dryRun"\r\n\r\ntrue\r\n--b--\r\n', multipart],
      [JSON.stringify({ dryRun: true, note: 'x'.repeat(3_000) }), json],
      ['[{"dryRun":true}]', json],
      ['\ufeff{"dryRun":true}', json],
      ['{"options":[{"dryRun":true}]}', json],
    ] as const) {
      const refused = await service.ask('POST', path, { token, raw, headers });
      assert.equal(refused.status, 400, `${raw.slice(0, 60)}: ${refused.text}`);
      assert.match(faultsOf(refused).join(), /^unexpected_field (options\.)?dryRun$/);
    }
    for (const query of ['options[dryRun]=true', 'options.dryRun=true', 'dryRun[]=1']) {
      const refused = await service.ask('POST', `${path}?${query}`, { token });
      assert.deepEqual([refused.status, faultsOf(refused)], [400, [`unexpected_field ${query.split('=')[0]}`]]);
    }
    assert.equal((await show(service, merchant, id)).body.status, 'pending');
    for (const raw of ['dry=run', 'not JSON', '[[[{}]]]', '7'])
      assert.notEqual((await service.ask('POST', path, { token, raw, headers: form })).status, 400, raw);
  });

  // Guarantee: the same for every request that writes, also those that are added later.
  test('400 from every endpoint that writes', async () => {
    const owner = await aPerson(service, 'owner', merchant.id);
    const operator = await aPerson(service, 'operator', null);
    // Others are refused by their right before anything else.
    const partner = await aPartner(service, [], { requestsPerSecond: 1_000_000 });
    const writing = [...endpoints, ...panelEndpoints].filter(({ method }) => method !== 'GET');
    assert.ok(writing.length > 50);
    for (const { id, method, path, access } of writing) {
      service.world.wall.advance({ seconds: 1 });
      const { token } = /^\/(accounts|marketplace)\//.test(`${path}/`) ? partner : merchant;
      const ask = path.startsWith('/panel/')
        ? access === 'operator'
          ? operator.ask
          : owner.ask
        : (given: string, where: string, asking: object) => service.ask(given, where, { token, ...asking });
      const places = [
        ...(id === 'M3' ? [] : [ask(method, `${pathOf(path)}?dryRun=true`, {})]),
        ask(method, `${pathOf(path)}?${Array.from({ length: 40 }, (_, n) => `u${n}=1`).join('&')}&dry_run=1`, {}),
        ...(method !== 'DELETE' ? [ask(method, pathOf(path), { body: { validateOnly: true } })] : []),
        ...(method !== 'DELETE' ? [ask(method, pathOf(path), { body: { options: { dryRun: true } } })] : []),
      ];
      for (const answer of await Promise.all(places)) {
        assert.equal(answer.status, 400, `${id} ${method} ${path}: ${answer.text}`);
        assert.match(faultsOf(answer).join(), /^unexpected_field /, id);
      }
    }
  });

  // Guarantee: reading is not affected, and neither are other unknown names.
  test('200: where nothing is written', async () => {
    const { token } = merchant;
    assert.equal((await service.ask('GET', '/transactions?dryRun=true', { token })).status, 200);
    const body = { amount: 1, description: 'x', payer: { email: 'a@example.com', name: 'A' }, dryer: 1 };
    const made = await service.ask('POST', '/transactions?running=dry', { token, body });
    assert.equal(made.status, 200, made.text);
    assert.equal(made.headers.get('x-ignored-fields'), 'running, dryer');
  });

  // Guarantee: nobody is refused who asks for no preview, or who has such a name among data of their own.
  test('E1: false and null ask for no preview, and neither do names inside unknown objects', async () => {
    const { token } = merchant;
    const body = { amount: 1, description: 'x', payer: { email: 'a@example.com', name: 'A' } };
    for (const more of [
      { preview: false },
      { preview: null },
      { noop: null },
      { metadata: { preview: 'yes' } },
      { options: { dryRun: false } },
      { options: { metadata: { preview: 'yes' } } },
      { payer: { ...body.payer, preview: null } },
    ]) {
      const made = await service.ask('POST', '/transactions', { token, body: { ...body, ...more } });
      assert.equal(made.status, 200, `${JSON.stringify(more)}: ${made.text}`);
    }
    for (const [more, field] of [
      [{ preview: true }, 'preview'],
      [{ preview: 'false' }, 'preview'],
      [{ preview: 0 }, 'preview'],
      [{ preview: {} }, 'preview'],
      [{ options: { dryRun: true } }, 'options.dryRun'],
      [{ payer: { ...body.payer, preview: true } }, 'payer.preview'],
    ] as const) {
      const refused = await service.ask('POST', '/transactions', { token, body: { ...body, ...more } });
      assert.deepEqual([refused.status, faultsOf(refused)], [400, [`unexpected_field ${field}`]]);
    }
    const headers = {
      prefer: 'return=minimal',
      'x-request-id': 'preview',
      'x-preview-image': '1',
      'sec-fetch-mode': 'cors',
    };
    const made = await service.ask('POST', '/transactions', { token, body, headers });
    assert.equal(made.status, 200, made.text);
  });

  // Guarantee: the body of a marketplace refund has no preview, whatever its value.
  test('M3 400: a preview in the body', async () => {
    const partner = await aPartner(service);
    const id = await aPaidSplit(service, partner, [aChild(partner, 0, 10_000)]);
    const balances = await balancesOf(service, partner);
    for (const dryRun of [true, false, null]) {
      const refused = await refundSplit(service, partner, id, { dryRun });
      assert.deepEqual([refused.status, faultsOf(refused)], [400, ['unexpected_field dryRun']]);
    }
    assert.deepEqual(await balancesOf(service, partner), balances);
  });

  // Guarantee: the logs tell a preview from a refund.
  test('M3: a preview moves nothing, is not in the audit log, and is one in the log of requests', async () => {
    const partner = await aPartner(service);
    const id = await aPaidSplit(service, partner, [aChild(partner, 0, 10_000)]);
    const owner = await aPerson(service, 'owner', partner.id);
    const balances = await balancesOf(service, partner);
    const preview = await refundSplit(service, partner, id, {}, '?dryRun=true');
    assert.ok(preview.status === 200 && preview.body.preview, preview.text);
    const path = `/panel/api/merchant/marketplace/v1/transaction/${id}/refund`;
    assert.equal((await owner.ask('POST', `${path}?dryRun=true`, { body: {} })).status, 200);
    assert.deepEqual(await balancesOf(service, partner), balances);
    const actions = async () =>
      (await owner.ask('GET', '/panel/api/audit')).body.entries.map(({ action }: { action: string }) => action);
    assert.deepEqual(await actions(), ['sign_in']);
    assert.equal((await owner.ask('POST', path, { body: {} })).status, 200);
    assert.deepEqual(await actions(), ['M3', 'sign_in']);
    await service.rooms.panel.requests.flush();
    const { requests } = (await owner.ask('GET', '/panel/api/requests?endpoint=M3')).body;
    assert.deepEqual(
      requests.map((one: { path: string }) => one.path),
      [`/marketplace/v1/transaction/${id}/refund?dryRun=true`],
    );
    await checkInvariants(service.world);
  });
});

// Who may do what: every endpoint of the panel, own and of the API, by every role.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Access, Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { panelEndpoints } from '../../contract/panel/endpoints.ts';
import { aPartner } from '../support/marketplace.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { type Answer, aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

/** In an address where an id is expected: well-formed, and nobody's. */
const nobodys = '01JZ8D3K7R4M5N6P7Q8R9S0T1V';

interface Served {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly access: Access;
}

function served(endpoint: Endpoint, prefix: string): Served {
  const { id, method, path, access } = endpoint;
  return {
    name: `${id} ${method} ${prefix}${path}`,
    method,
    url: `${prefix}${path.replaceAll(/\{\w+\}/g, nobodys)}`,
    access,
  };
}

const all: readonly Served[] = [
  ...panelEndpoints.map((endpoint) => served(endpoint, '')),
  ...endpoints
    .filter(({ access, tag }) => access !== 'none' && tag !== 'Access')
    .map((endpoint) => served(endpoint, '/panel/api/merchant')),
];

/** Would sign the person out, or never ends. */
const apart = /sign-out|end-others|\/live$/;

type Role =
  | 'nobody'
  | 'read_only'
  | 'staff'
  | 'owner'
  | 'partner looking at a seller'
  | 'operator'
  | 'operator looking';

/** What each role may do: reading with what they see, writing, what is for owners, what is for operators. */
const may: Record<Role, readonly Access[]> = {
  nobody: ['none'],
  read_only: ['none', 'read'],
  staff: ['none', 'read', 'write'],
  owner: ['none', 'read', 'write', 'owner'],
  'partner looking at a seller': ['none', 'read'],
  operator: ['none', 'read', 'write', 'owner', 'operator'],
  'operator looking': ['none', 'read'],
};

const isDenied = ({ status, body }: Answer) =>
  status === 401
    ? body.errors[0].errorCode === 'invalid_token'
    : status === 403 && body.errors[0].errorCode === 'access_denied';

suite('who may do what', () => {
  let service: Service;
  let merchant: TestMerchant;
  let people: Record<Exclude<Role, 'nobody'>, TestPerson>;

  before(async () => {
    service = await aService({ config: { requestsPerSecond: 1_000_000 } });
    merchant = await aMerchant(service);
    const partner = await aPartner(service);
    const operator = await aPerson(service, 'operator', null);
    people = {
      read_only: await aPerson(service, 'read_only', merchant.id),
      staff: await aPerson(service, 'staff', merchant.id),
      owner: await aPerson(service, 'owner', merchant.id),
      'partner looking at a seller': (await aPerson(service, 'owner', partner.id)).as(partner.sellers[0]?.id ?? ''),
      operator,
      'operator looking': operator.as(merchant.id),
    };
  });

  for (const role of Object.keys(may) as Role[]) {
    // Guarantee: nobody does more than their role allows, whatever the endpoint, and nobody is kept from what it allows.
    test(role, async () => {
      const wrong: string[] = [];
      for (const { name, method, url, access } of all.filter(({ url: one }) => !apart.test(one))) {
        // Time passes, so that no rate limit applies.
        service.world.wall.advance({ milliseconds: 100 });
        const asking = method === 'GET' ? {} : { body: {} };
        const answer = await (role === 'nobody' ? service : people[role]).ask(method, url, asking);
        const expected = !may[role].includes(access);
        // An operator without an account is asked to choose one; what the account itself may not do is another matter.
        const isOfAccount =
          (role === 'operator' && answer.text.includes('Choose an account first.')) ||
          answer.text.includes('The account is not in the partner program.');
        if (answer.status >= 500 || (isDenied(answer) !== expected && !isOfAccount))
          wrong.push(`${name}: ${answer.status} ${answer.text}`);
      }
      assert.deepEqual(wrong, []);
    });
  }

  test('the account of a stranger cannot be looked at', async () => {
    const other = await aMerchant(service);
    const partner = await aPartner(service);
    for (const person of [people.owner, people.staff, await aPerson(service, 'owner', partner.id)]) {
      for (const id of [other.id, nobodys, 'nonsense', '']) {
        const answer = await person.as(id).ask('GET', '/panel/api/settings');
        assert.equal(answer.status, 404, id);
      }
    }
  });

  test('a blocked account signs its people out, and a blocked user is signed out', async () => {
    const other = await aMerchant(service);
    const [owner, staff] = [await aPerson(service, 'owner', other.id), await aPerson(service, 'staff', other.id)];
    const blocked = await owner.ask('POST', `/panel/api/users/${staff.id}`, { body: { blocked: true } });
    assert.equal(blocked.body.user.status, 'blocked');
    assert.equal((await staff.ask('GET', '/panel/api/session')).status, 401);
    await people.operator.ask('POST', `/panel/api/operator/accounts/${other.id}`, { body: { status: 'blocked' } });
    assert.equal((await owner.ask('GET', '/panel/api/session')).status, 401);
  });
});

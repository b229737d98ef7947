// Names that occur twice in a body: every name of every body that the contract has an example of, in every spelling,
// and what is read outside the contract. Parsers keep one of two values, so each must be refused and named.

import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { panelEndpoints } from '../../contract/panel/endpoints.ts';
import { aPerson } from '../support/panel.ts';
import { aPayPage } from '../support/payer.ts';
import { acquirerPlaces } from '../support/places.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service } from '../support/service.ts';
import { isOver, noneOf, type ProveOptions, type Seen } from './figure.ts';

const someId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** A body with a name twice, and the path that the response must name. */
export interface Doubled {
  readonly field: string;
  readonly text: string;
}

const escaped = (name: string) =>
  `"${[...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
const spellings: readonly ((name: string) => string)[] = [
  JSON.stringify,
  escaped,
  (name) => `${JSON.stringify(name)} \n`,
];

/** The value as JSON with one of its names twice: once for each name in it and each spelling. */
function* doubledIn(value: unknown, path: readonly string[] = []): Generator<Doubled> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  const text = (changed?: string, inner?: string) => {
    const parts = members.map(([name, item]) => {
      const shown = name === changed && inner !== undefined ? inner : JSON.stringify(item);
      return isList ? shown : `${JSON.stringify(name)}:${shown}`;
    });
    return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
  };
  for (const [name, item] of members) {
    for (const inner of doubledIn(item, [...path, name])) yield { ...inner, text: text(name, inner.text) };
    if (isList) continue;
    // Before and after the one that is there: neither the first nor the last may win.
    for (const spell of spellings) {
      const field = [...path, name].join('.');
      yield { field, text: text().replace(/^\{/, () => `{${spell(name)}:${JSON.stringify(item)},`) };
      yield { field, text: text().replace(/\}$/, () => `,${spell(name)}:null}`) };
    }
  }
}

/** The example of an endpoint, or an unknown name: where every field is optional the example may be empty. */
function exampleOf({ example }: Endpoint): object {
  const given = example.request;
  const isEmpty = typeof given !== 'object' || given === null || Object.keys(given).length === 0;
  return isEmpty ? { amount: 1, inner: { unknown: [1, { name: 2 }] } } : given;
}

interface Attempt {
  readonly name: string;
  readonly field: string;
  readonly send: () => Promise<Answer>;
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Of the API with a token; of the panel, and of the API in the panel, with a session. */
async function* ofContract(service: Service): AsyncGenerator<Attempt> {
  const { token, id } = await aMerchant(service, { kind: 'partner' }, 'operator');
  const [owner, operator] = [await aPerson(service, 'owner', id), await aPerson(service, 'operator', null)];
  const mirrored = endpoints.map((endpoint) => ({ ...endpoint, path: `/panel/api/merchant${endpoint.path}` }));
  for (const endpoint of [...endpoints, ...panelEndpoints, ...mirrored]) {
    if (!endpoint.body || (mirrored.includes(endpoint) && ['none', 'operator'].includes(endpoint.access))) continue;
    const path = endpoint.path.replaceAll(/\{\w+\}/g, someId);
    const person = endpoint.access === 'operator' ? operator : owner;
    const isOfPanel = path.startsWith('/panel/');
    for (const { field, text } of doubledIn(exampleOf(endpoint))) {
      const asking = { raw: text, headers: json };
      const send = () =>
        isOfPanel
          ? person.ask(endpoint.method, path, asking)
          : service.ask(endpoint.method, path, { ...asking, token });
      yield { name: `${endpoint.id} ${path} ${text}`, field, send };
    }
  }
}

/** Forms, callbacks of an acquirer, messages to the simulated bank, the simulated device. */
async function* ofOthers(service: Service): AsyncGenerator<Attempt> {
  const merchant = await aMerchant(service);
  const page = new URL((await aPayPage(service, merchant)).url).pathname;
  const parts = ['a', 'b'].map(
    (value) => `--x\r\nContent-Disposition: form-data; name="client_id"\r\n\r\n${value}\r\n`,
  );
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  const post =
    (path: string, body: string, headers: Record<string, string>, url = service.url) =>
    () =>
      plainAnswer(url + path, body, headers);
  yield { name: 'token form', field: 'client_id', send: post('/oauth/auth', 'client_id=a&client%5Fid=b', form) };
  yield { name: 'token parts', field: 'client_id', send: post('/oauth/auth', `${parts.join('')}--x--\r\n`, multipart) };
  yield { name: 'pay form', field: '', send: post(page, 'method=64&attempt=1&blik=777123&blik=777124', form) };
  for (const { field, text } of doubledIn({ session: { a: 1 }, amount: '1', currencyCode: 'PLN', card: 'visa' }))
    yield { name: `device ${text}`, field, send: post('/wallet/device/payment', text, json) };
  const message = { kind: 'charge', key: 'A', result: { kind: 'approved', reference: 'R' }, amount: { value: '1.00' } };
  for (const { url, path, signed } of (await acquirerPlaces(service)).filter((place) => place.signed))
    for (const { field, text } of doubledIn(message)) {
      yield { name: `${path} ${text}`, field, send: post(path, text, { ...json, ...signed?.(text) }, url) };
    }
}

/** Pages and the bank's host have no envelope. */
async function plainAnswer(url: string, body: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Whether the response is 400 and says which field it was: pages in words only, the bank's host in its own form. */
function isNamed({ status, body }: Answer, field: string): boolean {
  if (status !== 400) return false;
  if (field === '' || body?.field === field) return true;
  return body?.errors !== undefined && faultsOf({ body } as Answer).includes(`duplicate_field ${field}`);
}

export async function proveDuplicates(options: ProveOptions): Promise<Seen[]> {
  const service = await aService({ config: { requestsPerSecond: 1_000_000 } });
  let [tried, accepted] = [0, 0];
  for (const attempts of [ofOthers(service), ofContract(service)]) {
    for await (const { name, field, send } of attempts) {
      if (isOver(options)) break;
      service.world.wall.advance({ milliseconds: 20 });
      tried += 1;
      const answer = await send();
      if (isNamed(answer, field)) continue;
      accepted += 1;
      options.print(`  ${answer.status} ${answer.text.slice(0, 200)}: ${name.slice(0, 300)}, ${field}`);
    }
  }
  return [noneOf('duplicated names accepted', accepted, tried, tried)];
}

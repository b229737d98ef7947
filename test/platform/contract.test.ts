// The contract: one table of endpoints, from which validation, types and the API's description are derived.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { type Endpoint, usualBodyBytes } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { openApi, panelOpenApi } from '../../contract/openapi.ts';
import { panelEndpoints } from '../../contract/panel/endpoints.ts';
import { meaningOf } from '../../contract/schema.ts';
import { build } from '../../src/app.ts';
import { atEnd, aWorld, roomsOf } from '../support/service.ts';
import { openApiCopies } from '../support/write-openapi.ts';

function problemsOf(schema: object, value: unknown): string {
  return Compile(schema as never)
    .Errors(value)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
    .join('; ');
}

/** Served, but not part of the API: metrics for the operator, and the reference with its files. */
const besideTheContract = [
  '/',
  // The panel's pages and files.
  '/panel',
  '/panel*',
  '/panel/assets/:name',
  '/metrics',
  '/openapi.json',
  '/openapi-panel.json',
  '/docs',
  '/docs/',
  '/docs/openapi.json',
  '/docs/panel',
  '/docs/panel/',
  '/docs/errors',
  '/docs/js/scalar.js',
  // The embedded form: a script for merchants' pages.
  '/embed.js',
  '*',
];
/** Pages for people and files for anybody: the pay page, the bank's page, caught mail, certificates, the simulated device. */
const pages = /^\/(pay|bank|sandbox\/bank|mail|assets|x509|wallet\/device|wallet\/domain-association)([./]|$)/;

/** The paths in Fastify's printed route tree: each line adds its part to that of its parent line. */
function pathsIn(tree: string): string[] {
  const parts: string[] = [];
  const paths: string[] = [];
  for (const line of tree.split('\n')) {
    const match = /^([│├└─\s]*)(\S+)( \(.*\))?/.exec(line);
    if (!match) continue;
    parts.length = (match[1] ?? '').length / 4 - 1;
    parts.push(match[2] ?? '');
    if (match[3]) paths.push(parts.join(''));
  }
  return paths;
}

/** Every `maxLength` in a schema. */
function longestTexts(schema: unknown): number[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { maxLength } = schema as { maxLength?: unknown };
  return [...(typeof maxLength === 'number' ? [maxLength] : []), ...Object.values(schema).flatMap(longestTexts)];
}

/** Every `pattern` in a schema. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern } = schema as { pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(schema).flatMap(patternsIn)];
}

suite('the committed documents', () => {
  // Guarantee: the committed descriptions match the code.
  for (const { name, file, text } of openApiCopies) {
    test(`docs/${name} matches the code`, () => {
      assert.ok(readFileSync(file, 'utf8') === text(), `docs/${name} is out of date: npm run openapi`);
    });
  }
});

suite('the table of endpoints', () => {
  // Guarantee: an example that a developer copies is valid.
  for (const endpoint of endpoints as readonly Endpoint[]) {
    test(`${endpoint.id} ${endpoint.method} ${endpoint.path}: its examples fit its schemas`, () => {
      const { body, responses, example } = endpoint;
      if (body && example.request !== undefined) assert.equal(problemsOf(body, example.request), '');
      if (body && (body as { required?: string[] }).required?.length)
        assert.notEqual(example.request, undefined, 'an example');
      for (const schema of Object.values(responses)) assert.equal(problemsOf(schema, example.response), '');
    });
  }

  // Guarantee: a field at its maximum length does not make the body too large.
  test('every string at its maximum length fits into the body, with the example', () => {
    for (const { id, body, bodyBytesAtMost = usualBodyBytes, example } of endpoints as readonly Endpoint[]) {
      const rest = JSON.stringify(example.request ?? {}).length;
      for (const length of longestTexts(body)) assert.ok(length + rest < bodyBytesAtMost, `${id}: a text of ${length}`);
    }
  });

  // Guarantee: an error says in words what a string of a fixed form must be.
  test('every pattern of a request has a meaning', () => {
    for (const { id, query, body } of [...endpoints, ...panelEndpoints] as readonly Endpoint[]) {
      for (const pattern of patternsIn({ query, body })) assert.ok(meaningOf(pattern), `${id} ${pattern}`);
    }
  });

  test('ids and addresses are unique', () => {
    assert.equal(new Set(endpoints.map(({ id }) => id)).size, endpoints.length);
    assert.equal(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size, endpoints.length);
  });

  // Guarantee: nothing is served that is not in the contract, and everything in the contract is served.
  test('every registered endpoint is in the table, and every one of the table is registered', async () => {
    const world = await aWorld();
    const app = await build(world, await roomsOf(world));
    atEnd(() => app.close());
    const urlOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const { method, path } of endpoints) {
      assert.ok(app.hasRoute({ method, url: urlOf(path) }), `${method} ${path} is not served`);
    }
    for (const { method, path } of panelEndpoints) {
      assert.ok(app.hasRoute({ method, url: urlOf(path) }), `${method} ${path} is not served`);
    }
    const forPeople = endpoints.map(({ path }) => `/panel/api/merchant${urlOf(path)}`);
    const paths = [...endpoints, ...panelEndpoints].map(({ path }) => urlOf(path));
    const known = new Set([...besideTheContract, ...paths, ...forPeople]);
    const served = pathsIn(app.printRoutes({ commonPrefix: false }));
    assert.ok(served.length >= endpoints.length / 2);
    assert.deepEqual(
      served.filter((path) => !known.has(path) && !pages.test(path)),
      [],
    );
  });
});

interface Documented {
  readonly schema: object;
  readonly example: unknown;
  readonly place: string;
}

/** Every pair of schema and example in the document. */
function examplesIn(value: unknown, place: string): Documented[] {
  if (typeof value !== 'object' || value === null) return [];
  const { schema, example } = value as { schema?: object; example?: unknown };
  const own = schema && example !== undefined ? [{ schema, example, place }] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => examplesIn(inner, `${place}/${key}`))];
}

interface Operation {
  readonly operationId: string;
  readonly 'x-endpoint-id': string;
  readonly summary: string;
  readonly parameters: { name: string; description?: string }[];
  readonly requestBody?: object;
  readonly responses: Record<string, { $ref?: string }>;
}

/** The fields without a description in every schema below a value. */
function undescribedIn(value: unknown, place: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { properties?: Record<string, { description?: string; $ref?: string }> };
  const own = Object.entries(properties ?? {}).filter(([, { description, $ref }]) => !description && !$ref);
  return [
    ...own.map(([name]) => `${place}.${name}`),
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === 'example' || key === 'examples' ? [] : undescribedIn(inner, `${place}/${key}`),
    ),
  ];
}

interface Described {
  components: { schemas: Record<string, object>; responses: Record<string, object>; securitySchemes: object };
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
}

const documents = [
  { name: 'of merchants', make: openApi, table: endpoints },
  { name: 'of the panel', make: panelOpenApi, table: panelEndpoints },
];

for (const { name, make, table } of documents) describeDocument(name, make('https://pay.example.com', '1.2.3'), table);

function describeDocument(name: string, made: object, table: readonly Endpoint[]): void {
  suite(`the OpenAPI document ${name}`, () => {
    const plain = JSON.parse(JSON.stringify(made)) as Described;
    const operationsOf = (paths: Described['paths'] = {}) =>
      Object.values(paths).flatMap((methods) => Object.values(methods));

    // Guarantee: each document has the endpoints of its readers and no others.
    test('has its own endpoints only', () => {
      const addresses = Object.entries(plain.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      assert.deepEqual(addresses.sort(), table.map(({ method, path }) => `${method} ${path}`).sort());
    });

    // Guarantee: generated clients have methods with names; the short id of the guides is still there.
    test('operations have names, and their short ids as an extension', () => {
      const operations = operationsOf(plain.paths);
      for (const { operationId } of operations) assert.match(operationId, /^[a-z]+([A-Z][a-z]+)*$/);
      const names = [...operations, ...operationsOf(plain.webhooks)].map(({ operationId }) => operationId);
      assert.deepEqual(
        names.filter((one, index) => names.indexOf(one) !== index),
        [],
      );
      assert.deepEqual(operations.map((one) => one['x-endpoint-id']).sort(), table.map(({ id }) => id).sort());
    });

    // Guarantee: the side bar of the reference can be read: titles, not sentences.
    test('summaries are titles of at most five words', () => {
      for (const { summary, operationId } of [...operationsOf(plain.paths), ...operationsOf(plain.webhooks)]) {
        assert.ok(summary.split(' ').length <= 5, `${operationId}: ${summary}`);
        assert.match(summary, /^[A-Z][^.;]*[^.]$/, operationId);
      }
    });

    // Guarantee: examples are valid by the document's own schemas, in parameters too.
    test('every example fits its schema', () => {
      const examples = examplesIn(plain, '');
      assert.ok(examples.length >= table.length / 2);
      for (const { schema, example, place } of examples) {
        const { $ref } = schema as { $ref?: string };
        const resolved = $ref ? (plain.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
        assert.equal(problemsOf(resolved, example), '', place);
      }
    });

    // Guarantee: every parameter and every field of a body or response says what it means.
    test('nothing lacks a description', () => {
      const operations = Object.values(plain.paths).flatMap((methods) => Object.values(methods));
      const missing = operations.flatMap(({ operationId, parameters, requestBody, responses }) => [
        ...parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
        ...undescribedIn(requestBody, `${operationId} request`),
        ...undescribedIn(responses, `${operationId} response`),
      ]);
      const place = 'descriptions are in contract/fields.ts and contract/panel/fields.ts';
      assert.deepEqual([...missing, ...undescribedIn(plain.webhooks, 'webhooks')], [], place);
    });

    // Guarantee: no reference is broken.
    test('every reference is there', () => {
      for (const [, reference = ''] of JSON.stringify(plain).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        let at: unknown = plain;
        for (const part of reference.split('/')) at = (at as Record<string, unknown> | undefined)?.[part];
        assert.notEqual(at, undefined, reference);
      }
    });

    // Guarantee: an endpoint documents each error that its access and method imply.
    test('failures are documented', () => {
      for (const { path, method, access, body, idempotent = true } of table) {
        const documented = Object.keys(plain.paths[path]?.[method.toLowerCase()]?.responses ?? {});
        const needed = ['429', '500', '503'];
        if (access !== 'none') needed.push('401', '404');
        if (access === 'write' || access === 'operator') needed.push('403');
        if (access !== 'none' && method === 'POST' && idempotent) needed.push('422');
        if (body) needed.push('400', '413', '415');
        for (const status of needed) assert.ok(documented.includes(status), `${method} ${path} lacks ${status}`);
      }
    });
  });
}

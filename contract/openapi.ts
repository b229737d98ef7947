// Generates OpenAPI 3.1 from the tables of endpoints: a document for merchants, and one of the panel's own endpoints.

import { type DocumentSchema, described } from './describe.ts';
import { bodyBytesOf, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { Failure, PanelFailure } from './failure.ts';
import { panelEndpoints } from './panel/endpoints.ts';
import type { TSchema } from './schema.ts';
import { webhookOperations } from './webhooks.ts';

const failureTexts: Record<number, string> = {
  400: 'Invalid input; all errors are listed.',
  401: 'No valid token, or wrong credentials.',
  403: 'Not allowed.',
  404: 'Not found for this account.',
  405: 'The path does not support the method.',
  406: 'The retry is not possible.',
  409: 'Not possible in the current state, or two requests conflict.',
  413: 'The body is too large for this endpoint.',
  415: 'The Content-Type is not supported.',
  422: 'The Idempotency-Key was used with a different request.',
  429: 'Too many requests; see Retry-After.',
  500: 'Internal error; it was logged under the requestId.',
  503: 'Temporarily unavailable; see Retry-After.',
};

const exampleFailure = {
  result: 'failed',
  requestId: '3f2a9c0d81e47b56aa10',
  errors: [
    {
      errorCode: 'field_required',
      errorMessage: 'This field is required.',
      fieldName: 'amount',
      devMessage: 'The request has amuont. Did you mean amount?',
      docUrl: 'http://127.0.0.1:3000/docs/errors#field_required',
    },
  ],
};

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/** A response of the sandbox may have one field more. */
function withIgnored(schema: DocumentSchema): DocumentSchema {
  if (!schema.properties) return schema;
  const ignoredFields = { $ref: '#/components/schemas/IgnoredFields' } as DocumentSchema;
  return { ...schema, properties: { ...schema.properties, ignoredFields } };
}

const ignoredSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Only in the sandbox, and only if there are any: unknown fields and parameters that were ignored.',
};

/** What a success has in it; a stream has no example. */
function contentOf({ id, streams, givesCsv, example }: Endpoint, given: TSchema) {
  const schema = described(given, { of: 'response', id });
  if (!streams) {
    const json = { 'application/json': { schema: withIgnored(schema), example: example.response } };
    return givesCsv ? { ...json, 'text/csv': { schema: { type: 'string' } } } : json;
  }
  return Object.fromEntries(streams.map((type) => [type, { schema }]));
}

/** The example of a parameter with the type of its schema; the table has it as it appears in a URL. */
function typed(text: string, type: string | undefined): string | number {
  return type === 'integer' || type === 'number' ? Number(text) : text;
}

function parameters(endpoint: Endpoint, place: 'path' | 'query', examples: Record<string, string> = {}) {
  const given = place === 'path' ? endpoint.params : endpoint.query;
  const { properties = {}, required = [] } = given ? described(given, { of: 'request', id: endpoint.id }) : {};
  return Object.entries(properties).map(([name, { description, ...inner }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: inner,
    ...(examples[name] === undefined ? {} : { example: typed(examples[name], inner.type) }),
  }));
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body give the same response, for 72 hours.',
  schema: { type: 'string', maxLength: 255 },
};

const merchantHeader = {
  name: 'X-Merchant-Id',
  in: 'header',
  required: false,
  description: 'The account that the request is for: your own, or one of your sellers.',
  schema: { type: 'string' },
};

const csrfHeader = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: true,
  description: 'csrfToken of GET /panel/api/session.',
  schema: { type: 'string' },
};

const viewHeader = {
  name: 'X-View-As',
  in: 'header',
  required: false,
  description: 'The account to look at: one of your sellers; for operators, any. Read-only.',
  schema: { type: 'string' },
};

/** The headers by which a request says who it is from and for. */
function callerHeaders(endpoint: Endpoint): object[] {
  if (endpoint.access === 'none') return [];
  if (endpoint.tag !== 'Panel') return [merchantHeader];
  return endpoint.method === 'GET' ? [viewHeader] : [csrfHeader, viewHeader];
}

function securityOf({ access, tag }: Endpoint): object[] {
  if (access === 'none') return [];
  return tag === 'Panel' ? [{ session: [] }] : [{ credential: [] }, { bearer: [] }];
}

const ignoredHeader = {
  'X-Ignored-Fields': {
    description: 'Unknown fields and parameters that were ignored, separated by commas; absent if there are none.',
    schema: { type: 'string' },
  },
};

function isKeyed(endpoint: Endpoint): boolean {
  return endpoint.method === 'POST' && endpoint.access !== 'none' && endpoint.idempotent !== false;
}

/** The statuses declared by the endpoint, plus those implied by its access, body and keys. */
function failuresOf(endpoint: Endpoint): number[] {
  const all = new Set([...(endpoint.failures ?? []), 429, 500, 503]);
  const add = (when: boolean, ...statuses: number[]) => {
    if (when) for (const status of statuses) all.add(status);
  };
  add(endpoint.access !== 'none', 401, 404);
  add(endpoint.access !== 'none' && endpoint.access !== 'read', 403);
  add(endpoint.tag === 'Panel' && endpoint.method !== 'GET', 403);
  add(endpoint.id === 'A1', 401);
  add(endpoint.body !== undefined, 400, 413, 415);
  add(isKeyed(endpoint), 400, 409, 422);
  return [...all].sort((left, right) => left - right);
}

function operation(endpoint: Endpoint): object {
  const { body, example } = endpoint;
  const kinds = endpoint.bodyKinds ?? ['json'];
  const schema = body && described(body, { of: 'request', id: endpoint.id });
  const content = Object.fromEntries(
    kinds.map((kind) => [mediaTypes[kind], { schema, ...(example.request ? { example: example.request } : {}) }]),
  );
  return {
    operationId: endpoint.name,
    'x-endpoint-id': endpoint.id,
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [endpoint.tag],
    security: securityOf(endpoint),
    parameters: [
      ...parameters(endpoint, 'path'),
      ...parameters(endpoint, 'query', example.query),
      ...(isKeyed(endpoint) ? [idempotencyHeader] : []),
      ...callerHeaders(endpoint),
    ],
    ...(body
      ? {
          requestBody: {
            description: `At most ${bodyBytesOf(endpoint) / 1_024} KiB.`,
            required: Boolean((body as DocumentSchema).required?.length),
            content,
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.responses).map(([status, schema]) => [
          status,
          {
            description: 'Success.',
            headers: ignoredHeader,
            content: contentOf(endpoint, schema),
          },
        ]),
      ),
      ...Object.fromEntries(
        failuresOf(endpoint).map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
      ),
    },
  };
}

const introduction = `Payments, refunds and recurring charges, from your server.

1. Get a token: choose **credential** under Authentication, enter client id and secret, and authorize; or call
   \`POST /oauth/auth\` yourself and enter the token under **bearer**. It is valid for two hours.
2. Create a transaction with \`POST /transactions\` and send the payer to its \`transactionPaymentUrl\`, or pay on-site
   with \`POST /transactions/{transactionId}/pay\`.
3. The final result is sent by notification; \`GET /events\` returns the same in order.

The sandbox moves no real money: BLIK codes that begin with 777 succeed, those with 222 fail for insufficient funds.

Every error code is explained at [/docs/errors](/docs/errors).`;

const panelIntroduction = `The endpoints of the panel's own pages, with its session cookie. They may change with any version.

What merchants do through [their API](/docs/), the panel does through the same endpoints under \`/panel/api/merchant\`.`;

/**
 * Two ways to set the same header: a token that the reader has, or one that the tool requests with client id and
 * secret.
 */
function securitySchemes(baseUrl: string): object {
  return {
    credential: {
      type: 'oauth2',
      description: 'Client id and secret of a credential; the token lasts two hours.',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/oauth/auth`,
          // A token's permissions come from its credential, whatever its scope (docs/decisions/0001).
          scopes: {},
        },
      },
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'The access_token of POST /oauth/auth.' },
  };
}

const sessionScheme = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'grosz_session',
    description: 'The cookie of POST /panel/api/sign-in.',
  },
};

/** Texts of the guides for the reference, in Markdown. */
export interface Guides {
  /** Follows the introduction. */
  readonly introduction: string;
  readonly tags: ReadonlyMap<string, string>;
}

const noGuides: Guides = { introduction: '', tags: new Map() };

function tagOf(name: string, guides: Guides): object {
  const description = guides.tags.get(name);
  return description === undefined ? { name } : { name, description };
}

interface Document {
  readonly title: string;
  readonly introduction: string;
  readonly endpoints: readonly Endpoint[];
  readonly securitySchemes: object;
  readonly webhooks?: object;
  readonly failure: TSchema;
}

/** The document of the merchant's API for a base URL. */
export function openApi(baseUrl: string, version: string, guides: Guides = noGuides): object {
  return documentOf(baseUrl, version, guides, {
    title: 'Grosz',
    introduction: [introduction, guides.introduction].filter((text) => text !== '').join('\n\n'),
    endpoints,
    securitySchemes: securitySchemes(baseUrl),
    webhooks: webhookOperations(),
    failure: Failure,
  });
}

/** The document of the panel's own endpoints, for those who work on the panel or run the service. */
export function panelOpenApi(baseUrl: string, version: string, guides: Guides = noGuides): object {
  return documentOf(baseUrl, version, guides, {
    title: 'Grosz panel',
    introduction: panelIntroduction,
    endpoints: panelEndpoints,
    securitySchemes: sessionScheme,
    failure: PanelFailure,
  });
}

function documentOf(baseUrl: string, version: string, guides: Guides, document: Document): object {
  const { title, introduction: description, endpoints: all, securitySchemes: schemes, webhooks, failure } = document;
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of all) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] ?? {}, { [endpoint.method.toLowerCase()]: operation(endpoint) });
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: baseUrl }],
    tags: [...new Set(all.map(({ tag }) => tag))].map((name) => tagOf(name, guides)),
    paths,
    ...(webhooks ? { webhooks } : {}),
    components: {
      securitySchemes: schemes,
      schemas: { Failure: described(failure, { of: 'response', id: 'Failure' }), IgnoredFields: ignoredSchema },
      responses: Object.fromEntries(
        Object.entries(failureTexts).map(([status, description]) => [
          `Failure${status}`,
          {
            description,
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Failure' }, example: exampleFailure },
            },
          },
        ]),
      ),
    },
  };
}

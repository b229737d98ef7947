// A trial: what one kind of caller sends, many at once, while the node measures its turns.

import assert from 'node:assert/strict';
import { bodyBytesOf, type Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { Attack } from './hostile.ts';
import type { TurnNode } from './turns.ts';

export interface Trial {
  readonly node: TurnNode;
  readonly caller: string;
  /** Trials of a kind differ in their input only. */
  readonly kind: string;
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

export type Send = (
  method: string,
  path: string,
  asking: { raw?: string; headers?: Record<string, string> },
) => Promise<unknown>;

const someId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const json = { 'content-type': 'application/json' };

/** So many at once. */
export function times(count: number, run: () => Promise<unknown>): () => Promise<unknown> {
  return () => Promise.all(Array.from({ length: count }, run));
}

/** Plain requests, whatever the response: most are refused. */
export function sender({ url }: TurnNode, always: Readonly<Record<string, string>> = {}): Send {
  return async (method, path, { raw, headers }) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...headers },
      redirect: 'manual',
      ...(raw === undefined || method === 'GET' ? {} : { body: raw }),
    });
    const text = await response.text();
    assert.ok(response.status < 500, `${method} ${path.slice(0, 100)}: ${response.status} ${text.slice(0, 200)}`);
  };
}

/** Each hostile input of an attack, several at once. */
export function trialsOf(
  { node, caller }: Pick<Trial, 'node' | 'caller'>,
  { method, path, name }: { readonly method: string; readonly path: string; readonly name: string },
  attacks: readonly Attack[],
  send: Send,
  atOnce: number,
): Trial[] {
  return attacks.flatMap((attack, index) =>
    [...attack.hostile()]
      .filter(({ headers }) => isSendable(headers))
      .map((sent): Trial => {
        const { query, headers, body } = sent;
        const asking = {
          ...(headers ? { headers: { ...headers } } : {}),
          ...(body === undefined ? {} : { raw: body }),
        };
        const url = query === undefined ? path : `${path}?${query}`;
        const run = times(atOnce, () => send(method, url, asking));
        return { node, caller, kind: `${name} ${index}`, name: sent.name, run };
      }),
  );
}

/** What `fetch` lets us send. */
function isSendable(headers: Readonly<Record<string, string>> | undefined): boolean {
  return !Object.entries(headers ?? {}).some(([name, value]) => name === 'expect' || /[^\x20-\x7e]/.test(value));
}

export const idOf = (id: string): Endpoint => endpoints.find((endpoint) => endpoint.id === id) as Endpoint;
export const pathOf = ({ path }: Endpoint) => path.replaceAll(/\{\w+\}/g, someId);
export const placeOf = (endpoint: Endpoint) => ({ method: endpoint.method, path: pathOf(endpoint), name: endpoint.id });
/** Fewer of what takes long. */
export const many = (endpoint: Endpoint) => (bodyBytesOf(endpoint) > 100_000 ? 4 : 20);

/** As many names as one object may have, in as many objects as fit. */
export function manyNames(bytes: number): string {
  const object = `{${Array.from({ length: 100 }, (_, index) => `"name${index}":1`).join()}}`;
  return `{"unknown":[${Array.from({ length: Math.floor(bytes / (object.length + 1)) - 1 }, () => object).join()}]}`;
}

export const products = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: 'Tea', externalId: `e${index}`, quantity: 1, unitPrice: 1 }));

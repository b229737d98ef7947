// The type of an endpoint.

import type { TSchema } from './schema.ts';

/** Enough for every request without lists of children or products. */
export const usualBodyBytes = 65_536;

export type Access = 'none' | 'read' | 'write' | 'owner' | 'operator';
export type BodyKind = 'json' | 'form' | 'multipart';

export interface Endpoint {
  /** A short name (E1, R5), as in docs/api.md. */
  readonly id: string;
  /** What generated clients call it: a verb and its object (createTransaction). */
  readonly name: string;
  /** PATCH sets what is given, so that a repeat needs no key. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly tag: string;
  /**
   * none: no token; read: any valid token; write: a token whose credential may write; operator: a token of an
   * operator's credential, because the endpoint acts on every account; owner: only in the panel, an owner of the account.
   */
  readonly access: Access;
  /** A title of two to five words, as the side bar of the reference shows it; sentences are for the description. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Accepted content types; default JSON. */
  readonly bodyKinds?: readonly BodyKind[];
  /** Maximum body size in bytes, default `usualBodyBytes`. More is 413. */
  readonly bodyBytesAtMost?: number;
  /** In refund bodies null is a fault, not "not given" (docs/decisions/0002). */
  readonly nullsRefused?: boolean;
  /** Whether `Idempotency-Key` is supported: always, except where a stored response would contain a secret. */
  readonly idempotent?: boolean;
  /** Success responses by status; error responses are the same everywhere and added by openapi.ts. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** Content types, if the response is streamed as it is made, instead of JSON. */
  readonly streams?: readonly string[];
  /** Whether `Accept: text/csv` gets everything as a file, streamed as it is made, instead of a page of JSON. */
  readonly givesCsv?: boolean;
  /** Error statuses of this endpoint, in addition to those of every endpoint. */
  readonly failures?: readonly number[];
  readonly example: { readonly request?: unknown; readonly query?: Record<string, string>; readonly response: unknown };
}

/** Keeps the exact type of the endpoint, so that handlers know their bodies and responses. */
export function endpoint<const E extends Endpoint>(row: E): E {
  return row;
}

export function bodyBytesOf({ bodyBytesAtMost = usualBodyBytes }: Endpoint): number {
  return bodyBytesAtMost;
}

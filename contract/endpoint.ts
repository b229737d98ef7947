// One row of the table of endpoints.

import type { TSchema } from './schema.ts';

/** Enough for every request without lists of children or products. */
export const usualBodyBytes = 65_536;

export type Access = 'none' | 'read' | 'write' | 'operator';
export type BodyKind = 'json' | 'form' | 'multipart';

export interface Endpoint {
  /** A short name (E1, R5), as in docs/api.md. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** With parameters in braces. */
  readonly path: string;
  readonly tag: string;
  /**
   * none: no token; read: any valid token; write: a token whose credential may write; operator: one of an operator's
   * credential, because it acts on every account.
   */
  readonly access: Access;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Kinds of body that are understood; JSON when left out. */
  readonly bodyKinds?: readonly BodyKind[];
  /** The largest body that is read, in bytes; `usualBodyBytes` when left out. More is 413. */
  readonly bodyBytesAtMost?: number;
  /** In refund bodies null is a fault, not "not given" (docs/decisions.md 2). */
  readonly nullsRefused?: boolean;
  /** Whether `Idempotency-Key` counts. Always, but for the one POST that hands out secrets. */
  readonly idempotent?: boolean;
  /** The answers of success by status; failures are the same everywhere and added by the document. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** Statuses of failure that this endpoint can answer besides those that every endpoint can. */
  readonly failures?: readonly number[];
  readonly example: { readonly request?: unknown; readonly query?: Record<string, string>; readonly response: unknown };
}

/** Keeps the exact types of the row, so that handlers know their bodies and answers. */
export function endpoint<const E extends Endpoint>(row: E): E {
  return row;
}

export function bodyBytesOf({ bodyBytesAtMost = usualBodyBytes }: Endpoint): number {
  return bodyBytesAtMost;
}

// What an endpoint of the API is.

import type { Group, Level } from '../access.ts';
import type { Fields, SpecOf } from '../spec.ts';
import type { Context } from '../world.ts';

export interface Endpoint {
  /** `POST /v1/payment_intents/:id/confirm` */
  readonly name: string;
  readonly group: Group;
  readonly level: Level;
  readonly fields: Fields;
  readonly required: readonly string[];
  /** Pages may use it with a publishable key. */
  readonly publishable: boolean;
  handle(context: Context, params: Record<string, unknown>, id: string): unknown;
}

interface Declared<Params> {
  readonly fields: SpecOf<Params> & Fields;
  readonly required?: readonly (keyof Params & string)[];
  readonly publishable?: boolean;
}

/** The names of the parameters are those of the SDK's type. */
export function endpoint<Params>(
  name: string,
  group: Group,
  { fields, required = [], publishable = false }: Declared<Params>,
  handle: (context: Context, params: Params, id: string) => unknown,
): Endpoint {
  return {
    name,
    group,
    level: name.startsWith('GET ') ? 'read' : 'write',
    fields: { ...fields, expand: { list: 'text' } },
    required,
    publishable,
    handle: (context, params, id) => handle(context, params as Params, id),
  };
}

export const paging = {
  limit: 'integer',
  starting_after: 'text',
  ending_before: 'text',
} as const satisfies Fields;

export const none = { fields: {} } as const;

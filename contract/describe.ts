// Schemas for the OpenAPI document: copies in which every field says what it means.

import { fieldMeaning } from './fields.ts';
import type { TSchema } from './schema.ts';

export interface DocumentSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly items?: DocumentSchema;
  readonly anyOf?: readonly DocumentSchema[];
}

export interface Place {
  readonly of: 'request' | 'response';
  /** The id of the endpoint. */
  readonly id: string;
}

/** The schema with a description at every field: its own, or else the usual meaning of its name. */
export function described(schema: TSchema, place: Place): DocumentSchema {
  return copy(schema as DocumentSchema, place, []);
}

function copy(schema: DocumentSchema, place: Place, path: readonly string[]): DocumentSchema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties ? { properties: copyAll(properties, place, path) } : {}),
    ...(items ? { items: copy(items, place, path) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((one) => copy(one, place, path)) } : {}),
  };
}

function copyAll(properties: Readonly<Record<string, DocumentSchema>>, place: Place, path: readonly string[]) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => {
      const here = [...path, name];
      const own = inner.description ?? inner.anyOf?.find(({ description }) => description)?.description;
      const description = own ?? fieldMeaning(place.of, place.id, here);
      return [name, { ...copy(inner, place, here), ...(description ? { description } : {}) }];
    }),
  );
}

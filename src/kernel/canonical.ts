// A canonical form of JSON values and rows, for comparing requests and for hashes: key order and number formats do not matter.

/** JSON text with sorted keys. Values with the same text are the same request. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** The same text for a row in memory and for the row that was read. */
export function canonicalRow(row: object): string {
  return canonicalJson(plainOf(row));
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint' || value instanceof Temporal.Instant) return value.toString();
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainOf(inner)]));
}

// Values at the limits of types, formats, columns and calendars.

const powers = Array.from({ length: 66 }, (_, exponent) => 2n ** BigInt(exponent));

/** Every power of two and its neighbors, also negative. */
const integers = [...new Set(powers.flatMap((power) => [power - 1n, power, power + 1n, -power]))].map(String);

const numbers = [
  '-0',
  '0.1',
  '0.005',
  '0.30000000000000004',
  '99999999999.99',
  '100000000000',
  '1e308',
  '1e400',
  '-1e400',
  '1e-400',
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
];

const years = ['0000', '0001', '1969', '1970', '2038', '9998', '9999'];
const offsets = ['Z', '+14:00', '-14:00', '+23:59', '-23:59', '+24:00'];

const dates = [
  ...years.flatMap((year) => [`${year}-01-01 00:00:00`, `${year}-12-31 23:59:59`]),
  ...years.flatMap((year) =>
    offsets.flatMap((offset) => [`${year}-01-01T00:00:00${offset}`, `${year}-12-31T23:59:59${offset}`]),
  ),
  '+010000-01-01T00:00:00Z',
  '-000001-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
  '+275760-09-13T00:00:01Z',
  '2026-03-29 02:30:00',
  '2026-10-25 02:30:00',
  '2026-02-29 00:00:00',
  '2026-06-30 23:59:60',
];

const durations = [
  'P0D',
  '-P1D',
  'PT1S',
  'P10Y',
  'P101Y',
  'PT999999999999H',
  'PT9007199254740991S',
  'P4294967295Y',
  'PT0.000000001S',
];

const longest = 60_000;

/** Texts that are unusual in any place. */
export const words: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\n',
  '\ud800',
  '\udfff x',
  '\u202e\ufffe\uffff',
  '💳',
  '%00',
  '%',
  '%zz',
  '..',
  '../../etc/passwd',
  "'; drop table transaction; --",
  '<script>alert(1)</script>',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '0x10',
  '1.5',
  '-1',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a@b.example',
  `"a\r\nb"@example.com`,
  'http://[::1',
  'https://user:pass@example.com:99999/',
  '00000000000000000000000000',
  '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  ...[63, 64, 65, 127, 128, 129, 254, 255, 256, 257, 2_047, 2_048, 2_049, longest].map((length) => 'a'.repeat(length)),
  '9'.repeat(longest),
  '💳'.repeat(longest / 4),
];

/** One of each kind in turn, so that any prefix has all kinds. */
function inTurn(...kinds: readonly (readonly string[])[]): string[] {
  const most = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => kinds.flatMap((kind) => kind.slice(index, index + 1))).flat();
}

/** Raw texts: each is encoded as its place requires. */
export const texts = inTurn(words, [...durations, ...dates], [...numbers, ...integers]);

const keysOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')}}`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const containers = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '{"a":1}',
  '{"length":1}',
  '{"__proto__":{"amount":1}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"valueOf":null,"hasOwnProperty":null,"then":1,"toJSON":1}',
  ...[31, 32, 33, 5_000].map(nested),
  ...[99, 100, 101, 1_000, 10_000, 100_000].map(keysOf),
  ...[100, 101, 2_000].map((length) => `[${Array(length).fill('0').join(',')}]`),
  '"\\ud800"',
];

const spelled = (values: readonly string[]) => values.map((text) => JSON.stringify(text));

/** JSON as it is sent, including what JSON.stringify cannot produce. */
export const jsons = inTurn(
  containers,
  spelled(words),
  spelled([...durations, ...dates]),
  [...numbers, ...integers],
  spelled([...numbers, ...integers]),
);

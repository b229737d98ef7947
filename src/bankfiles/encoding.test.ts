import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { beginningOf, declaredEncoding, encoderOf, guessedEncoding, textOf, writableEncodings } from './encoding.ts';
import { FileFault } from './fault.ts';

async function* sourceOf(...pieces: readonly Uint8Array[]) {
  yield* pieces;
}

async function decoded(bytes: readonly number[], encoding: string): Promise<string> {
  const pieces = bytes.map((byte) => Uint8Array.of(byte));
  return (await Array.fromAsync(textOf(() => sourceOf(...pieces), encoding))).join('');
}

suite('encodings', () => {
  // Guarantee: each name that a bank gives an encoding means that encoding, byte by byte.
  const all: readonly (readonly [string, readonly number[]])[] = [
    ['UTF-8', [0xc4, 0x85]],
    ['utf8', [0xc4, 0x85]],
    ['UTF-16', [0x05, 0x01]],
    ['utf-16le', [0x05, 0x01]],
    ['utf-16be', [0x01, 0x05]],
    ['ISO-8859-2', [0xb1]],
    ['windows-1250', [0xb9]],
    ['CP1250', [0xb9]],
    ['cp852', [0xa5]],
    ['IBM852', [0xa5]],
  ];
  for (const [name, bytes] of all) test(name, async () => assert.equal(await decoded(bytes, name), 'ą'));

  test('several letters at once', async () => {
    const source = () => sourceOf(Uint8Array.of(0x61, 0x80, 0xff));
    assert.deepEqual(await Array.fromAsync(textOf(source, 'cp852')), ['aÇ\u00a0', '']);
  });

  test('without Polish letters', async () => {
    assert.equal(await decoded([0x61], 'US-ASCII'), 'a');
    assert.equal(await decoded([0xe9], 'ISO-8859-1'), 'é');
  });

  // Guarantee: an unknown one is named shortly, a wrong one is refused, also at the very end, and other errors stay errors.
  test('that do not fit', async () => {
    const codeOf = (error: unknown) => (error instanceof FileFault ? error.problem : error);
    const inherited = await decoded([], 'constructor').catch(codeOf);
    assert.deepEqual(inherited, { code: 'encoding_unknown', parameters: { encoding: 'constructor' } });
    const long = await decoded([], 'x'.repeat(90)).catch(codeOf);
    assert.deepEqual(long, { code: 'encoding_unknown', parameters: { encoding: 'x'.repeat(60) } });
    for (const bytes of [[0xc4], [0xff, 0x61]]) {
      assert.deepEqual(await decoded(bytes, 'utf-8').catch(codeOf), {
        code: 'encoding_other',
        parameters: { encoding: 'utf-8' },
      });
    }
    const broken = async function* () {
      yield Uint8Array.of(0x61);
      throw new Error('disk');
    };
    await assert.rejects(Array.fromAsync(textOf(broken, 'utf-8')), /disk/);
    await assert.rejects(guessedEncoding(broken), /disk/);
  });

  test('that the file declares', () => {
    const of = (...bytes: readonly number[]) => declaredEncoding(Uint8Array.from(bytes));
    assert.deepEqual(
      [of(0xef, 0xbb, 0xbf), of(0xff, 0xfe), of(0xfe, 0xff), of(0xef, 0xbb, 0x61), of(0xff), of(0x61, 0xff), of()],
      ['utf-8', 'utf-16le', 'utf-16be', undefined, undefined, undefined, undefined],
    );
    const declared = (text: string) => declaredEncoding(Buffer.from(text));
    assert.equal(declared(`<?xml version="1.0" encoding='ISO-8859-2'?>`), 'ISO-8859-2');
    assert.equal(declared('<a><?xml encoding="x"?></a>'), undefined);
    assert.equal(declared('<?xml version="1.0"?><a encoding="x"/>'), undefined);
  });

  test('that is guessed', async () => {
    assert.equal(await guessedEncoding(() => sourceOf(Buffer.from('ą'))), 'UTF-8');
    assert.equal(await guessedEncoding(() => sourceOf(Uint8Array.of(0xb9))), 'windows-1250');
  });
});

suite('encodings that are written', () => {
  // Guarantee: a character is written as the byte that is read as this character, and one that is missing is never replaced.
  for (const encoding of writableEncodings) {
    test(encoding, async () => {
      const { encode, has } = encoderOf(encoding);
      const text = 'ąA~ÓŻ\n';
      assert.equal(await decoded([...encode(text)], encoding), text);
      assert.equal(encode('').length, 0);
      assert.deepEqual(['A', 'ą', '\ud800', '🦊'].map(has), [true, true, false, encoding === 'UTF-8']);
      if (encoding !== 'UTF-8') assert.throws(() => encode('aωb'), new RegExp(`${encoding} does not have`));
      assert.equal(encoderOf(encoding), encoderOf(encoding));
    });
  }

  test('a control character that is a letter elsewhere', () => {
    assert.throws(() => encoderOf('windows-1250').encode('\u0080'), /does not have/);
  });
});

// Guarantee: only the beginning of a large file is read to recognize it.
test('the beginning', async () => {
  let read = 0;
  async function* source() {
    for (;;) {
      read += 1;
      yield Uint8Array.of(1, 2);
    }
  }
  assert.deepEqual([...(await beginningOf(source, 4))], [1, 2, 1, 2]);
  assert.equal(read, 2);
  assert.deepEqual([...(await beginningOf(source, 3))], [1, 2, 1]);
  assert.deepEqual([...(await beginningOf(() => sourceOf(Uint8Array.of(7)), 3))], [7]);
});

// ULIDs: 48 bits of time, 80 random bits, Crockford base32.

import { joined } from './text.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const drawn = Buffer.alloc(26);

/**
 * Base32 text of `length` characters, five bits of each byte. A byte gives one character, so no bits are shared. Written
 * as bytes and read as one text: half the time of joining characters.
 */
export function base32(bytes: Uint8Array, length: number): string {
  for (let index = 0; index < length; index += 1) drawn[index] = codes[(bytes[index] ?? 0) & 31] ?? 0;
  return drawn.toString('latin1', 0, length);
}

let lastMilliseconds = -1;
let lastText = '';

/** The ten characters that stand for the milliseconds since 1970; those of one millisecond are spelled once. */
export function ulidTime(epochMilliseconds: number): string {
  if (epochMilliseconds === lastMilliseconds) return lastText;
  let rest = epochMilliseconds;
  let text = '';
  for (let index = 0; index < 10; index += 1) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  lastMilliseconds = epochMilliseconds;
  lastText = text;
  return text;
}

/** A ULID for this instant from 16 random bytes. */
export function ulid(epochMilliseconds: number, random: Uint8Array): string {
  return joined(ulidTime(epochMilliseconds), base32(random, 16));
}

/** A text of ULID shape from 32 bytes of a digest: the same bytes give the same id. */
export function ulidFromDigest(digest: Uint8Array): string {
  return joined(alphabet[(digest[0] ?? 0) & 7] ?? '', base32(digest.subarray(1), 25));
}

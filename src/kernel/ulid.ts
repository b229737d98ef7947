// ULIDs: 48 bits of time, 80 random bits, Crockford base32.

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Base32 text of `length` characters, five bits of each byte. A byte gives one character, so no bits are shared. */
function randomText(bytes: Uint8Array, length: number): string {
  let text = '';
  for (let index = 0; index < length; index += 1) text += alphabet[(bytes[index] ?? 0) & 31];
  return text;
}

/** The ten characters that stand for the milliseconds since 1970. */
export function ulidTime(epochMilliseconds: number): string {
  let rest = epochMilliseconds;
  let text = '';
  for (let index = 0; index < 10; index += 1) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** A ULID for this instant from 16 random bytes. */
export function ulid(epochMilliseconds: number, random: Uint8Array): string {
  return ulidTime(epochMilliseconds) + randomText(random, 16);
}

/** A text of ULID shape from 32 bytes of a digest: the same bytes give the same id. */
export function ulidFromDigest(digest: Uint8Array): string {
  return alphabet[(digest[0] ?? 0) & 7] + randomText(digest.subarray(1), 25);
}

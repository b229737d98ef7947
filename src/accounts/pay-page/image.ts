// How large an image is, from its header: nothing is decoded. Undefined if the file is none, or was cut off. Pure.

export interface Size {
  readonly width: number;
  readonly height: number;
}

const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');

/** The first chunk is the header, the last one the end. */
export function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 45 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  if (!bytes.subarray(-pngEnd.length).equals(pngEnd)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const jpegEnd = Buffer.from('ffd9', 'hex');
/** Tables and reserved markers in the range of those that begin a frame. */
const noFrames: readonly number[] = [0xc4, 0xc8, 0xcc];

/** Segments with their lengths, until the one that begins the frame. */
export function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const kind = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0;
    // Everything that may stand before a frame has a length.
    if (kind < 0xc0 || kind === 0xff || (kind >= 0xd0 && kind <= 0xda)) return undefined;
    if (kind > 0xcf || noFrames.includes(kind)) continue;
    if (bytes.lastIndexOf(jpegEnd) <= at) return undefined;
    return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

/** The container says how long it is; its first chunk, of three kinds, how large the image. */
export function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (kind !== 'VP8L' || bytes[20] !== 0x2f) return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

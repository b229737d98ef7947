// PEM: base64 between two lines.

export interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

const blockShape = /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** The blocks of a text, in order; text between them is ignored, as usual. */
export function readPem(text: string): PemBlock[] {
  return [...text.matchAll(blockShape)].map(([, label = '', body = '']) => ({
    label,
    der: Buffer.from(body, 'base64'),
  }));
}

export function writePem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** Decodes canonical base64: padded, nothing in between, no stray bits. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}

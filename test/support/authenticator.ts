// A passkey without a browser: the messages of WebAuthn, signed by a key that is made here.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The user is there, and was verified by the device; with a new key, its data is attached. */
const flags = { asked: 0x05, made: 0x45 };

export class Authenticator {
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #data(flag: number): Buffer {
    const counter = Buffer.alloc(4);
    this.#counter += 1;
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(new URL(this.#origin).hostname), Buffer.of(flag), counter]);
  }

  /** Makes the passkey for these options. */
  register({ challenge }: { readonly challenge: string }): object {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer];
    const key = Buffer.concat([hex('a5 01 02 03 26 20 01 21 58 20'), point[0], hex('22 58 20'), point[1]]);
    const attached = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.#id.length), this.#id, key]);
    const data = Buffer.concat([this.#data(flags.made), attached]);
    const attestation = Buffer.concat([
      hex('a3 63 666d74 64 6e6f6e65 67 61747453746d74 a0 68 6175746844617461 58'),
      Buffer.of(data.length),
      data,
    ]);
    return this.#response({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge)),
      attestationObject: base64url(attestation),
    });
  }

  /** Signs in with it. */
  authenticate({ challenge }: { readonly challenge: string }): object {
    const clientData = this.#clientData('webauthn.get', challenge);
    const data = this.#data(flags.asked);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey);
    return this.#response({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    });
  }

  #response(response: object): object {
    const id = base64url(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

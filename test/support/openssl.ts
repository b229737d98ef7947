// A second vendor that shares no code with ours: certificates, signatures, key agreement and ciphers come from the
// `openssl` command. Only GHASH, which the command does not offer, is implemented here.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OpensslVendor {
  readonly rootPem: string;
  issueProcessing(csr: string, merchantIdentifier: string): string;
  /** A token for this payload and this certificate (PEM). */
  mint(payload: string, certificate: string, merchantIdentifier: string, ...options: readonly string[]): string;
  close(): void;
}

const markers = {
  root: 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n',
  intermediate:
    'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n' +
    'authorityKeyIdentifier=keyid\n1.2.840.113635.100.6.2.14=ASN1:NULL\n',
  leaf:
    'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nsubjectKeyIdentifier=hash\n' +
    'authorityKeyIdentifier=keyid\n1.2.840.113635.100.6.29=ASN1:NULL\n',
} as const;

export function openOpensslVendor(): OpensslVendor {
  const folder = mkdtempSync(join(tmpdir(), 'grosz-openssl-'));
  const file = (name: string) => join(folder, name);
  const run = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const write = (name: string, content: string | Buffer) => writeFileSync(file(name), content);

  function makeKey(name: string, curve: string): void {
    run('ecparam', '-name', curve, '-genkey', '-noout', '-out', `${name}.key`);
    run('req', '-new', '-key', `${name}.key`, '-subj', `/O=OpenSSL wallet/CN=${name}`, '-out', `${name}.csr`);
  }

  function certify(name: string, issuer: string, extensions: string): void {
    write(`${name}.ext`, extensions);
    const by =
      issuer === name
        ? ['-signkey', `${name}.key`]
        : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial'];
    run(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...by,
      '-sha256',
      '-days',
      '30',
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.pem`,
    );
  }

  makeKey('root', 'secp384r1');
  certify('root', 'root', markers.root);
  makeKey('intermediate', 'prime256v1');
  certify('intermediate', 'root', markers.intermediate);
  makeKey('leaf', 'prime256v1');
  certify('leaf', 'intermediate', markers.leaf);
  write('chain.pem', readFileSync(file('intermediate.pem'), 'utf8') + readFileSync(file('root.pem'), 'utf8'));

  const sha256 = (bytes: string | Buffer) => {
    write('hashed', bytes);
    return run('dgst', '-sha256', '-binary', 'hashed');
  };

  /** AES-256 in counter mode or on single blocks. */
  const aes = (mode: 'ctr' | 'ecb', key: Buffer, bytes: Buffer, iv?: Buffer) => {
    write('plain', bytes);
    const vector = iv ? ['-iv', iv.toString('hex')] : [];
    return run('enc', `-aes-256-${mode}`, '-nopad', '-K', key.toString('hex'), ...vector, '-in', 'plain');
  };

  function sharedKey(certificate: string, merchantIdentifier: string): { key: Buffer; ephemeral: Buffer } {
    write('merchant.pem', certificate);
    write('merchant.pub', run('x509', '-in', 'merchant.pem', '-noout', '-pubkey'));
    run('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'ephemeral.key');
    const ephemeral = run('pkey', '-in', 'ephemeral.key', '-pubout', '-outform', 'DER');
    const shared = run('pkeyutl', '-derive', '-inkey', 'ephemeral.key', '-peerkey', 'merchant.pub');
    const info = Buffer.concat([Buffer.from([13]), Buffer.from('id-aes256-GCMApple'), sha256(merchantIdentifier)]);
    const inputs = ['digest:SHA256', `hexkey:${shared.toString('hex')}`, `hexinfo:${info.toString('hex')}`];
    const options = inputs.flatMap((input) => ['-kdfopt', input]);
    return { key: run('kdf', '-binary', '-keylen', '32', ...options, 'SSKDF'), ephemeral };
  }

  function encrypt(key: Buffer, plain: Buffer): Buffer {
    const zeros = Buffer.alloc(16);
    const subkey = aes('ecb', key, zeros);
    const first = ghash(subkey, [zeros, lengths(0, 16)]);
    const next = Buffer.from(first);
    next.writeUInt32BE((next.readUInt32BE(12) + 1) >>> 0, 12);
    const encrypted = aes('ctr', key, plain, next);
    const sum = ghash(subkey, [padded(encrypted), lengths(0, encrypted.length)]);
    return Buffer.concat([encrypted, xor(aes('ecb', key, first), sum)]);
  }

  return {
    rootPem: readFileSync(file('root.pem'), 'utf8'),
    issueProcessing(csr, merchantIdentifier) {
      write('ours.csr', csr);
      run('req', '-in', 'ours.csr', '-verify', '-noout');
      const hash = sha256(merchantIdentifier).toString('hex').toUpperCase();
      certify('ours', 'root', `basicConstraints=critical,CA:FALSE\n1.2.840.113635.100.6.32=ASN1:UTF8String:${hash}\n`);
      return readFileSync(file('ours.pem'), 'utf8');
    },
    mint(payload, certificate, merchantIdentifier, ...options) {
      const { key, ephemeral } = sharedKey(certificate, merchantIdentifier);
      const data = encrypt(key, Buffer.from(payload));
      const transactionId = run('rand', '32');
      write('content', Buffer.concat([ephemeral, data, transactionId]));
      const signer = ['-signer', 'leaf.pem', '-inkey', 'leaf.key', '-certfile', 'intermediate.pem'];
      const signed = run(
        ...['cms', '-sign', '-binary', '-in', 'content', '-md', 'sha256', '-outform', 'DER'],
        ...signer,
        ...options,
      );
      const signature = options.includes('-stream') ? detached(signed) : signed;
      write('merchant.spki', run('pkey', '-pubin', '-in', 'merchant.pub', '-outform', 'DER'));
      const header = {
        ephemeralPublicKey: ephemeral.toString('base64'),
        publicKeyHash: run('dgst', '-sha256', '-binary', 'merchant.spki').toString('base64'),
        transactionId: transactionId.toString('hex'),
      };
      const token = {
        version: 'EC_v1',
        data: data.toString('base64'),
        signature: signature.toString('base64'),
        header,
      };
      return Buffer.from(JSON.stringify(token)).toString('base64');
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Streaming, which is how the command writes indefinite lengths, always attaches the content: `[0]`, a string in
 * pieces, and two end marks. This removes it; the surrounding elements have no length that would have to change.
 */
function detached(ber: Buffer): Buffer {
  const start = ber.indexOf(Buffer.from('a0802480', 'hex'));
  let at = start + 4;
  while (ber[at] === 0x04) {
    const first = ber[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    at += 2 + lengthBytes + (lengthBytes === 0 ? first : ber.readUIntBE(at + 2, lengthBytes));
  }
  return Buffer.concat([ber.subarray(0, start), ber.subarray(at + 4)]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
}

/** The last block of GHASH: both lengths, in bits. */
function lengths(authenticated: number, encrypted: number): Buffer {
  const block = Buffer.alloc(16);
  block.writeUInt32BE(authenticated * 8, 4);
  block.writeUInt32BE(encrypted * 8, 12);
  return block;
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}

const numberOf = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);

/** NIST SP 800-38D, section 6.4. */
function ghash(subkey: Buffer, parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  let sum = 0n;
  for (let at = 0; at < bytes.length; at += 16) {
    sum = multiplied(sum ^ numberOf(bytes.subarray(at, at + 16)), numberOf(subkey));
  }
  return Buffer.from(sum.toString(16).padStart(32, '0'), 'hex');
}

function multiplied(left: bigint, right: bigint): bigint {
  let product = 0n;
  let shifted = right;
  for (let bit = 127n; bit >= 0n; bit -= 1n) {
    if ((left >> bit) & 1n) product ^= shifted;
    shifted = shifted & 1n ? (shifted >> 1n) ^ (0xe1n << 120n) : shifted >> 1n;
  }
  return product;
}

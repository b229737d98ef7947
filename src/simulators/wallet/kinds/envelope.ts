// Steps 1 and 2: tokens that are malformed.

import { tokenCharactersAtMost } from '../../../wallet/index.ts';
import { afterwards, type BadKind, headerAfterwards, kind } from './kind.ts';

const url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export const malformedKinds: readonly BadKind[] = [
  kind('larger than 32 KB', 'too_large', { json: (json) => json + ' '.repeat(tokenCharactersAtMost) }),
  kind('empty', 'not_base64', { text: () => '' }),
  kind('base64 with line breaks', 'not_base64', { text: (text) => `${text.slice(0, 64)}\n${text.slice(64)}` }),
  kind('base64 without padding', 'not_base64', {
    json: (json) => json + ' '.repeat((4 - (Buffer.byteLength(json) % 3)) % 3),
    text: (text) => text.replace(/=+$/, ''),
  }),
  kind('base64 with stray bits at its end', 'not_base64', {
    json: (json) => json + ' '.repeat((4 - (Buffer.byteLength(json) % 3)) % 3),
    text: (text) => text.replace(/.==$/, 'h=='),
  }),
  kind('JSON itself instead of base64', 'not_base64', { text: (text) => Buffer.from(text, 'base64').toString() }),
  kind('no JSON', 'not_json', { json: (json) => json.slice(0, -1) }),
  kind('no UTF-8', 'not_json', { json: (json) => Buffer.concat([Buffer.from(json), Buffer.from([0xff])]) }),
  kind('byte order mark', 'not_json', { json: (json) => `\uFEFF${json}` }),
  kind('list instead of an object', 'unexpected_keys', { object: (token) => [token] }),
  kind('null', 'unexpected_keys', { object: () => null }),
  kind('unknown key', 'unexpected_keys', afterwards({ extra: 'x' })),
  kind('no header', 'unexpected_keys', afterwards({ header: undefined })),
  kind('key twice', 'unexpected_keys', { json: (json) => json.replace('{', '{"version":"RSA_v1",') }),
  kind('header twice', 'unexpected_keys', { json: (json) => json.replace('{', '{"header":{},') }),
  kind(
    'key for RSA',
    'unexpected_keys',
    headerAfterwards(() => ({ wrappedKey: 'AAAA' })),
  ),
  kind(
    'no public key hash',
    'unexpected_keys',
    headerAfterwards(() => ({ publicKeyHash: undefined })),
  ),
  kind('number instead of data', 'not_text', afterwards({ data: 5 })),
  kind(
    'public key hash null',
    'not_text',
    headerAfterwards(() => ({ publicKeyHash: null })),
  ),
  kind('version RSA_v1', 'version', afterwards({ version: 'RSA_v1' })),
  kind('version in lower case', 'version', afterwards({ version: 'ec_v1' })),
  kind(
    'ephemeral key in base64url',
    'ephemeral_key_not_base64',
    headerAfterwards(({ ephemeralPublicKey }) => ({
      ephemeralPublicKey: `${url(ephemeralPublicKey)}-_`,
    })),
  ),
  kind(
    'ephemeral key empty',
    'ephemeral_key_not_base64',
    headerAfterwards(() => ({ ephemeralPublicKey: '' })),
  ),
  kind('data with blanks', 'data_not_base64', { object: (token) => ({ ...token, data: ` ${token.data}` }) }),
  kind('data of 16 bytes', 'data_too_short', afterwards({ data: Buffer.alloc(16).toString('base64') })),
  kind('signature in base64url', 'signature_not_base64', {
    object: (token) => ({ ...token, signature: `${url(token.signature)}-_` }),
  }),
  kind(
    'transaction id of 31 bytes',
    'transaction_id_not_hex',
    headerAfterwards(({ transactionId }) => ({
      transactionId: transactionId.slice(2),
    })),
  ),
  kind(
    'transaction id not hex',
    'transaction_id_not_hex',
    headerAfterwards(({ transactionId }) => ({
      transactionId: `g${transactionId.slice(1)}`,
    })),
  ),
  kind(
    'application data of 33 bytes',
    'application_data_not_hex',
    headerAfterwards(() => ({
      applicationData: '00'.repeat(33),
    })),
  ),
  kind(
    'application data empty',
    'application_data_not_hex',
    headerAfterwards(() => ({ applicationData: '' })),
  ),
];

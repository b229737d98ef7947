// Ids and keys, drawn from the seed: the same requests in the same order give the same ids.

import { hash } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits that depend only on the words. */
export function lettersOf(length: number, ...words: readonly (string | number)[]): string {
  let text = '';
  for (let block = 0; text.length < length; block += 1) {
    const digest = hash('sha256', [...words, block].join('\n'), 'buffer');
    for (const byte of digest) text += letters[byte % letters.length];
  }
  return text.slice(0, length);
}

/** From 0 (inclusive) to 1 (exclusive). */
export function shareOf(...words: readonly (string | number)[]): number {
  return hash('sha256', words.join('\n'), 'buffer').readUIntBE(0, 6) / 2 ** 48;
}

export interface AccountKeys {
  readonly account: string;
  readonly secretTest: string;
  readonly secretLive: string;
  readonly restrictedTest: string;
  readonly restrictedLive: string;
  readonly publishableTest: string;
  readonly publishableLive: string;
  readonly webhookSecret: string;
}

/** The keys of an account, by its name. */
export function keysOf(seed: string, name: string): AccountKeys {
  const account = `acct_1${lettersOf(15, seed, name)}`;
  const key = (prefix: string) => `${prefix}_51${account.slice(6)}${lettersOf(30, seed, name, prefix)}`;
  return {
    account,
    secretTest: key('sk_test'),
    secretLive: key('sk_live'),
    restrictedTest: key('rk_test'),
    restrictedLive: key('rk_live'),
    publishableTest: key('pk_test'),
    publishableLive: key('pk_live'),
    webhookSecret: `whsec_${lettersOf(32, seed, name, 'webhook')}`,
  };
}

// Caught messages, sealed.

import { Secret } from '../../kernel/index.ts';
import type { Vault } from '../../runtime/index.ts';

const purposeOf = (id: string) => `caught mail ${id}`;

/** A character for each byte: a message need not be text in one encoding. */
export function sealSource(vault: Vault, id: string, source: Uint8Array): string {
  return vault.seal(new Secret(Buffer.from(source).toString('latin1')), purposeOf(id));
}

export function openSource(vault: Vault, id: string, sealed: string): Buffer {
  return Buffer.from(vault.open(sealed, purposeOf(id)).reveal(), 'latin1');
}

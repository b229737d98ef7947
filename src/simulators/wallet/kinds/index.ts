// Every kind of bad token that the simulated vendor makes on request.

import { mintToken, type TokenOrder } from '../mint.ts';
import type { Vendor } from '../vendor.ts';
import { chainKinds } from './chain.ts';
import { malformedKinds } from './envelope.ts';
import type { BadKind } from './kind.ts';
import { payloadKinds } from './payload.ts';
import { signatureKinds } from './signature.ts';

export type { BadKind } from './kind.ts';

export const badKinds: readonly BadKind[] = [...malformedKinds, ...chainKinds, ...signatureKinds, ...payloadKinds];

/** A token of this kind; undefined if there is no such kind. */
export function mintBadToken(vendor: Vendor, order: TokenOrder, name: string): string | undefined {
  const found = badKinds.find((kind) => kind.name === name);
  return found && mintToken(vendor, order, found.tampering(vendor));
}

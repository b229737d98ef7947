// The domain-association file, as the vendor provides it: hex digits of a small JSON text. The same for the same seed,
// so that a downloaded file stays valid.

import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../kernel/index.ts';
import { hashOfIdentifier } from '../../wallet/index.ts';
import { bytesFrom } from './keys.ts';
import { type Vendor, vendorValidity } from './vendor.ts';

/** The file for the platform with this merchant identifier; merchants put it on their domains unchanged. */
export function associationFile({ seed }: Pick<Vendor, 'seed'>, merchantIdentifier: string): string {
  const content = {
    version: 1,
    pspId: hashOfIdentifier(merchantIdentifier).toString('hex').toUpperCase(),
    createdOn: vendorValidity.notBefore.epochMilliseconds,
  };
  const signature = createHmac('sha256', bytesFrom(seed, 'domain association')).update(canonicalJson(content));
  return Buffer.from(canonicalJson({ ...content, signature: signature.digest('hex') }))
    .toString('hex')
    .toUpperCase();
}

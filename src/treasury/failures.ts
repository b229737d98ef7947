// Refusals about our accounts.

import { failureKind } from '../kernel/index.ts';

export const profileMissing = failureKind(
  'bank_profile_missing',
  409,
  'There is no such bank profile, or it is for another currency.',
  'Use one of those that are listed.',
);

export const treasuryFailures = [profileMissing];

// Refusals of wallet payments.

import { failureKind } from '../kernel/index.ts';

export const walletDomainNotRegistered = failureKind(
  'wallet_domain_not_registered',
  403,
  'This domain is not registered for wallet payments.',
  'Register the domain with POST /wallet/domains, then retry.',
);

export const walletUnavailable = failureKind(
  'wallet_unavailable',
  503,
  'The wallet vendor did not answer as expected.',
  'Start a new wallet session in the browser, which gets a new validationUrl.',
);

export const walletFailures = [walletDomainNotRegistered, walletUnavailable];

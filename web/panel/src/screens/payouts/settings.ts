import type { Answer } from '../../api/endpoints.ts';

export type PayoutSettings = Answer<'GET /payout-settings'>['settings'];

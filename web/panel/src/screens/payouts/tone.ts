import type { Answer } from '../../api/endpoints.ts';
import type { Tone } from '../../ui/status.tsx';

export type Payout = Answer<'GET /payouts/{payoutId}'>['payout'];

const tones: Readonly<Record<Payout['status'], Tone>> = {
  created: 'wait',
  approved: 'wait',
  sent: 'info',
  paid: 'good',
  returned: 'bad',
  failed: 'bad',
  canceled: 'plain',
};

export const toneOf = ({ status }: Pick<Payout, 'status'>): Tone => tones[status];

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { stopText } from '../../ui/payout-stop/words.ts';
import { ledgerText } from './words.ts';

export type Balance = Answer<'GET /panel/api/balance'>;
type Due = Answer<'GET /balance'>;

export function useBalance() {
  return useQuery(read('GET /panel/api/balance'));
}

export function BalanceNow() {
  const due = useQuery(read('GET /balance'));
  return (
    <Loaded query={due} lines={2}>
      {(data) => <Amounts due={data} />}
    </Loaded>
  );
}

/** Days of the service. */
function useDay(): (day: string) => string {
  const format = useFormat();
  return (day) => format.local(day);
}

function Amounts({ due: { balance, nextPayout } }: { readonly due: Due }) {
  const t = useText(ledgerText);
  const format = useFormat();
  const day = useDay();
  const amount = (value: number) => format.amount(value, balance.currency);
  const tiles = [
    { label: t('balance'), value: balance.amount, about: t('balanceHint') },
    {
      label: t('due'),
      value: balance.due,
      about: balance.notYetDue.map((one) => t('dueOn', { amount: amount(one.amount), day: day(one.date) })).join(', '),
    },
    ...(balance.reserved > 0 ? [{ label: t('reserved'), value: balance.reserved, about: t('reservedHint') }] : []),
    ...(balance.inTransit > 0 ? [{ label: t('transit'), value: balance.inTransit, about: '' }] : []),
    ...(balance.owed > 0 ? [{ label: t('owed'), value: balance.owed, about: t('owedHint') }] : []),
  ];
  return (
    <>
      <ul className="tiles" aria-label={t('balance')}>
        {tiles.map(({ label, value, about }) => (
          <li key={label} className="card tile">
            <strong>{label}</strong>
            <div className="tile-value numeric">{amount(value)}</div>
            {about ? <div className="tile-about">{about}</div> : null}
          </li>
        ))}
      </ul>
      <Text size="sm">
        <NextPayout next={nextPayout} currency={balance.currency} />
      </Text>
    </>
  );
}

/** When the next payout comes and how much it will be, or which rule stops it. */
export function NextPayout({ next, currency }: { readonly next: Due['nextPayout']; readonly currency: string }) {
  const t = useText(ledgerText);
  const stops = useText(stopText);
  const format = useFormat();
  const day = useDay();
  const amount = format.amount(next.amount, currency);
  if (next.reason === null && next.date !== null) return t('nextPayout', { day: day(next.date), amount });
  const why = next.reason === null ? '' : stops(next.reason);
  if (next.date === null || next.amount === 0) return t('noPayout', { why });
  return t('stoppedPayout', { day: day(next.date), amount, why });
}

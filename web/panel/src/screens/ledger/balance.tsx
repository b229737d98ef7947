import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { ledgerText } from './words.ts';

export type Balance = Answer<'GET /panel/api/balance'>;

export function useBalance() {
  return useQuery(read('GET /panel/api/balance'));
}

export function BalanceNow() {
  const balance = useBalance();
  return (
    <Loaded query={balance} lines={2}>
      {(data) => <Amounts balance={data} />}
    </Loaded>
  );
}

function Amounts({ balance: { balance, payoutTransit, owed, currency, at } }: { readonly balance: Balance }) {
  const t = useText(ledgerText);
  const format = useFormat();
  return (
    <ul className="tiles" aria-label={t('balance')}>
      <li className="card tile">
        <strong>{t('balance')}</strong>
        <div className="tile-value numeric">{format.amount(balance, currency)}</div>
        <div className="tile-about">
          {t('balanceHint')} {t('at', { time: format.dateTime(at) })}
        </div>
      </li>
      {payoutTransit > 0 ? (
        <li className="card tile">
          <strong>{t('transit')}</strong>
          <div className="tile-value numeric">{format.amount(payoutTransit, currency)}</div>
        </li>
      ) : null}
      {owed > 0 ? (
        <li className="card tile">
          <strong>{t('owed')}</strong>
          <div className="tile-value numeric">{format.amount(owed, currency)}</div>
          <div className="tile-about">{t('owedHint')}</div>
        </li>
      ) : null}
    </ul>
  );
}

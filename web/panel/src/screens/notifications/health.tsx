import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useDeliveryFault } from '../../ui/delivery-fault/delivery-fault.ts';
import { Note } from '../../ui/status.tsx';
import { notificationText } from './words.ts';

/** What is wrong with the notification endpoints; nothing if nothing is. */
export function Health() {
  const t = useText(notificationText);
  const format = useFormat();
  const faultOf = useDeliveryFault();
  const { data } = useQuery(read('GET /panel/api/notifications/endpoints'));
  if (!data || (data.endpoints.length === 0 && data.exhausted === 0)) return null;
  return (
    <Note tone="wait">
      {data.endpoints.length > 0 ? (
        <>
          <strong>{t('failing')}</strong>
          <ul className="plain-list">
            {data.endpoints.map(({ origin, failuresInRow, failingSince, lastError }) => (
              <li key={origin}>
                {t('failingLine', {
                  origin,
                  count: failuresInRow,
                  since: format.dateTime(failingSince),
                  error: faultOf(lastError),
                })}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {data.exhausted > 0 ? <div>{t('exhaustedNote', { count: data.exhausted })}</div> : null}
      {data.pending > 0 ? <div>{t('pendingNote', { count: data.pending })}</div> : null}
    </Note>
  );
}

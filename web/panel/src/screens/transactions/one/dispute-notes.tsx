// What disputes mean for the money of a payment, in a sentence for each way that they can stand.

import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { Note } from '../../../ui/status.tsx';
import type { Detail } from '../status.tsx';
import { oneTransactionText } from './words.ts';

type State = Detail['disputes'][number]['state'];

/** Nothing if there are none. */
export function DisputeNotes({ detail: { transaction, disputes } }: { readonly detail: Detail }) {
  const t = useText(oneTransactionText);
  const format = useFormat();
  const sum = (amount: number) => format.amount(amount, transaction.currency);
  const isSplit = transaction.origin === 'marketplace';
  const { opened, lost, returned, kept } = sumsOf(disputes);
  return (
    <>
      {opened > 0 ? (
        <Note tone="wait">{t(isSplit ? 'disputedSplitNote' : 'disputedNote', { amount: sum(opened) })}</Note>
      ) : null}
      {lost > 0 ? <Note tone="bad">{t('lostNote', { amount: sum(lost) })}</Note> : null}
      {returned > 0 ? (
        <Note tone="good">{t(isSplit ? 'wonSplitNote' : 'wonNote', { amount: sum(returned) })}</Note>
      ) : null}
      {kept > 0 ? <Note tone="wait">{t('keptNote', { amount: sum(kept) })}</Note> : null}
    </>
  );
}

/** `kept`: of won disputes, what was not given back. */
function sumsOf(disputes: Detail['disputes']) {
  const takenIn = (wanted: State) =>
    disputes.filter(({ state }) => state === wanted).reduce((sum, { amount, returned }) => sum + amount - returned, 0);
  const returned = disputes.reduce((sum, one) => sum + (one.state === 'won' ? one.returned : 0), 0);
  return { opened: takenIn('opened'), lost: takenIn('lost'), returned, kept: takenIn('won') };
}

import { IconRepeat } from '@tabler/icons-react';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { Status } from '../../ui/status.tsx';
import { everyText, RecurringStatus } from './status.tsx';
import { recurringText } from './words.ts';

type Row = Answer<'GET /panel/api/recurring'>['recurring'][number];

export default function RecurringPayments() {
  const t = useText(recurringText);
  const list = useText(listText);
  const format = useFormat();
  return (
    <List
      endpoint="GET /panel/api/recurring"
      title={useText(screenText)('recurring')}
      about={t('about')}
      filters={{
        status: {
          label: list('status'),
          options: { active: t('active'), finished: t('finished'), failed: t('failed'), canceled: t('canceled') },
        },
      }}
      rows={({ recurring }) => recurring}
      keyOf={({ recurringId }) => recurringId}
      label={t('list')}
      links
      columns={[
        {
          key: 'description',
          label: list('description'),
          lead: true,
          cell: ({ recurringId, description }) => (
            <TextLink to={`/recurring/${recurringId}`} size="sm">
              {description}
            </TextLink>
          ),
        },
        { key: 'amount', label: list('amount'), align: 'end', cell: (row) => format.amount(row.amount, row.currency) },
        { key: 'repeats', label: t('repeats'), nowrap: true, cell: (row) => everyText(t, row) },
        { key: 'status', label: list('status'), cell: ({ status }) => <RecurringStatus status={status} /> },
        {
          key: 'next',
          label: t('next'),
          nowrap: true,
          cell: ({ nextAt, inProgress }) => (inProgress ? t('inProgress') : nextAt ? format.dateTime(nextAt) : ''),
        },
        { key: 'last', label: t('lastAttempt'), cell: (row) => <LastAttempt row={row} /> },
        { key: 'payer', label: list('payer'), cell: ({ payerEmail }) => payerEmail },
      ]}
      empty={{ icon: IconRepeat, title: t('empty'), children: t('emptyHint') }}
    />
  );
}

function LastAttempt({ row: { lastState } }: { readonly row: Row }) {
  const t = useText(recurringText);
  if (lastState === null) return null;
  const paid = lastState === 'correct';
  return <Status tone={paid ? 'good' : 'bad'}>{t(paid ? 'attemptCorrect' : 'attemptFailed')}</Status>;
}

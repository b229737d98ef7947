import { IconReceipt } from '@tabler/icons-react';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import type { Column } from '../../ui/list/table.tsx';
import { settlementText } from './words.ts';

type Row = Answer<'GET /settlements'>['settlements'][number];

function useColumns(): readonly Column<Row>[] {
  const t = useText(settlementText);
  const format = useFormat();
  return [
    {
      key: 'number',
      label: t('number'),
      lead: true,
      cell: ({ settlementId, number }) => (
        <TextLink to={`/money/settlements/${settlementId}`} className="numeric" size="sm" fw={600}>
          {number}
        </TextLink>
      ),
    },
    { key: 'reason', label: t('reason'), cell: ({ reason }) => t(reason) },
    {
      key: 'period',
      label: t('period'),
      cell: ({ date }) => t('fromTo', { from: format.local(date.first), to: format.local(date.last) }),
    },
    { key: 'lines', label: t('lines'), align: 'end', cell: ({ lines }) => format.number(lines) },
    {
      key: 'opening',
      label: t('opening'),
      align: 'end',
      cell: ({ opening, currency }) => format.amount(opening, currency),
    },
    {
      key: 'closing',
      label: t('closing'),
      align: 'end',
      cell: ({ closing, currency }) => format.amount(closing, currency),
    },
  ];
}

export default function Settlements() {
  const t = useText(settlementText);
  return (
    <List
      endpoint="GET /settlements"
      title={useText(screenText)('settlements')}
      about={t('about')}
      numbered
      rows={({ settlements }) => settlements}
      keyOf={({ settlementId }) => settlementId}
      links
      columns={useColumns()}
      empty={{ icon: IconReceipt, title: t('empty'), children: t('emptyHint') }}
    />
  );
}

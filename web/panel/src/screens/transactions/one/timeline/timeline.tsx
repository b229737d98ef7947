import { Group, Text } from '@mantine/core';
import { type Decimal, useFormat } from '../../../../language/format.ts';
import { useText } from '../../../../language/text.ts';
import { TextLink } from '../../../../ui/link.tsx';
import { Section } from '../../../../ui/page.tsx';
import { Status } from '../../../../ui/status.tsx';
import type { Detail } from '../../status.tsx';
import { type Happening, useWords } from './happening.ts';
import { timelineText } from './words.ts';

type Entry = Detail['journals'][number]['entries'][number];

interface TimelineProps {
  readonly detail: Detail;
}

export function Timeline({ detail }: TimelineProps) {
  const t = useText(timelineText);
  return (
    <Section title={t('timeline')}>
      <ol className="timeline">
        {detail.timeline.map((happening, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened keeps its place
          <Item key={place} detail={detail} happening={happening} />
        ))}
      </ol>
    </Section>
  );
}

function useSigned(): (amount: Decimal, currency: string) => string {
  const format = useFormat();
  return (amount, currency) => `${Number(amount) > 0 ? '+' : ''}${format.amount(amount, currency)}`;
}

function Item({ detail, happening }: TimelineProps & { readonly happening: Happening }) {
  const format = useFormat();
  const { text, tone, outcome, details } = useWords(detail)(happening);
  const { at, kind, id, amount } = happening;
  const { currency } = detail.transaction;
  const journal = kind === 'journal' ? detail.journals.find(({ journalId }) => journalId === id) : undefined;
  return (
    <li data-tone={tone}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          {kind === 'refund_requested' ? (
            <TextLink to={`/refunds/${id}`} size="sm" fw={600}>
              {text}
            </TextLink>
          ) : (
            <Text size="sm" fw={600} component="span">
              {text}
            </Text>
          )}
          {outcome ? <Status tone={tone}>{outcome}</Status> : null}
          {amount === null ? null : <span className="numeric">{format.amount(amount, currency)}</span>}
        </Group>
        <Text size="xs" c="dimmed" component="time" dateTime={at} className="numeric">
          {format.exact(at)}
        </Text>
      </Group>
      {details ? (
        <Text size="sm" c="dimmed" className="long">
          {details}
        </Text>
      ) : null}
      {journal ? <Entries entries={journal.entries} currency={currency} /> : null}
    </li>
  );
}

function Entries({ entries, currency }: { readonly entries: readonly Entry[]; readonly currency: string }) {
  const t = useText(timelineText);
  const signed = useSigned();
  const nameOf = ({ account, sellerName }: Entry) =>
    account === 'seller_balance' || account === 'seller_owed' ? t(account, { name: sellerName ?? '' }) : t(account);
  return (
    <ul className="entries">
      {entries.map((entry, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what is booked keeps its place
        <li key={place}>
          <span>{nameOf(entry)}</span>
          <span className="numeric">{signed(entry.amount, currency)}</span>
        </li>
      ))}
    </ul>
  );
}

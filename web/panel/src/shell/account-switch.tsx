import { ActionIcon, Anchor, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { shellText } from './words.ts';

interface Account {
  readonly id: string;
  readonly name: string;
}

/** Operators look through everybody's eyes, partners through those of their sellers. */
export function AccountSwitch() {
  const t = useText(shellText);
  const { account, user, viewing } = useSession();
  if (viewing || (user.role !== 'operator' && account?.kind !== 'partner')) return null;
  return (
    <Popover position="bottom-end" width={280} withinPortal={false} trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('switchAccount')}>
          <IconEye size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t('switchAccount')}>
        <Stack gap="xs">{user.role === 'operator' ? <Everybody /> : <Sellers />}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** As many as are worth reading; the others are found by name. */
const shownAtMost = 20;
const typingMilliseconds = 200;

function Everybody() {
  const [part, setPart] = useState('');
  const [search] = useDebouncedValue(part.trim(), typingMilliseconds);
  const query = { limit: shownAtMost, ...(search ? { search } : {}) };
  const { data } = useQuery({
    ...read('GET /panel/api/operator/accounts', { query }),
    placeholderData: keepPreviousData,
  });
  return <Choice part={part} onPart={setPart} accounts={data?.accounts} />;
}

/** The API lists sellers by pages without a search: the first ones are filtered here. */
function Sellers() {
  const [part, setPart] = useState('');
  const { data } = useQuery({
    queryKey: ['sellers to look as'],
    queryFn: () => call('GET /accounts', { query: { limit: 100 } }),
  });
  const isMeant = ({ name }: Account) => name.toLowerCase().includes(part.trim().toLowerCase());
  return <Choice part={part} onPart={setPart} accounts={data?.list.filter(isMeant)} />;
}

interface ChoiceProps {
  readonly part: string;
  readonly onPart: (part: string) => void;
  readonly accounts: readonly Account[] | undefined;
}

function Choice({ part, onPart, accounts }: ChoiceProps) {
  const t = useText(shellText);
  return (
    <>
      <TextInput
        size="xs"
        label={t('switchAccount')}
        placeholder={t('findAccount')}
        value={part}
        onChange={(event) => onPart(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize mah={320}>
        {accounts?.map(({ id, name }) => (
          // Loads the panel anew: nothing of one account stays for another.
          <Anchor key={id} href={`/panel/?as=${encodeURIComponent(id)}`} display="block" py={4} size="sm">
            {name}
          </Anchor>
        ))}
        {accounts?.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('noAccounts')}
          </Text>
        ) : null}
      </ScrollArea.Autosize>
    </>
  );
}

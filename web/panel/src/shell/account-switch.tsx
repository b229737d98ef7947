import { ActionIcon, Menu, ScrollArea, Text, TextInput } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { shellText } from '../i18n/shell.ts';
import { useText } from '../i18n/text.ts';

/** A partner looks through the eyes of its sellers. */
export function AccountSwitch() {
  const { account, viewing } = useSession();
  return account?.kind === 'partner' && !viewing ? <SellerMenu /> : null;
}

function SellerMenu() {
  const t = useText(shellText);
  const [opened, setOpened] = useState(false);
  const [part, setPart] = useState('');
  const { data } = useQuery({ ...read('GET /accounts', { query: { limit: 100 } }), enabled: opened });
  const found = data?.list.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase())) ?? [];
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('switchAccount')}>
          <IconEye size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('switchAccount')}</Menu.Label>
        <TextInput
          px={6}
          pb={6}
          size="xs"
          aria-label={t('findAccount')}
          placeholder={t('findAccount')}
          value={part}
          onChange={(event) => setPart(event.currentTarget.value)}
        />
        <ScrollArea.Autosize mah={320}>
          {found.map(({ id, name }) => (
            <Menu.Item key={id} component="a" href={`/panel/?as=${encodeURIComponent(id)}`}>
              {name}
            </Menu.Item>
          ))}
          {data && found.length === 0 ? (
            <Text size="sm" c="dimmed" p="xs">
              {t('noAccounts')}
            </Text>
          ) : null}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

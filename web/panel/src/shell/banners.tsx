import { Anchor, Group, Stack } from '@mantine/core';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { Note } from '../ui/status.tsx';
import { shellText } from './words.ts';

/** What holds for every screen: through whose eyes it is seen, and that the account is blocked. */
export function Banners() {
  const t = useText(shellText);
  const { account, viewing } = useSession();
  if (!account || (!viewing && account.status === 'active')) return null;
  return (
    <Stack gap="xs" mb="md">
      {viewing ? (
        <Note tone="info">
          <Group justify="space-between" gap="xs">
            <span>
              <strong>{t('lookingAs', { name: account.name })}</strong> {t('readOnlyNote')}
            </span>
            {/* Loads the panel anew: nothing of this account stays. */}
            <Anchor href="/panel/" fw={600} underline="always">
              {t('leave')}
            </Anchor>
          </Group>
        </Note>
      ) : null}
      {account.status === 'blocked' ? (
        <Note tone="bad">
          <strong>{t('blockedAccount')}</strong> {t('blockedAccountHint')}
        </Note>
      ) : null}
    </Stack>
  );
}

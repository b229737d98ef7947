// `g` and a letter open a screen; `?` lists them all.

import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { isUsable } from '../menu/menu.ts';
import { screenText } from '../menu/words.ts';
import { screens } from '../screens.ts';
import { Dialog } from '../ui/dialog.tsx';
import { shellText } from './words.ts';

const showEvent = 'grosz-shortcuts';

export function showShortcuts(): void {
  dispatchEvent(new Event(showEvent));
}

/** The second key of a pair must follow within this. */
const pairWithinMilliseconds = 1_500;

/** Letters typed into a field are text; with a modifier they belong to the browser. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  );
}

export function Shortcuts() {
  const t = useText(shellText);
  const screenName = useText(screenText);
  const session = useSession();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  const gAt = useRef(Number.NEGATIVE_INFINITY);
  const usable = screens.filter((screen) => screen.key && isUsable(screen, session));

  useWindowEvent(showEvent, open);
  useWindowEvent('keydown', (event) => {
    if (isTyping(event)) return;
    const paired = event.timeStamp - gAt.current < pairWithinMilliseconds;
    gAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (event.key === '?') open();
    const screen = paired ? usable.find(({ key }) => key === event.key) : undefined;
    if (screen) void navigate({ to: screen.path });
  });

  if (!opened) return null;
  return (
    <Dialog onClose={close} title={t('shortcuts')}>
      <Stack gap="xs">
        <Line label={t('commandPalette')} keys={['Ctrl', 'K']} />
        <Line label={t('shortcuts')} keys={['?']} />
        {usable.map(({ path, name, key = '' }) => (
          <Line key={path} label={screenName(name)} keys={['g', key]} between={t('thenKey')} />
        ))}
      </Stack>
    </Dialog>
  );
}

interface LineProps {
  readonly label: string;
  readonly keys: readonly string[];
  readonly between?: string;
}

function Line({ label, keys: [first = '', second], between = '+' }: LineProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{label}</Text>
      <Group gap={6} wrap="nowrap">
        <kbd>{first}</kbd>
        {second ? (
          <>
            <Text size="xs" c="dimmed">
              {between}
            </Text>
            <kbd>{second}</kbd>
          </>
        ) : null}
      </Group>
    </Group>
  );
}

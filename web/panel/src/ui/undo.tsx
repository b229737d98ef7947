import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useText } from '../language/text.ts';
import { useNotify } from './failed/failed.tsx';
import { listText } from './list/words.ts';
import { commonText } from './words.ts';

/** Tells that something was done, with a button that takes it back. */
export function useNotifyUndo(): (message: string, undo: () => Promise<unknown>) => void {
  const t = useText(listText);
  const common = useText(commonText);
  const notify = useNotify();
  return (message, undo) => {
    async function undoAndHide(id: string): Promise<void> {
      notifications.hide(id);
      await undo().catch(notify.failed);
    }
    const id: string = notifications.show({
      color: 'green',
      autoClose: 12_000,
      closeButtonProps: { 'aria-label': common('close') },
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{message}</span>
          <Button size="xs" variant="default" onClick={() => void undoAndHide(id)}>
            {t('undo')}
          </Button>
        </Group>
      ),
    });
  };
}

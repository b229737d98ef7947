// Saves a list as a file, with its progress and a way to stop.

import { Button, Group, Menu, Progress, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { download, type FileName, type Progress as Rows, save } from '../../api/download.ts';
import type { QueryOf } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useNotify } from '../failed/failed.tsx';
import { listText } from './words.ts';

const formats = ['csv', 'json'] as const;

interface ExportProps<N extends FileName> {
  readonly name: N;
  /** As on screen. */
  readonly query: QueryOf<N>;
}

function useExport<N extends FileName>({ name, query }: ExportProps<N>) {
  const t = useText(listText);
  const notify = useNotify();
  const [progress, setProgress] = useState<Rows>();
  const running = useRef<AbortController>(undefined);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);
  const start = async (format: (typeof formats)[number]) => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setProgress({ done: 0, total: null });
    try {
      const file = await download(name, { ...query, format }, setProgress, { signal });
      save(file);
      notify.done(file.rows === null ? t('savedAll') : t('saved', { count: file.rows }));
    } catch (error) {
      if (signal.aborted) notify.done(t('canceled'));
      else notify.failed(error);
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, start, stop };
}

export function Export<N extends FileName>(props: ExportProps<N>) {
  const t = useText(listText);
  const { progress, start, stop } = useExport(props);
  if (progress) return <Running progress={progress} stop={stop} />;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => void start(format)}>
            {t(format)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useLabel({ done, total }: Rows): string {
  const t = useText(listText);
  const format = useFormat();
  if (total) return t('progress', { done: format.number(done), total: format.number(total) });
  return done > 0 ? t('soFar', { count: done }) : t('preparing');
}

function Running({ progress, stop }: { readonly progress: Rows; readonly stop: () => void }) {
  const t = useText(listText);
  const { done, total } = progress;
  const label = useLabel(progress);
  return (
    <Group gap="sm" className="export">
      <div className="export-progress">
        <Text size="xs" className="numeric">
          {label}
        </Text>
        <Progress value={total ? (done * 100) / total : 100} animated={!total} aria-label={label} />
      </div>
      <Button size="xs" variant="default" onClick={stop}>
        {t('cancel')}
      </Button>
    </Group>
  );
}

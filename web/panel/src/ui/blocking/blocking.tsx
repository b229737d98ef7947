// Blocking an account and letting it work again, and looking through its eyes.

import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useText } from '../../language/text.ts';
import { Confirm } from '../confirm.tsx';
import { useNotify } from '../failed/failed.tsx';
import { blockingText } from './words.ts';

interface BlockingProps {
  readonly account: { readonly name: string; readonly status: 'active' | 'blocked' };
  /** Changes the status, and then tells this. */
  readonly send: (change: { readonly status: 'active' | 'blocked' }, message: string) => Promise<void>;
  /** What blocking means. */
  readonly children: ReactNode;
}

export function Blocking({ account: { name, status }, send, children }: BlockingProps) {
  const t = useText(blockingText);
  const notify = useNotify();
  const [isAsking, setIsAsking] = useState(false);
  if (status === 'blocked') {
    const unblock = () => send({ status: 'active' }, t('unblocked', { name })).catch(notify.failed);
    return <Button onClick={() => void unblock()}>{t('unblock')}</Button>;
  }
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('block')}
      </Button>
      {isAsking ? (
        <Confirm
          title={t('title', { name })}
          submit={t('block')}
          danger
          onClose={() => setIsAsking(false)}
          send={() => send({ status: 'blocked' }, t('blocked', { name }))}
        >
          {children}
        </Confirm>
      ) : null}
    </>
  );
}

/** Loads the panel anew: nothing of one account stays for another. */
export function LookButton({ accountId, children }: { readonly accountId: string; readonly children: ReactNode }) {
  return (
    <Button
      component="a"
      href={`/panel/?as=${encodeURIComponent(accountId)}`}
      variant="default"
      leftSection={<IconEye size={16} aria-hidden="true" />}
    >
      {children}
    </Button>
  );
}

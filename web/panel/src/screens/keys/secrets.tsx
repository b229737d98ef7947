import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { keyText } from './words.ts';

type Which = 'securityCode' | 'webhookSecret';
const texts = { securityCode: 'replaceSecurityCode', webhookSecret: 'replaceWebhookSecret' } as const;

/** Asked for only when somebody wants to see them: every look is in the audit log. */
export function Secrets() {
  const t = useText(keyText);
  const client = useQueryClient();
  const [shown, setShown] = useState(false);
  const [replacing, setReplacing] = useState<Which>();
  const query = read('GET /panel/api/secrets');
  function hide(): void {
    setShown(false);
    client.removeQueries({ queryKey: query.queryKey });
  }
  return (
    <Section
      title={t('secrets')}
      about={t('secretsAbout')}
      actions={
        <Button variant="default" onClick={shown ? hide : () => setShown(true)} aria-expanded={shown}>
          {shown ? t('hide') : t('show')}
        </Button>
      }
    >
      {shown ? <Shown /> : null}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setReplacing('securityCode')}>
          {t('replaceSecurityCode')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setReplacing('webhookSecret')}>
          {t('replaceWebhookSecret')}
        </Button>
      </Group>
      {replacing ? <Replace which={replacing} onClose={() => setReplacing(undefined)} /> : null}
    </Section>
  );
}

function Shown() {
  const t = useText(keyText);
  const secrets = useQuery({ ...read('GET /panel/api/secrets'), gcTime: 0, refetchOnWindowFocus: false });
  return (
    <Loaded query={secrets} lines={3}>
      {({ merchantNumber, securityCode, webhookSecret }) => (
        <Facts
          facts={[
            { label: t('merchantNumber'), value: <Id text={String(merchantNumber)} /> },
            { label: t('securityCode'), value: <Id text={securityCode} /> },
            { label: t('webhookSecret'), value: <Id text={webhookSecret} /> },
          ]}
        />
      )}
    </Loaded>
  );
}

function Replace({ which, onClose }: { readonly which: Which; readonly onClose: () => void }) {
  const t = useText(keyText);
  const notify = useNotify();
  const client = useQueryClient();
  async function send(): Promise<void> {
    await call('POST /panel/api/secrets/rotate', { body: { which } });
    await client.invalidateQueries({ queryKey: ['GET /panel/api/secrets'] });
    notify.done(t('replaced'));
  }
  return (
    <Confirm title={`${t(texts[which])}?`} submit={t('replace')} danger onClose={onClose} send={send}>
      {t('replaceHint')}
    </Confirm>
  );
}

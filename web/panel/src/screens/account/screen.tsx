import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import type { BodyOf } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { useMay } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import { ChannelBoxes, channelsOf } from '../../ui/channels/boxes.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import type { Values } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { Channels, DetailFields, Details, detailsOf, Fees, type SettingsProps } from './parts.tsx';
import { PayPageSection } from './pay-page/pay-page.tsx';
import { accountText } from './words.ts';

type Body = BodyOf<'POST /panel/api/settings'>;

export default function Account() {
  const settings = useQuery(read('GET /panel/api/settings'));
  return <Loaded query={settings}>{(data) => <Shown settings={data.settings} />}</Loaded>;
}

type Dialog = 'details' | 'channels';

function Shown({ settings }: SettingsProps) {
  const t = useText(accountText);
  const isOwner = useMay('accountOwner');
  const [dialog, setDialog] = useState<Dialog>();
  const change = (which: Dialog) =>
    isOwner ? (
      <Button size="xs" variant="default" onClick={() => setDialog(which)} aria-label={`${t('change')}: ${t(which)}`}>
        {t('change')}
      </Button>
    ) : null;
  return (
    <Page
      title={settings.name}
      about={t('about')}
      mark={<Status tone={settings.status === 'active' ? 'good' : 'bad'}>{t(settings.status)}</Status>}
    >
      <Section title={t('details')} actions={change('details')}>
        <Details settings={settings} />
      </Section>
      <Section title={t('channels')} about={t('channelsAbout')} actions={change('channels')}>
        <Channels settings={settings} />
      </Section>
      <Section title={t('fees')} about={t('feesAbout')}>
        <Fees settings={settings} />
      </Section>
      <PayPageSection />
      {dialog ? <Change which={dialog} settings={settings} onClose={() => setDialog(undefined)} /> : null}
    </Page>
  );
}

interface ChangeProps extends SettingsProps {
  readonly which: Dialog;
  readonly onClose: () => void;
}

function Change({ which, settings, onClose }: ChangeProps) {
  const t = useText(accountText);
  const common = useText(commonText);
  const notify = useNotify();
  const client = useQueryClient();
  function bodyOf(values: Values): Body {
    if (which === 'details') return detailsOf(values);
    const channels = channelsOf(values);
    if (channels.length > 0) return { channels };
    throw new ApiError(400, [{ code: '', message: t('oneChannel'), field: '' }], '');
  }
  async function send(values: Values): Promise<void> {
    const answer = await call('POST /panel/api/settings', { body: bodyOf(values) });
    client.setQueryData(read('GET /panel/api/settings').queryKey, answer);
    await client.invalidateQueries({ queryKey: ['GET /panel/api/session'] });
    const isCleared = settings.notificationUrl !== null && answer.settings.notificationUrl === null;
    notify.done(t(isCleared ? 'addressCleared' : 'saved'));
  }
  const enabled = settings.channels.filter((channel) => channel.enabled).map(({ id }) => id);
  return (
    <Confirm
      title={t(which)}
      submit={common('save')}
      onClose={onClose}
      send={send}
      fields={
        which === 'details' ? (
          <DetailFields settings={settings} />
        ) : (
          <ChannelBoxes label={t('channels')} enabled={enabled} />
        )
      }
    />
  );
}

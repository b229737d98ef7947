import { Button, SimpleGrid } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePathPart } from '../../address.ts';
import { call, read } from '../../api/client.ts';
import type { BodyOf } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Blocking, LookButton } from '../../ui/blocking/blocking.tsx';
import { ChannelBoxes, channelsOf } from '../../ui/channels/boxes.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { decimalOf } from '../../ui/decimal.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { CheckField, TextField, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import {
  Channels,
  DetailFields,
  Details,
  detailsOf,
  Fees,
  type Settings,
  type SettingsProps,
} from '../account/parts.tsx';
import { accountText } from '../account/words.ts';
import { accountsText } from './words.ts';

type Body = BodyOf<'POST /panel/api/operator/accounts/{accountId}'>;
type Dialog = 'changeAccount' | 'changeChannels' | 'changeFees';

export default function OneAccount() {
  const accountId = usePathPart('accountId');
  const found = useQuery(read('GET /panel/api/operator/accounts/{accountId}', { params: { accountId } }));
  return <Loaded query={found}>{({ settings }) => <Shown settings={settings} />}</Loaded>;
}

function Shown({ settings }: SettingsProps) {
  const t = useText(accountsText);
  const own = useText(accountText);
  const [dialog, setDialog] = useState<Dialog>();
  const { name, status } = settings;
  const change = (which: Dialog) => (
    <Button size="xs" variant="default" onClick={() => setDialog(which)} aria-label={`${t('change')}: ${t(which)}`}>
      {t('change')}
    </Button>
  );
  return (
    <Page
      title={name}
      mark={
        <>
          <Status tone="plain">{t(settings.kind)}</Status>
          <Status tone={status === 'active' ? 'good' : 'bad'}>{t(status)}</Status>
        </>
      }
      about={
        <TextLink to="/operator/accounts" size="sm">
          {t('allAccounts')}
        </TextLink>
      }
      actions={<Actions settings={settings} />}
    >
      <Section title={own('details')} actions={change('changeAccount')}>
        <Details settings={settings} />
      </Section>
      <Section title={own('channels')} actions={change('changeChannels')}>
        <Channels settings={settings} />
      </Section>
      <Section title={own('fees')} actions={change('changeFees')}>
        <Fees settings={settings} />
      </Section>
      {dialog ? <Change which={dialog} settings={settings} onClose={() => setDialog(undefined)} /> : null}
    </Page>
  );
}

function useSend({ id: accountId }: Settings): (body: Body, message: string) => Promise<void> {
  const client = useQueryClient();
  const notify = useNotify();
  return async (body, message) => {
    const params = { accountId };
    const answer = await call('POST /panel/api/operator/accounts/{accountId}', { params, body });
    client.setQueryData(read('GET /panel/api/operator/accounts/{accountId}', { params }).queryKey, answer);
    await client.invalidateQueries({ queryKey: ['GET /panel/api/operator/accounts'] });
    notify.done(message);
  };
}

function Actions({ settings }: SettingsProps) {
  const t = useText(accountsText);
  const send = useSend(settings);
  return (
    <>
      <LookButton accountId={settings.id}>{t('look')}</LookButton>
      <Blocking account={settings} send={send}>
        {t('blockHint')}
      </Blocking>
    </>
  );
}

interface DialogProps extends SettingsProps {
  readonly onClose: () => void;
}

const feeNames = ['paymentPercent', 'paymentFixed', 'refundFixed'] as const;

/** A limit that was not touched stays that of everybody. */
function feesOf(values: Values, notNumber: string, { kind, requestsPerSecond }: Settings): Body {
  const name = 'requestsPerSecond';
  const limit = values(name).trim();
  const sameLimit = limit === String(requestsPerSecond);
  return {
    ...Object.fromEntries(feeNames.map((fee) => [fee, decimalOf(values(fee), fee, notNumber)])),
    ...(sameLimit ? {} : { [name]: limit === '' ? null : decimalOf(limit, name, notNumber) }),
    ...(kind === 'partner' ? { marketplace: values('marketplace') === 'on' } : {}),
  };
}

function Change({ which, settings, onClose }: DialogProps & { readonly which: Dialog }) {
  const t = useText(accountsText);
  const common = useText(commonText);
  const send = useSend(settings);
  function bodyOf(values: Values): Body {
    if (which === 'changeChannels') return { channels: channelsOf(values) };
    if (which === 'changeFees') return feesOf(values, t('notNumber'), settings);
    return { ...detailsOf(values), zone: values('zone').trim(), country: values('country').trim() };
  }
  return (
    <Confirm
      title={`${t(which)}: ${settings.name}`}
      submit={common('save')}
      onClose={onClose}
      send={(values) => send(bodyOf(values), t('saved'))}
      fields={<Fields which={which} settings={settings} />}
    />
  );
}

function Fields({ which, settings }: SettingsProps & { readonly which: Dialog }) {
  const t = useText(accountsText);
  const enabled = settings.channels.filter((channel) => channel.enabled).map(({ id }) => id);
  if (which === 'changeChannels') return <ChannelBoxes label={t('changeChannels')} enabled={enabled} />;
  if (which === 'changeFees') return <FeeFields settings={settings} />;
  return (
    <>
      <DetailFields settings={settings} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField name="zone" label={t('zone')} defaultValue={settings.zone} required withAsterisk={false} />
        <TextField
          name="country"
          label={t('country')}
          defaultValue={settings.country}
          maxLength={2}
          required
          withAsterisk={false}
        />
      </SimpleGrid>
    </>
  );
}

function FeeFields({ settings }: SettingsProps) {
  const t = useText(accountsText);
  return (
    <>
      {feeNames.map((name) => (
        <TextField
          key={name}
          name={name}
          label={t(name)}
          defaultValue={settings.fees[name]}
          inputMode="decimal"
          required
          withAsterisk={false}
        />
      ))}
      <TextField
        name="requestsPerSecond"
        label={t('requestsPerSecond')}
        description={t('requestsHint')}
        defaultValue={settings.requestsPerSecond}
        inputMode="numeric"
      />
      {settings.kind === 'partner' ? (
        <CheckField name="marketplace" label={t('marketplace')} defaultChecked={settings.marketplace} />
      ) : null}
    </>
  );
}

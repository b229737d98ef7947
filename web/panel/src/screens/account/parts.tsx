// What the account's own people and operators see of an account's settings.

import type { Answer, BodyOf } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useChannelName } from '../../ui/channels/channels.ts';
import { Facts, Id } from '../../ui/facts.tsx';
import { CheckField, TextField, type Values } from '../../ui/form.tsx';
import { Status } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { accountText } from './words.ts';

export type Settings = Answer<'GET /panel/api/settings'>['settings'];

export interface SettingsProps {
  readonly settings: Settings;
}

export function Details({ settings }: SettingsProps) {
  const t = useText(accountText);
  const common = useText(commonText);
  return (
    <Facts
      facts={[
        { label: t('name'), value: settings.name },
        { label: common('email'), value: settings.email },
        { label: t('phone'), value: settings.phone },
        { label: t('taxId'), value: settings.taxId },
        { label: t('url'), value: settings.url },
        { label: t('notificationUrl'), value: settings.notificationUrl ?? t('none') },
        { label: t('moneyUrl'), value: settings.moneyUrl ?? t('none') },
        { label: t('settlementMails'), value: t(settings.settlementMails ? 'sent' : 'notSent') },
        { label: t('declineNotifications'), value: t(settings.declineNotifications ? 'sent' : 'notSent') },
        { label: t('zone'), value: settings.zone },
        { label: t('country'), value: settings.country },
        { label: t('accountId'), value: <Id text={settings.id} /> },
        { label: t('merchantNumber'), value: <Id text={String(settings.merchantNumber)} /> },
      ]}
    />
  );
}

export function Channels({ settings }: SettingsProps) {
  const t = useText(accountText);
  const nameOf = useChannelName();
  return (
    <Facts
      facts={settings.channels.map(({ id, enabled }) => ({
        label: nameOf(id),
        value: <Status tone={enabled ? 'good' : 'plain'}>{t(enabled ? 'enabled' : 'disabled')}</Status>,
      }))}
    />
  );
}

/** The service has one currency. */
const currency = 'PLN';

export function Fees({ settings: { fees, requestsPerSecond } }: SettingsProps) {
  const t = useText(accountText);
  const format = useFormat();
  const percent = format.number(fees.paymentPercent);
  return (
    <Facts
      facts={[
        {
          label: t('ofPayment'),
          value: t('percentAndFixed', { percent, fixed: format.amount(fees.paymentFixed, currency) }),
        },
        { label: t('ofRefund'), value: format.amount(fees.refundFixed, currency) },
        { label: t('requestsPerSecond'), value: format.number(requestsPerSecond) },
      ]}
    />
  );
}

export function detailsOf(values: Values): BodyOf<'POST /panel/api/settings'> {
  const text = (name: string) => values(name).trim();
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    taxId: text('taxId'),
    url: text('url'),
    notificationUrl: text('notificationUrl') || null,
    declineNotifications: values('declineNotifications') === 'on',
    moneyUrl: text('moneyUrl') || null,
    settlementMails: values('settlementMails') === 'on',
  };
}

export function DetailFields({ settings }: SettingsProps) {
  const t = useText(accountText);
  const common = useText(commonText);
  return (
    <>
      <TextField
        name="name"
        label={t('name')}
        description={t('nameHint')}
        defaultValue={settings.name}
        required
        withAsterisk={false}
      />
      <TextField
        name="email"
        type="email"
        label={common('email')}
        defaultValue={settings.email}
        required
        withAsterisk={false}
      />
      <TextField name="phone" type="tel" label={t('phone')} defaultValue={settings.phone} />
      <TextField name="taxId" label={t('taxId')} defaultValue={settings.taxId} />
      <TextField name="url" type="url" label={t('url')} defaultValue={settings.url} />
      <TextField
        name="notificationUrl"
        type="url"
        label={t('notificationUrl')}
        description={t('notificationUrlHint')}
        defaultValue={settings.notificationUrl ?? ''}
      />
      <CheckField
        name="declineNotifications"
        label={t('declineNotifications')}
        description={t('declineNotificationsHint')}
        defaultChecked={settings.declineNotifications}
      />
      <TextField
        name="moneyUrl"
        type="url"
        label={t('moneyUrl')}
        description={t('moneyUrlHint')}
        defaultValue={settings.moneyUrl ?? ''}
      />
      <CheckField
        name="settlementMails"
        label={t('settlementMails')}
        description={t('settlementMailsHint')}
        defaultChecked={settings.settlementMails}
      />
    </>
  );
}

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { BodyOf } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { decimalOf } from '../../ui/decimal.ts';
import { Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import type { PayoutSettings } from './settings.ts';
import { payoutsText } from './words.ts';

interface SettingsProps {
  readonly settings: PayoutSettings;
}

/** When and how much is paid. */
export function Schedule({ settings }: SettingsProps) {
  const t = useText(payoutsText);
  const format = useFormat();
  const [changing, setChanging] = useState(false);
  const mayWrite = useMay('write');
  const { schedule, days, minimum, keepBack, delayDays } = settings;
  const amount = (value: number) => (value === 0 ? t('none') : format.amount(value, 'PLN'));
  const isOfWeek = schedule === 'weekdays';
  const named = days.map((day) => (isOfWeek ? weekdayName(day, format.locale) : String(day))).join(', ');
  const words = schedule === 'weekdays' || schedule === 'month_days' ? t(schedule, { days: named }) : t(schedule);
  return (
    <Section
      title={t('schedule')}
      actions={
        mayWrite ? (
          <Button variant="default" onClick={() => setChanging(true)}>
            {t('changeSchedule')}
          </Button>
        ) : null
      }
    >
      <Facts
        facts={[
          { label: t('scheduleIs'), value: words },
          { label: t('minimum'), value: amount(minimum) },
          { label: t('keepBack'), value: amount(keepBack) },
          { label: t('delay'), value: t('delayDays', { count: delayDays }) },
        ]}
      />
      {changing ? <Change settings={settings} onClose={() => setChanging(false)} /> : null}
    </Section>
  );
}

/** Monday is 1; 5 January 2026 was one. */
function weekdayName(day: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));
}

type Body = BodyOf<'PATCH /payout-settings'>;
type Kind = PayoutSettings['schedule'];

const isKind = (text: string): text is Kind => ['manual', 'daily', 'weekdays', 'month_days'].includes(text);

function daysOf(text: string, complaint: string): number[] {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  if (parts.length > 0 && parts.every((part) => /^\d{1,2}$/.test(part))) return parts.map(Number);
  throw new ApiError(400, [{ code: '', message: complaint, field: 'days' }], '');
}

function Change({ settings, onClose }: SettingsProps & { readonly onClose: () => void }) {
  const t = useText(payoutsText);
  const common = useText(commonText);
  const notify = useNotify();
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>(settings.schedule);
  const hasDays = kind === 'weekdays' || kind === 'month_days';
  async function send(values: Values): Promise<void> {
    const body: Body = {
      schedule: kind,
      ...(hasDays ? { days: daysOf(values('days'), t('daysBad')) } : {}),
      minimum: decimalOf(values('minimum') || '0', 'minimum', t('askBad')),
      keepBack: decimalOf(values('keepBack') || '0', 'keepBack', t('askBad')),
    };
    await call('PATCH /payout-settings', { body });
    await client.invalidateQueries();
    notify.done(t('saved'));
  }
  return (
    <Confirm
      title={t('changeSchedule')}
      submit={common('save')}
      onClose={onClose}
      send={send}
      fields={
        <>
          <SelectField
            name="schedule"
            label={t('scheduleIs')}
            value={kind}
            onChange={({ currentTarget: { value } }) => isKind(value) && setKind(value)}
            data={[
              { value: 'daily', label: t('daily') },
              { value: 'weekdays', label: t('byWeekdays') },
              { value: 'month_days', label: t('byMonthDays') },
              { value: 'manual', label: t('manual') },
            ]}
          />
          {hasDays ? (
            <TextField
              name="days"
              label={t('daysField')}
              description={t('daysHint')}
              defaultValue={settings.days.join(', ')}
              maxLength={100}
            />
          ) : null}
          <Amounts settings={settings} />
        </>
      }
    />
  );
}

function Amounts({ settings }: SettingsProps) {
  const t = useText(payoutsText);
  return (
    <>
      <TextField
        name="minimum"
        label={t('minimum')}
        defaultValue={settings.minimum || ''}
        inputMode="decimal"
        maxLength={15}
      />
      <TextField
        name="keepBack"
        label={t('keepBack')}
        defaultValue={settings.keepBack || ''}
        inputMode="decimal"
        maxLength={15}
      />
    </>
  );
}

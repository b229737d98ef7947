import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { TextField, type Values } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note, Status } from '../../ui/status.tsx';
import { YourPassword } from '../profile/your-password.tsx';
import { Schedule } from './schedule.tsx';
import type { PayoutSettings } from './settings.ts';
import { payoutsText } from './words.ts';

export default function BankAccount() {
  const settings = useQuery(read('GET /payout-settings'));
  const screen = useText(screenText);
  return (
    <Page title={screen('bankAccount')}>
      <Loaded query={settings}>
        {(data) => (
          <>
            <Where settings={data.settings} />
            <Schedule settings={data.settings} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface SettingsProps {
  readonly settings: PayoutSettings;
}

function Where({ settings: { bankAccount, blocked } }: SettingsProps) {
  const t = useText(payoutsText);
  const isOwner = useMay('accountOwner');
  const [giving, setGiving] = useState(false);
  const verb = t(bankAccount ? 'change' : 'give');
  return (
    <Section
      title={t('bankAccount')}
      about={isOwner ? undefined : t('ownerOnly')}
      actions={
        isOwner ? (
          <Button variant={bankAccount ? 'default' : 'filled'} onClick={() => setGiving(true)}>
            {verb}
          </Button>
        ) : null
      }
    >
      {blocked ? <Note tone="bad">{t('blocked')}</Note> : null}
      {bankAccount ? <State bankAccount={bankAccount} /> : <Text size="sm">{t('noAccount')}</Text>}
      {giving ? <Give title={verb} isFirst={bankAccount === null} onClose={() => setGiving(false)} /> : null}
    </Section>
  );
}

function State({ bankAccount }: { readonly bankAccount: NonNullable<PayoutSettings['bankAccount']> }) {
  const t = useText(payoutsText);
  const format = useFormat();
  const { ending, holder, status, holdUntil } = bankAccount;
  const hold = holdUntil === null ? null : t('on_hold', { until: format.local(holdUntil) });
  const words = status === 'on_hold' ? hold : t(status);
  return (
    <Facts
      facts={[
        { label: t('number'), value: t('ending', { ending }) },
        { label: t('holder'), value: holder },
        {
          label: t('state'),
          value: (
            <>
              <Status tone={status === 'verified' ? 'good' : 'wait'}>{words}</Status>
              {status === 'not_verified' && hold !== null ? <div className="tile-about">{hold}</div> : null}
            </>
          ),
        },
      ]}
    />
  );
}

interface GiveProps {
  readonly title: string;
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

function Give({ title, isFirst, onClose }: GiveProps) {
  const t = useText(payoutsText);
  const notify = useNotify();
  const client = useQueryClient();
  async function send(values: Values): Promise<void> {
    const body = {
      iban: values('iban'),
      holder: values('holder'),
      password: values('password'),
      code: values('code').trim(),
    };
    await call('POST /panel/api/bank-account', { body });
    await client.invalidateQueries();
    notify.done(t('giveDone'));
  }
  return (
    <Confirm
      title={title}
      submit={title}
      onClose={onClose}
      send={send}
      fields={
        <>
          <TextField
            name="iban"
            label={t('iban')}
            description={t('ibanHint')}
            maxLength={60}
            autoComplete="off"
            required
            withAsterisk={false}
          />
          <TextField
            name="holder"
            label={t('holder')}
            description={t('holderHint')}
            maxLength={70}
            required
            withAsterisk={false}
          />
          <YourPassword />
          <TextField
            name="code"
            label={t('code')}
            description={t('codeHint')}
            autoComplete="one-time-code"
            maxLength={40}
            required
            withAsterisk={false}
          />
        </>
      }
    >
      {t(isFirst ? 'giveAbout' : 'changeAbout')}
    </Confirm>
  );
}

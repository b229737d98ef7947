// How the pay page looks, and which mails payers get: a section of the account's settings.

import { Button, Checkbox, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { languageNames } from '../../../../../../contract/languages.ts';
import { call, read } from '../../../api/client.ts';
import type { Answer, BodyOf } from '../../../api/endpoints.ts';
import { useMay } from '../../../api/session.ts';
import { useText } from '../../../language/text.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { useNotify } from '../../../ui/failed/failed.tsx';
import { AreaField, CheckField, SelectField, TextField, type Values } from '../../../ui/form.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/page.tsx';
import { commonText } from '../../../ui/words.ts';
import { Color, ColorField, Logo, LogoField } from './look-fields.tsx';
import { payPageText } from './words.ts';

type PayPage = Answer<'GET /panel/api/settings/pay-page'>['payPage'];
type Body = BodyOf<'POST /panel/api/settings/pay-page'>;

const mails = ['paid', 'charged', 'chargeFailed', 'refunded', 'order'] as const;

export function PayPageSection() {
  const query = useQuery(read('GET /panel/api/settings/pay-page'));
  return <Loaded query={query}>{({ payPage }) => <Shown page={payPage} />}</Loaded>;
}

function Shown({ page }: { readonly page: PayPage }) {
  const t = useText(payPageText);
  const isOwner = useMay('accountOwner');
  const [open, setOpen] = useState(false);
  const button = isOwner ? (
    <Button size="xs" variant="default" onClick={() => setOpen(true)} aria-label={`${t('change')}: ${t('title')}`}>
      {t('change')}
    </Button>
  ) : null;
  const sent = mails.filter((mail) => page.mails[mail]).map((mail) => t(mail));
  return (
    <Section title={t('title')} about={t('about')} actions={button}>
      <Facts
        facts={[
          { label: t('color'), value: <Color color={page.color} /> },
          { label: t('language'), value: page.language ? languageNames[page.language] : t('none') },
          { label: t('logo'), value: page.logoUrl ? <Logo url={page.logoUrl} alt={t('logoOf')} /> : t('none') },
          { label: t('embedOrigins'), value: page.embedOrigins.join(', ') || t('none') },
          { label: t('cardUrl'), value: page.cardUrl ?? t('none') },
          { label: t('mails'), value: sent.join(', ') || t('none') },
        ]}
      />
      {open ? <Change page={page} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

interface ChangeProps {
  readonly page: PayPage;
  readonly onClose: () => void;
}

interface LogoChange {
  readonly file: File | null;
  readonly isRemoved: boolean;
}

async function logoOf({ file, isRemoved }: LogoChange): Promise<Pick<Body, 'logo'>> {
  if (file) return { logo: await base64Of(file) };
  return isRemoved ? { logo: '' } : {};
}

async function bodyOf(values: Values, logo: LogoChange): Promise<Body> {
  const [paid, charged, chargeFailed, refunded, order] = mails.map((mail) => values(mail) === 'on');
  return {
    color: values('color').trim(),
    language: values('language') as Body['language'],
    mails: { paid, charged, chargeFailed, refunded, order } as Body['mails'],
    cardUrl: values('cardUrl').trim(),
    embedOrigins: values('embedOrigins').split(/\s+/).filter(Boolean),
    ...(await logoOf(logo)),
  } as Body;
}

function Change({ page, onClose }: ChangeProps) {
  const t = useText(payPageText);
  const common = useText(commonText);
  const notify = useNotify();
  const client = useQueryClient();
  const [logo, setLogo] = useState<LogoChange>({ file: null, isRemoved: false });
  async function send(values: Values): Promise<void> {
    const answer = await call('POST /panel/api/settings/pay-page', { body: await bodyOf(values, logo) });
    client.setQueryData(read('GET /panel/api/settings/pay-page').queryKey, answer);
    notify.done(t('saved'));
  }
  const fields = <Fields page={page} logo={logo} setLogo={setLogo} />;
  return <Confirm title={t('title')} submit={common('save')} onClose={onClose} send={send} fields={fields} />;
}

interface FieldsProps {
  readonly page: PayPage;
  readonly logo: LogoChange;
  readonly setLogo: (logo: LogoChange) => void;
}

function Fields({ page, logo, setLogo }: FieldsProps) {
  const t = useText(payPageText);
  const choices = Object.entries(languageNames).map(([value, label]) => ({ value, label }));
  return (
    <>
      <ColorField color={page.color} />
      <SelectField
        name="language"
        label={t('language')}
        description={t('languageHint')}
        data={[{ value: '', label: t('none') }, ...choices]}
        defaultValue={page.language ?? ''}
      />
      <LogoField file={logo.file} choose={(file) => setLogo({ ...logo, file })} />
      {page.logoUrl && !logo.file ? (
        <Group gap="md">
          <Logo url={page.logoUrl} alt={t('logoOf')} />
          <Checkbox
            label={t('removeLogo')}
            checked={logo.isRemoved}
            onChange={(event) => setLogo({ ...logo, isRemoved: event.currentTarget.checked })}
          />
        </Group>
      ) : null}
      <AreaField
        name="embedOrigins"
        label={t('embedOrigins')}
        description={t('embedOriginsHint')}
        autosize
        minRows={2}
        defaultValue={page.embedOrigins.join('\n')}
      />
      <TextField
        name="cardUrl"
        label={t('cardUrl')}
        description={t('cardUrlHint', { id: '{id}' })}
        defaultValue={page.cardUrl ?? ''}
      />
      {mails.map((mail) => (
        <CheckField key={mail} name={mail} label={`${t('mails')}: ${t(mail)}`} defaultChecked={page.mails[mail]} />
      ))}
    </>
  );
}

import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Body } from '../../ui/body.tsx';
import { useDeliveryFault } from '../../ui/delivery-fault/delivery-fault.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/form.tsx';
import { Note } from '../../ui/status.tsx';
import { notificationText } from './words.ts';

type Tested = Answer<'POST /panel/api/notifications/test'>;

/** Sends an example to an address and shows what came back. */
export function TestButton() {
  const t = useText(notificationText);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('test')}</Button>
      {open ? <TestDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function TestDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText(notificationText);
  const settings = useQuery(read('GET /panel/api/settings'));
  const [tested, setTested] = useState<Tested>();
  return (
    <Dialog onClose={onClose} title={t('testTitle')} size="lg">
      <Stack gap="md">
        <Text size="sm">{t('testHint')}</Text>
        <Form
          send={async (values) => {
            setTested(undefined);
            setTested(await call('POST /panel/api/notifications/test', { body: { url: values('url').trim() } }));
          }}
          submit={tested ? t('again') : t('test')}
          cancel={onClose}
        >
          <TextField
            key={settings.isSuccess ? 'known' : 'asking'}
            name="url"
            type="url"
            label={t('url')}
            defaultValue={settings.data?.settings.notificationUrl ?? ''}
            required
            withAsterisk={false}
          />
        </Form>
        {tested ? <Result tested={tested} /> : null}
      </Stack>
    </Dialog>
  );
}

function Result({ tested }: { readonly tested: Tested }) {
  const t = useText(notificationText);
  const { delivered, status, error, milliseconds } = tested;
  const faultOf = useDeliveryFault();
  const why = [status, error && faultOf(error)].filter((one) => one !== null).join(' · ');
  return (
    <Stack gap="sm" role="status">
      <Note tone={delivered ? 'good' : 'wait'}>
        {delivered ? t('testAccepted', { value: milliseconds }) : t('testRefused', { error: why })}
      </Note>
      <Title order={3}>{t('sent')}</Title>
      <Body text={tested.request} />
      <Title order={3}>{t('answer')}</Title>
      <Body text={tested.answer} />
    </Stack>
  );
}

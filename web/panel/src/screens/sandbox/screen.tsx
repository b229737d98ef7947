// The sandbox's clock and the faults of its bank. Everybody sees them, operators change them.

import { Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type FaultName, faultNames } from '../../../../../contract/faults.ts';
import { call, read } from '../../api/client.ts';
import type { Answer, BodyOf } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note } from '../../ui/status.tsx';
import { sandboxText } from './words.ts';

type Faults = Answer<'GET /sandbox/faults'>['faults'];

export default function Sandbox() {
  const t = useText(sandboxText);
  const screen = useText(screenText);
  const operates = useMay('sandboxOperator');
  return (
    <Page title={screen('sandbox')} about={t('about')}>
      {operates ? null : <Note tone="info">{t('operatorsOnly')}</Note>}
      <Clock operates={operates} />
      <BankFaults operates={operates} />
    </Page>
  );
}

interface Props {
  readonly operates: boolean;
}

const steps = [
  { advance: 'PT1H', name: 'hour' },
  { advance: 'P1D', name: 'day' },
  { advance: 'P7D', name: 'week' },
  { advance: 'P1M', name: 'month' },
] as const;

type Step = (typeof steps)[number];

function Clock({ operates }: Props) {
  const t = useText(sandboxText);
  const format = useFormat();
  const notify = useNotify();
  const client = useQueryClient();
  const clock = useQuery({
    ...read('GET /sandbox/clock'),
    refetchInterval: ({ state }) => (state.data?.movingTo ? 1_000 : 10_000),
  });
  // A long move goes on after its response: what it did shows when it is done.
  const isMoving = clock.data ? clock.data.movingTo !== null : undefined;
  const wasMoving = useRef(isMoving);
  useEffect(() => {
    if (wasMoving.current && isMoving === false) {
      notify.done(t('moved'));
      void client.invalidateQueries();
    }
    wasMoving.current = isMoving;
  }, [isMoving, notify, client, t]);
  const [step, setStep] = useState<Step>();
  return (
    <Section title={t('clock')}>
      <Loaded query={clock} lines={2}>
        {({ now, movingTo, done }) => (
          <Facts
            facts={[
              { label: t('now'), value: format.exact(now) },
              { label: t('movingTo'), value: movingTo ? format.exact(movingTo) : '' },
              { label: t('movingDone'), value: done === null ? '' : String(done) },
            ]}
          />
        )}
      </Loaded>
      {clock.data && clock.data.fixedBy.length > 0 ? (
        <Note tone="info">{t('fixed', { names: clock.data.fixedBy.join(', ') })}</Note>
      ) : null}
      {operates && clock.data?.fixedBy.length === 0 ? (
        <Group gap="xs">
          <Text size="sm">{t('advance')}</Text>
          {steps.map((one) => (
            <Button key={one.advance} size="xs" variant="default" onClick={() => setStep(one)}>
              {t(one.name)}
            </Button>
          ))}
        </Group>
      ) : null}
      {step ? <Move step={step} onClose={() => setStep(undefined)} /> : null}
    </Section>
  );
}

function Move({ step: { advance, name }, onClose }: { readonly step: Step; readonly onClose: () => void }) {
  const t = useText(sandboxText);
  const notify = useNotify();
  const client = useQueryClient();
  async function send(): Promise<void> {
    const { movingTo } = await call('POST /sandbox/clock', { body: { advance } });
    await client.invalidateQueries();
    notify.done(t(movingTo === null ? 'moved' : 'moving'));
  }
  return (
    <Confirm title={t('moveTitle')} submit={t('move')} onClose={onClose} send={send}>
      <strong>
        {t('advance')}: {t(name)}
      </strong>
      <br />
      {t('moveHint')}
    </Confirm>
  );
}

function BankFaults({ operates }: Props) {
  const t = useText(sandboxText);
  const faults = useQuery(read('GET /sandbox/faults'));
  // Without the simulated bank in this process there is nothing that could misbehave.
  if (faults.error instanceof ApiError && faults.error.status === 404)
    return (
      <Section title={t('faults')}>
        <Note tone="info">{t('noBank')}</Note>
      </Section>
    );
  return (
    <Section title={t('faults')} about={t('faultsAbout')}>
      <Loaded query={faults} lines={4}>
        {(data) =>
          operates ? <Choose key={JSON.stringify(data.faults)} faults={data.faults} /> : <Active faults={data.faults} />
        }
      </Loaded>
    </Section>
  );
}

function Active({ faults }: { readonly faults: Faults }) {
  const t = useText(sandboxText);
  const format = useFormat();
  const active = faultNames.filter((name) => faults[name]);
  if (active.length === 0) return <Text size="sm">{t('noFaults')}</Text>;
  return (
    <Facts facts={active.map((name) => ({ label: t(name), value: format.percent(faults[name]?.probability ?? 0) }))} />
  );
}

const probabilities = [0, 0.01, 0.1, 0.5, 1];

/** Seconds that were set by other means stay as they are. */
function faultsOf(values: Values, before: Faults): BodyOf<'POST /sandbox/faults'> {
  const chosen = faultNames.flatMap((name) => {
    const probability = Number(values(name));
    return probability > 0 ? [[name, { ...before[name], probability, seed: values('seed') }] as const] : [];
  });
  return Object.fromEntries(chosen);
}

function Choose({ faults }: { readonly faults: Faults }) {
  const t = useText(sandboxText);
  const notify = useNotify();
  const client = useQueryClient();
  async function send(body: BodyOf<'POST /sandbox/faults'>): Promise<void> {
    await call('POST /sandbox/faults', { body });
    await client.invalidateQueries({ queryKey: ['GET /sandbox/faults'] });
    notify.done(t(Object.keys(body).length > 0 ? 'faultsSet' : 'faultsCleared'));
  }
  const seed = Object.values(faults)[0]?.seed ?? 1;
  const active = Object.keys(faults).length > 0;
  return (
    <Form
      send={(values) => send(faultsOf(values, faults))}
      submit={t('setFaults')}
      {...(active ? { cancel: () => void send({}).catch(notify.failed), cancelLabel: t('clearFaults') } : {})}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {faultNames.map((name) => (
          <Often key={name} name={name} probability={faults[name]?.probability ?? 0} />
        ))}
        <TextField name="seed" label={t('seed')} defaultValue={String(seed)} required withAsterisk={false} />
      </SimpleGrid>
    </Form>
  );
}

function Often({ name, probability }: { readonly name: FaultName; readonly probability: number }) {
  const t = useText(sandboxText);
  const format = useFormat();
  const choices = [...new Set([...probabilities, probability])].toSorted((one, other) => one - other);
  const labelOf = (value: number) => (value === 0 ? t('off') : value === 1 ? t('always') : format.percent(value));
  return (
    <SelectField
      name={name}
      label={t(name)}
      defaultValue={String(probability)}
      data={choices.map((value) => ({ value: String(value), label: labelOf(value) }))}
    />
  );
}

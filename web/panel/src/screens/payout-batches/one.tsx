import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { commandLine } from '../../../../../contract/codes/actors.ts';
import { usePathPart } from '../../address.ts';
import { call } from '../../api/client.ts';
import { downloadOnce, save } from '../../api/download.ts';
import type { Answer } from '../../api/endpoints.ts';
import { decimalOfCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import type { Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Confirmation, confirmationOf } from './confirmation.tsx';
import { toneOf } from './tone.ts';
import { batchesText } from './words.ts';

const path = 'GET /panel/api/operator/payout-batches/{id}';
type Found = Answer<typeof path>;
type Batch = Found['batch'];
type Question = 'sign' | 'makeFile' | 'download' | 'cancel' | 'missed';

interface BatchProps {
  readonly batch: Batch;
}

export default function OneBatch() {
  const id = usePathPart('batchId');
  const found = useInfiniteQuery({
    queryKey: [path, { params: { id } }],
    queryFn: ({ pageParam: after }) => call(path, { params: { id }, query: after === null ? {} : { after } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
  });
  return (
    <Loaded query={found}>
      {({ pages }) => {
        const [first] = pages;
        if (!first) return null;
        return (
          <Shown
            batch={first.batch}
            handovers={first.handovers}
            payouts={pages.flatMap(({ payouts }) => payouts)}
            more={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
          />
        );
      }}
    </Loaded>
  );
}

interface ShownProps extends Pick<Found, 'batch' | 'handovers' | 'payouts'> {
  readonly more: (() => void) | undefined;
}

function Shown({ batch, handovers, payouts, more }: ShownProps) {
  const t = useText(batchesText);
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  return (
    <Page
      title={t('batch')}
      mark={<Status tone={toneOf[batch.state]}>{t(batch.state)}</Status>}
      about={
        <TextLink to="/operator/batches" size="sm">
          {t('allBatches')}
        </TextLink>
      }
      actions={<Actions batch={batch} ask={setQuestion} />}
    >
      <Section title={t('batch')}>
        <About batch={batch} />
      </Section>
      <Section title={t('file')}>
        <File batch={batch} />
        {handovers.length > 0 ? <Handovers handovers={handovers} /> : null}
      </Section>
      <Section title={t('inBatch')}>
        <Payouts payouts={payouts} currency={batch.currency} />
        {more ? (
          <Group justify="center">
            <Button variant="default" onClick={more}>
              {t('more')}
            </Button>
          </Group>
        ) : null}
      </Section>
      {question ? <Asked question={question} batch={batch} onClose={close} /> : null}
    </Page>
  );
}

/** What can be done with it now, the next step first. */
function Actions({ batch: { state }, ask }: BatchProps & { readonly ask: (question: Question) => void }) {
  const t = useText(batchesText);
  const isOut = state === 'handed_over' || state === 'settled';
  const isCancelable = state === 'draft' || state === 'approved' || state === 'made';
  return (
    <>
      {state === 'draft' ? <Button onClick={() => ask('sign')}>{t('sign')}</Button> : null}
      {state === 'approved' ? <Button onClick={() => ask('makeFile')}>{t('makeFile')}</Button> : null}
      {state === 'made' ? <Button onClick={() => ask('download')}>{t('download')}</Button> : null}
      {isOut ? (
        <Button variant="default" onClick={() => ask('download')}>
          {t('downloadCopy')}
        </Button>
      ) : null}
      {isCancelable ? (
        <Button variant="default" onClick={() => ask('cancel')}>
          {t('cancel')}
        </Button>
      ) : null}
      {state === 'handed_over' ? (
        <Button variant="default" onClick={() => ask('missed')}>
          {t('missed')}
        </Button>
      ) : null}
    </>
  );
}

function useWho(): (by: string) => string {
  const t = useText(batchesText);
  return (by) => (by === commandLine ? t('commandLine') : by);
}

function About({ batch }: BatchProps) {
  const t = useText(batchesText);
  const format = useFormat();
  const who = useWho();
  const signed = (signature: Batch['second']) =>
    signature === null ? null : t('signed', { by: who(signature.by), at: format.dateTime(signature.at) });
  return (
    <Facts
      facts={[
        { label: t('payouts'), value: format.number(batch.payouts) },
        { label: t('total'), value: format.amount(batch.total, batch.currency) },
        { label: t('payer'), value: t('payerEnding', { ending: batch.payer }) },
        { label: t('firstSignature'), value: signed(batch.first) },
        { label: t('secondSignature'), value: signed(batch.second) },
        { label: t('missedBy'), value: signed(batch.missed) },
        { label: t('canceledBy'), value: signed(batch.canceled) },
      ]}
    />
  );
}

function File({ batch: { file } }: BatchProps) {
  const t = useText(batchesText);
  const format = useFormat();
  if (file === null) return t('noFile');
  const { name, profile, number, messageId, executeOn, size, sha256 } = file;
  return (
    <Facts
      facts={[
        { label: t('fileName'), value: <span className="mono">{name}</span> },
        { label: t('profile'), value: profile },
        { label: t('fileNumber'), value: format.number(number) },
        { label: t('messageId'), value: <span className="mono">{messageId}</span> },
        { label: t('executeOn'), value: format.local(executeOn) },
        { label: t('size'), value: size === null ? null : format.number(size) },
        { label: t('hash'), value: sha256 === null ? null : <span className="mono">{sha256}</span> },
      ]}
    />
  );
}

function Handovers({ handovers }: Pick<Found, 'handovers'>) {
  const t = useText(batchesText);
  const format = useFormat();
  const who = useWho();
  const columns: readonly Column<Found['handovers'][number]>[] = [
    { key: 'who', label: t('who'), lead: true, cell: ({ by }) => who(by) },
    { key: 'when', label: t('when'), nowrap: true, cell: ({ at }) => format.dateTime(at) },
    { key: 'way', label: t('way'), cell: ({ way }) => t(way) },
    {
      key: 'copy',
      label: t('file'),
      cell: ({ isCopy }) => <Status tone={isCopy ? 'plain' : 'info'}>{t(isCopy ? 'copy' : 'original')}</Status>,
    },
  ];
  return (
    <Table
      label={t('handovers')}
      columns={columns}
      rows={handovers}
      keyOf={({ at, by, isCopy }) => `${at} ${by} ${isCopy}`}
    />
  );
}

function Payouts({ payouts, currency }: Pick<Found, 'payouts'> & Pick<Batch, 'currency'>) {
  const t = useText(batchesText);
  const format = useFormat();
  const columns: readonly Column<Found['payouts'][number]>[] = [
    {
      key: 'account',
      label: t('account'),
      lead: true,
      cell: ({ accountId, accountName }) => (
        <TextLink to={`/operator/accounts/${accountId}`} size="sm">
          {accountName}
        </TextLink>
      ),
    },
    { key: 'holder', label: t('holder'), cell: ({ holder }) => holder },
    { key: 'number', label: t('number'), cell: ({ numberEnding }) => <span className="mono">…{numberEnding}</span> },
    { key: 'amount', label: t('amount'), align: 'end', cell: ({ amount }) => format.amount(amount, currency) },
  ];
  return <Table label={t('inBatch')} columns={columns} rows={payouts} keyOf={({ id }) => id} />;
}

type Done = 'signDone' | 'makeFileDone' | 'downloaded' | 'cancelDone' | 'missedDone';

/** What each question does when it is answered. */
function useSends({ id, payouts, total }: Batch): Readonly<Record<Question, (values: Values) => Promise<void>>> {
  const t = useText(batchesText);
  const notify = useNotify();
  const client = useQueryClient();
  const params = { id };
  const base = 'POST /panel/api/operator/payout-batches/{id}';
  const after = async (text: Done) => {
    await client.invalidateQueries({ queryKey: [path] });
    notify.done(t(text));
  };
  return {
    sign: async (values) => {
      const body = { payouts, total: String(decimalOfCents(Math.round(total * 100))), ...confirmationOf(values) };
      await call(`${base}/approve`, { params, body });
      await after('signDone');
    },
    makeFile: async () => {
      await call(`${base}/make`, { params, body: {} });
      await after('makeFileDone');
    },
    download: async () => {
      save(await downloadOnce(`${base}/download`, { params }));
      await after('downloaded');
    },
    cancel: async () => {
      await call(`${base}/cancel`, { params });
      await after('cancelDone');
    },
    missed: async (values) => {
      await call(`${base}/missed`, { params, body: confirmationOf(values) });
      await after('missedDone');
    },
  };
}

type Texts = readonly [title: string, about: string, submit: string];

function useTexts({ state, payouts, total, currency }: Batch): Readonly<Record<Question, Texts>> {
  const t = useText(batchesText);
  const format = useFormat();
  const isCopy = state !== 'made';
  const size = { payouts: format.number(payouts), total: format.amount(total, currency) };
  return {
    sign: [t('signTitle', size), t('signAbout'), t('sign')],
    makeFile: [t('makeFile'), t('makeFileAbout'), t('makeFile')],
    download: [
      t('downloadTitle'),
      t(isCopy ? 'downloadCopyAbout' : 'downloadAbout'),
      t(isCopy ? 'downloadCopy' : 'download'),
    ],
    cancel: [t('cancelTitle'), t(state === 'draft' ? 'cancelDraftAbout' : 'cancelSignedAbout'), t('cancel')],
    missed: [t('missedTitle'), t('missedAbout'), t('missed')],
  };
}

interface AskedProps extends BatchProps {
  readonly question: Question;
  readonly onClose: () => void;
}

function Asked({ question, batch, onClose }: AskedProps) {
  const t = useText(batchesText);
  const sends = useSends(batch);
  const [title, about, submit] = useTexts(batch)[question];
  return (
    <Confirm
      title={title}
      submit={submit}
      danger={question === 'cancel' || question === 'missed'}
      keep={t('keep')}
      onClose={onClose}
      send={sends[question]}
      fields={question === 'sign' || question === 'missed' ? <Confirmation /> : null}
    >
      {about}
    </Confirm>
  );
}

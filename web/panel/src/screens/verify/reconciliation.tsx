import { Button, Stack, Text } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { statementWords } from './statement/sentences.ts';
import { verifyText } from './words.ts';

type Run = Answer<'GET /panel/api/operator/reconciliations'>['runs'][number];

/** While one runs, and after one was started. */
const refreshMilliseconds = 2_000;
const path = 'GET /panel/api/operator/reconciliations';

/** The last comparisons with the bank's statement. */
export function Reconciliation() {
  const t = useText(verifyText);
  const notify = useNotify();
  const client = useQueryClient();
  const found = useQuery({
    ...read(path),
    refetchInterval: ({ state }) => (state.data?.runs.some(isRunning) ? refreshMilliseconds : false),
  });
  const start = useMutation({
    mutationFn: () => call('POST /panel/api/operator/reconciliations'),
    onSuccess: async () => {
      notify.done(t('compareStarted'));
      await client.invalidateQueries({ queryKey: read(path).queryKey });
    },
    onError: notify.failed,
  });
  return (
    <Section
      title={t('statement')}
      about={t('statementAbout')}
      actions={
        <Button
          variant="default"
          loading={start.isPending}
          disabled={found.data?.runs.some(isRunning) ?? false}
          onClick={() => start.mutate()}
        >
          {t('compareNow')}
        </Button>
      }
    >
      <Loaded query={found} lines={3}>
        {({ runs }) =>
          runs.length > 0 ? (
            <Runs runs={runs} />
          ) : (
            <Empty icon={IconBuildingBank} title={t('neverCompared')}>
              {t('neverComparedHint')}
            </Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The statement's total of a kind for which a run keeps only the sum. */
function sumOf({ totals }: Run, wanted: Run['totals'][number]['kind']): number {
  return totals.find(({ kind }) => kind === wanted)?.bank ?? 0;
}

function isRunning({ state }: Run): boolean {
  return state === 'running';
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  const t = useText(verifyText);
  const format = useFormat();
  const sum = new Intl.NumberFormat(format.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const counted = (count: number, amount: Run['captured']) => (
    <>
      {sum.format(amount as number)}
      <div className="tile-about">{t('items', { count })}</div>
    </>
  );
  const unlessNone = (amount: Run['fees']) => (amount === 0 ? '' : sum.format(amount as number));
  const columns: readonly Column<Run>[] = [
    { key: 'acquirer', label: t('acquirer'), lead: true, cell: ({ acquirer }) => acquirer },
    {
      key: 'period',
      label: t('period'),
      nowrap: true,
      cell: ({ from, to }) => (
        <Stack gap={0}>
          <span>{format.dateTime(from)} –</span>
          <span>{format.dateTime(to)}</span>
        </Stack>
      ),
    },
    { key: 'outcome', label: t('outcome'), cell: (run) => <Outcome run={run} /> },
    { key: 'captures', label: t('captures'), align: 'end', cell: (run) => counted(run.captures, run.captured) },
    { key: 'refunds', label: t('refunds'), align: 'end', cell: (run) => counted(run.refunds, run.refunded) },
    { key: 'payouts', label: t('payouts'), align: 'end', cell: (run) => counted(run.payouts, run.paidOut) },
    { key: 'fees', label: t('fees'), align: 'end', cell: ({ fees }) => unlessNone(fees) },
    { key: 'disputes', label: t('disputes'), align: 'end', cell: (run) => unlessNone(sumOf(run, 'dispute')) },
    { key: 'other', label: t('otherLines'), align: 'end', cell: (run) => unlessNone(sumOf(run, 'other')) },
  ];
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('inCurrency', { currency: 'PLN' })}
      </Text>
      <Table
        dense
        label={t('statement')}
        columns={columns}
        rows={runs}
        keyOf={({ acquirer, startedAt }) => `${acquirer} ${startedAt}`}
      />
    </>
  );
}

function Outcome({ run: { state, found, open, why, totals } }: { readonly run: Run }) {
  const t = useText(verifyText);
  const sentence = useSentence(statementWords);
  switch (state) {
    case 'running':
      return <Status tone="info">{t('running')}</Status>;
    case 'agreed':
      return <Status tone="good">{t('agreed')}</Status>;
    case 'differs':
      return (
        <>
          <Status tone={found > 0 ? 'bad' : 'wait'}>
            {found > 0 ? t('differences', { count: found }) : t('noNew')}
          </Status>
          <Text size="xs" c="dimmed">
            {t('open', { count: open })}
          </Text>
          {why ? (
            <Text size="xs" c="dimmed">
              {sentence(why)}
            </Text>
          ) : null}
          {totals.some(({ unexplained }) => unexplained !== 0) ? (
            <Text size="xs" c="dimmed">
              {t('totalsDiffer')}
            </Text>
          ) : null}
        </>
      );
    case 'incomplete':
      return (
        <>
          <Status tone="bad">{t('incomplete')}</Status>
          {why ? (
            <Text size="xs" c="dimmed">
              {sentence(why)}
            </Text>
          ) : null}
        </>
      );
  }
}

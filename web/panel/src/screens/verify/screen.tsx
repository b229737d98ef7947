import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { byItself, commandLine } from '../../../../../contract/codes/actors.ts';
import { call, read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Facts } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { findingWords } from './findings/sentences.ts';
import { Reconciliation } from './reconciliation.tsx';
import { verifyText } from './words.ts';

type Run = NonNullable<Answer<'GET /panel/api/operator/verify'>['last']>;

/** While one runs. */
const refreshMilliseconds = 2_000;
const path = 'GET /panel/api/operator/verify';

export default function Verify() {
  const t = useText(verifyText);
  const screen = useText(screenText);
  const notify = useNotify();
  const client = useQueryClient();
  const found = useQuery({
    ...read(path),
    refetchInterval: ({ state }) => (isRunning(state.data?.last) ? refreshMilliseconds : false),
  });
  const start = useMutation({
    mutationFn: () => call('POST /panel/api/operator/verify'),
    onSuccess: (answer) => client.setQueryData(read(path).queryKey, answer),
    onError: notify.failed,
  });
  const running = isRunning(found.data?.last);
  return (
    <Page
      title={screen('verify')}
      about={t('verifyAbout')}
      actions={
        <Button loading={start.isPending} disabled={running} onClick={() => start.mutate()}>
          {t('verifyNow')}
        </Button>
      }
    >
      <Loaded query={found} lines={3}>
        {({ last, changed }) =>
          last || changed ? (
            <>
              {last ? <Last run={last} title={t('last')} /> : null}
              {changed ? <Last run={changed} title={t('lastOfChanges')} /> : null}
            </>
          ) : (
            <div className="card">
              <Empty icon={IconShieldCheck} title={t('never')}>
                {t('neverHint')}
              </Empty>
            </div>
          )
        }
      </Loaded>
      <Reconciliation />
    </Page>
  );
}

function isRunning(run: Run | null | undefined): boolean {
  return Boolean(run && !run.endedAt);
}

const starters: Readonly<Record<string, 'byItself' | 'commandLine'>> = {
  [byItself]: 'byItself',
  [commandLine]: 'commandLine',
};

function Last({ run, title }: { readonly run: Run; readonly title: string }) {
  const { startedAt, sinceAt, endedAt, problems, journals, entries, startedBy } = run;
  const t = useText(verifyText);
  const sentence = useSentence(findingWords);
  const format = useFormat();
  return (
    <>
      <Section title={title} actions={<Result ended={endedAt !== null} problems={problems.length} />}>
        <Facts
          facts={[
            { label: t('started'), value: format.exact(startedAt) },
            { label: t('ended'), value: endedAt ? format.exact(endedAt) : '' },
            ...(sinceAt ? [{ label: t('since'), value: format.exact(sinceAt) }] : []),
            { label: t('startedBy'), value: starters[startedBy] ? t(starters[startedBy]) : startedBy },
            { label: t('journals'), value: journals === null ? '' : format.number(journals) },
            { label: t('entries'), value: entries === null ? '' : format.number(entries) },
          ]}
        />
      </Section>
      {problems.length > 0 ? (
        <Section title={t('problemList')}>
          <ul>
            {problems.map(sentence).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function Result({ ended, problems }: { readonly ended: boolean; readonly problems: number }) {
  const t = useText(verifyText);
  if (!ended) return <Status tone="info">{t('running')}</Status>;
  if (problems === 0) return <Status tone="good">{t('clean')}</Status>;
  return <Status tone="bad">{t('problems', { count: problems })}</Status>;
}

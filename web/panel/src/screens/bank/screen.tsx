import { Button, Stack, Text } from '@mantine/core';
import { IconBuildingBank, IconCheck, IconFiles, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { byItself, commandLine } from '../../../../../contract/codes/actors.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Facts, Id } from '../../ui/facts.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note, Status, type Tone } from '../../ui/status.tsx';
import { Decide, type Decided, type Line, Undo } from './decide.tsx';
import { fileProblemWords } from './files/sentences.ts';
import { bankText } from './words.ts';

const path = 'GET /panel/api/operator/bank';
type Found = Answer<typeof path>;
type Account = Found['accounts'][number];
type Statement = Found['statements'][number];
type File = Found['files'][number];

export default function Bank() {
  const t = useText(bankText);
  const screen = useText(screenText);
  const found = useQuery(read(path));
  return (
    <Page title={screen('bank')} about={t('about')}>
      <Loaded query={found}>
        {(shown) => (
          <>
            <Agreement agreement={shown.agreement} />
            <Waiting lines={shown.waiting} count={shown.waitingCount} />
            <Accounts accounts={shown.accounts} />
            <Statements statements={shown.statements} />
            <Files files={shown.files} />
            <Decisions decisions={shown.decisions} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Agreement({ agreement }: Pick<Found, 'agreement'>) {
  const t = useText(bankText);
  const format = useFormat();
  const { unexplained, currency } = agreement;
  const fact = (part: 'bank' | 'books' | 'underway' | 'openings') => ({
    label: t(part),
    value: <span className="numeric">{format.amount(agreement[part], currency)}</span>,
  });
  return (
    <Section title={t('agreement')}>
      {unexplained === 0 ? (
        <Note tone="good">{t('agrees')}</Note>
      ) : (
        <Note tone="bad">{t('differs', { amount: format.amount(unexplained, currency) })}</Note>
      )}
      <Facts
        facts={[fact('bank'), fact('books'), fact('underway'), ...(agreement.openings === 0 ? [] : [fact('openings')])]}
      />
    </Section>
  );
}

function Waiting({ lines, count }: { readonly lines: readonly Line[]; readonly count: number }) {
  const t = useText(bankText);
  const format = useFormat();
  const [line, setLine] = useState<Line>();
  const columns: readonly Column<Line>[] = [
    { key: 'left', label: t('left'), lead: true, align: 'end', cell: ({ left }) => format.amount(left, 'PLN') },
    { key: 'day', label: t('closedOn'), nowrap: true, cell: ({ day }) => format.local(day) },
    {
      key: 'line',
      label: t('line'),
      cell: ({ id, isBalance, title, party }) => (
        <>
          {isBalance ? t('brought') : <>“{[party, title].filter(Boolean).join(', ')}”</>}
          <div className="tile-about">
            <Id text={id} />
          </div>
        </>
      ),
    },
    {
      key: 'proposed',
      label: t('proposed'),
      cell: ({ proposed }) =>
        proposed.length === 0
          ? '–'
          : proposed.map(({ decision, target }) => <Text size="sm" key={target}>{`${t(decision)}: ${target}`}</Text>),
    },
    {
      key: 'decide',
      label: t('decide'),
      hideLabel: true,
      cell: (one) => (
        <Button size="xs" onClick={() => setLine(one)}>
          {t('decide')}
        </Button>
      ),
    },
  ];
  return (
    <Section title={t('waiting')} about={lines.length > 0 ? t('waitingAbout') : undefined}>
      {lines.length > 0 ? (
        <Table label={t('waiting')} columns={columns} rows={lines} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={IconCheck} title={t('noWaiting')}>
          {t('noWaitingHint')}
        </Empty>
      )}
      {count > lines.length ? (
        <Text size="sm" c="dimmed">
          {t('waitingMore', { shown: format.number(lines.length), count: format.number(count) })}
        </Text>
      ) : null}
      {line ? <Decide line={line} onClose={() => setLine(undefined)} /> : null}
    </Section>
  );
}

function Accounts({ accounts }: Pick<Found, 'accounts'>) {
  const t = useText(bankText);
  const format = useFormat();
  const columns: readonly Column<Account>[] = [
    { key: 'number', label: t('number'), lead: true, cell: ({ number }) => <span className="mono">{number}</span> },
    { key: 'name', label: t('name'), cell: ({ name }) => name },
    {
      key: 'closing',
      label: t('closing'),
      align: 'end',
      cell: ({ closing, currency }) => (closing === null ? t('noStatement') : format.amount(closing, currency)),
    },
    {
      key: 'on',
      label: t('closedOn'),
      nowrap: true,
      cell: ({ closedOn }) => (closedOn === null ? '–' : format.local(closedOn)),
    },
    { key: 'count', label: t('statementCount'), align: 'end', cell: ({ statements }) => format.number(statements) },
    { key: 'gaps', label: t('gaps'), align: 'end', cell: ({ gaps }) => format.number(gaps) },
  ];
  return (
    <Section title={t('accounts')}>
      {accounts.length > 0 ? (
        <Table label={t('accounts')} columns={columns} rows={accounts} keyOf={({ number }) => number} />
      ) : (
        <Empty icon={IconBuildingBank} title={t('noAccounts')}>
          {t('noAccountsHint')}
        </Empty>
      )}
    </Section>
  );
}

function Statements({ statements }: Pick<Found, 'statements'>) {
  const t = useText(bankText);
  const format = useFormat();
  const columns: readonly Column<Statement>[] = [
    {
      key: 'statement',
      label: t('statement'),
      lead: true,
      cell: ({ name, account, brought }) => (
        <Stack gap={0}>
          <span>{`${name} · …${account}`}</span>
          {brought === 0 ? null : <Status tone="wait">{t('gap', { amount: format.amount(brought, 'PLN') })}</Status>}
        </Stack>
      ),
    },
    {
      key: 'days',
      label: t('days'),
      nowrap: true,
      cell: ({ from, to }) =>
        [...new Set([from, to])].flatMap((day) => (day === null ? [] : [format.local(day)])).join(' – ') || '–',
    },
    {
      key: 'lines',
      label: t('lines'),
      align: 'end',
      cell: ({ lines, booked }) =>
        booked < lines
          ? t('bookedPart', { booked: format.number(booked), lines: format.number(lines) })
          : format.number(lines),
    },
    {
      key: 'balances',
      label: t('balances'),
      align: 'end',
      nowrap: true,
      cell: ({ opening, closing }) => `${format.amount(opening, 'PLN')} – ${format.amount(closing, 'PLN')}`,
    },
    { key: 'file', label: t('file'), cell: ({ file }) => file },
  ];
  return (
    <Section title={t('statements')}>
      {statements.length > 0 ? (
        <Table label={t('statements')} columns={columns} rows={statements} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={IconFileText} title={t('noStatements')}>
          {t('noStatementsHint')}
        </Empty>
      )}
    </Section>
  );
}

const toneOf: Readonly<Record<File['state'], Tone>> = {
  reading: 'info',
  accepted: 'info',
  booked: 'good',
  noted: 'plain',
  refused: 'bad',
};

/** Who did something: an operator, a command, or the service by what a line says. */
function useWho(): (by: string) => string {
  const t = useText(bankText);
  return (by) => (by === commandLine ? t('commandLine') : by === byItself ? t('recognized') : by);
}

function Files({ files }: Pick<Found, 'files'>) {
  const t = useText(bankText);
  const format = useFormat();
  const who = useWho();
  const problemOf = useSentence(fileProblemWords);
  const columns: readonly Column<File>[] = [
    {
      key: 'file',
      label: t('file'),
      lead: true,
      cell: ({ name, problem }) => (
        <>
          {name}
          {problem ? <div className="tile-about">{problemOf(problem)}</div> : null}
        </>
      ),
    },
    { key: 'state', label: t('state'), cell: ({ state }) => <Status tone={toneOf[state]}>{t(state)}</Status> },
    {
      key: 'format',
      label: t('format'),
      nowrap: true,
      cell: ({ format: kind }) => <span className="mono">{kind}</span>,
    },
    { key: 'lines', label: t('lines'), align: 'end', cell: ({ lines }) => format.number(lines) },
    { key: 'by', label: t('by'), cell: ({ by }) => who(by) },
    { key: 'at', label: t('at'), nowrap: true, cell: ({ at }) => format.dateTime(at) },
  ];
  return (
    <Section title={t('files')}>
      {files.length > 0 ? (
        <Table label={t('files')} columns={columns} rows={files} keyOf={({ id }) => id} />
      ) : (
        <Empty icon={IconFiles} title={t('noFiles')}>
          {t('noFilesHint')}
        </Empty>
      )}
    </Section>
  );
}

function Decisions({ decisions }: Pick<Found, 'decisions'>) {
  const t = useText(bankText);
  const format = useFormat();
  const who = useWho();
  const [decided, setDecided] = useState<Decided>();
  const columns: readonly Column<Decided>[] = [
    { key: 'amount', label: t('left'), lead: true, align: 'end', cell: ({ amount }) => format.amount(amount, 'PLN') },
    {
      key: 'decision',
      label: t('decision'),
      cell: ({ decision, target, lineId }) => (
        <>
          {[t(decision), target].filter(Boolean).join(': ')}
          <div className="tile-about">
            <Id text={lineId} />
          </div>
        </>
      ),
    },
    { key: 'by', label: t('by'), cell: ({ by }) => who(by) },
    { key: 'at', label: t('at'), nowrap: true, cell: ({ at }) => format.dateTime(at) },
    {
      key: 'undo',
      label: t('undo'),
      hideLabel: true,
      cell: (one) =>
        one.undoneBy === null ? (
          <Button size="xs" variant="default" onClick={() => setDecided(one)}>
            {t('undo')}
          </Button>
        ) : (
          <Status tone="plain">{t('undone', { by: who(one.undoneBy) })}</Status>
        ),
    },
  ];
  return (
    <Section title={t('decisions')}>
      {decisions.length > 0 ? (
        <Table
          label={t('decisions')}
          columns={columns}
          rows={decisions}
          keyOf={({ lineId, at, decision }) => `${lineId} ${at} ${decision}`}
        />
      ) : (
        <Empty icon={IconCheck} title={t('noDecisions')}>
          {t('noDecisionsHint')}
        </Empty>
      )}
      {decided ? <Undo decided={decided} onClose={() => setDecided(undefined)} /> : null}
    </Section>
  );
}

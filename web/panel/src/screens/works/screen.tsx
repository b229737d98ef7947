import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Facts } from '../../ui/facts.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { workText } from './names/words.ts';
import { worksText } from './words.ts';

type Work = Answer<'GET /panel/api/operator/works'>['works'][number];
type Nodes = Answer<'GET /panel/api/operator/nodes'>;

const refreshMilliseconds = 5_000;

export default function Works() {
  const t = useText(worksText);
  const screen = useText(screenText);
  const works = useQuery({ ...read('GET /panel/api/operator/works'), refetchInterval: refreshMilliseconds });
  const nodes = useQuery(read('GET /panel/api/operator/nodes'));
  return (
    <Page title={screen('works')} about={t('worksAbout')}>
      <div className="card">
        <Loaded query={works}>{(data) => <WorkTable works={data.works} />}</Loaded>
      </div>
      <Loaded query={nodes} lines={3}>
        {(data) => <Installation nodes={data} />}
      </Loaded>
    </Page>
  );
}

function WorkTable({ works }: { readonly works: readonly Work[] }) {
  const t = useText(worksText);
  const screen = useText(screenText);
  const nameOf = useText(workText);
  const format = useFormat();
  const columns: readonly Column<Work>[] = [
    { key: 'name', label: t('work'), lead: true, cell: ({ name }) => nameOf(name) },
    {
      key: 'due',
      label: t('due'),
      align: 'end',
      cell: ({ due }) => (due === null ? <Uncounted /> : format.number(due)),
    },
    {
      key: 'lag',
      label: t('lag'),
      align: 'end',
      cell: ({ lagSeconds }) =>
        lagSeconds === null ? <Uncounted /> : t('seconds', { value: format.number(lagSeconds) }),
    },
  ];
  return <Table label={screen('works')} columns={columns} rows={works} keyOf={({ name }) => name} />;
}

/** A work that has no queue: it looks for what to do each time it runs. */
function Uncounted() {
  const t = useText(worksText);
  return (
    <span title={t('uncounted')}>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>{t('uncounted')}</VisuallyHidden>
    </span>
  );
}

function Installation({ nodes: { nodes, version, databaseVersion, databaseBytes } }: { readonly nodes: Nodes }) {
  const t = useText(worksText);
  const format = useFormat();
  const size = new Intl.NumberFormat(format.locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });
  const columns: readonly Column<Nodes['nodes'][number]>[] = [
    { key: 'name', label: t('node'), lead: true, cell: ({ name }) => name },
    { key: 'address', label: t('address'), cell: ({ address }) => address },
    { key: 'connections', label: t('connections'), align: 'end', cell: (node) => format.number(node.connections) },
    { key: 'since', label: t('since'), nowrap: true, cell: ({ since }) => format.dateTime(since) },
  ];
  return (
    <>
      <Section title={t('nodes')} about={t('nodesAbout')}>
        <Table label={t('nodes')} columns={columns} rows={nodes} keyOf={(node) => `${node.name} ${node.address}`} />
      </Section>
      <Section title={t('installation')}>
        <Facts
          facts={[
            { label: t('version'), value: version },
            { label: t('database'), value: databaseVersion },
            { label: t('size'), value: size.format(databaseBytes / 1_000_000) },
          ]}
        />
      </Section>
    </>
  );
}

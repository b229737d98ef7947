// Alerts and dashboard name metrics, labels and works that a running service has, with the documented thresholds.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Activity } from '../../src/acquirer/index.ts';
import { type Parsed, textOf, yamlOf } from '../support/deploy.ts';
import { aService } from '../support/service.ts';

interface Expression {
  readonly where: string;
  readonly text: string;
}

const alerts: Parsed[] = yamlOf('deploy/prometheus/alerts.yml').flatMap(({ groups }) =>
  groups.flatMap(({ rules }: Parsed) => rules),
);
const dashboard: Parsed = JSON.parse(textOf('deploy/grafana/grosz.json'));
const expressions: Expression[] = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, text: expr })),
  ...dashboard.panels.flatMap(({ title, targets }: Parsed) =>
    targets.map(({ expr }: Parsed) => ({ where: title, text: expr })),
  ),
];

/** What Prometheus adds to every metric. */
const fromPrometheus = ['instance', 'job', 'le'];

suite('alerts and dashboard', () => {
  const labelsOf = new Map<string, Set<string>>();
  let works: string[];

  before(async () => {
    const service = await aService();
    const { db, log, metrics, wall } = service.world;
    new Activity({ sql: db.sql, log, metrics, wall });
    works = service.rooms.works.map(({ name }) => name);
    // The first answer is what the histogram of the second one shows.
    for (const path of ['/health/ready', '/metrics', '/metrics']) {
      const { text } = await service.ask('GET', path);
      for (const [, name = '', labels = ''] of text.matchAll(/^(grosz_\w+)(?:\{(.*)\})? /gm)) {
        const known = labelsOf.get(name) ?? new Set();
        for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
        labelsOf.set(name, known);
      }
    }
    // They have no sample before the first round of a work, the first request to an acquirer, and its first callback.
    const request = ['acquirer', 'operation', 'outcome'];
    for (const [name, suffixes, labels] of [
      ['grosz_work_done_total', [''], ['work']],
      ['grosz_work_failed_total', [''], ['work']],
      ['grosz_acquirer_request_seconds', ['_bucket', '_count', '_sum'], request],
      ['grosz_acquirer_callbacks_total', [''], ['acquirer', 'result']],
    ] as const) {
      const [metric] = (await service.world.metrics.registry.getMetricsAsJSON()).filter((one) => one.name === name);
      if (metric) for (const suffix of suffixes) labelsOf.set(name + suffix, new Set(labels));
    }
  });

  // Guarantee: no alert is silent, and no panel empty, because of a name that does not exist.
  test('every metric exists', () => {
    const named = expressions.flatMap(({ where, text }) =>
      [...text.matchAll(/\bgrosz_\w+/g)].map(([name]) => ({ where, name })),
    );
    assert.ok(named.length > 25);
    assert.deepEqual(
      named.filter(({ name }) => !labelsOf.has(name)),
      [],
    );
  });

  test('every label of a selector exists, and every work that it names', () => {
    for (const { where, text } of expressions) {
      for (const [, metric = '', selectors = ''] of text.matchAll(/\b(grosz_\w+)\{([^}]*)\}/g)) {
        for (const [, label = '', value = ''] of selectors.matchAll(/(\w+)=~?"([^"]*)"/g)) {
          assert.ok(labelsOf.get(metric)?.has(label), `${where}: ${metric} has no label ${label}`);
          if (label === 'work') {
            for (const work of value.split('|')) assert.ok(works.includes(work), `${where}: there is no work ${work}`);
          }
        }
      }
    }
  });

  test('every label that is grouped by exists', () => {
    for (const { where, text } of expressions) {
      const known = new Set([
        ...fromPrometheus,
        ...[...text.matchAll(/\bgrosz_\w+/g)].flatMap(([name]) => [...(labelsOf.get(name) ?? [])]),
      ]);
      for (const [, labels = ''] of text.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of labels.split(/,\s*/)) assert.ok(known.has(label), `${where}: ${label}`);
      }
    }
  });

  // Guarantee: the documentation and the alerts do not drift apart.
  test('alerts have the thresholds of operations.md', () => {
    const [, table = ''] = /^## What to watch\n(.*?)^## /ms.exec(textOf('docs/operations.md')) ?? [];
    const rows = table.split('\n').filter((line) => /^\| (`grosz_|`\.\.\.\{)/.test(line));
    const watched = rows.map((row) => {
      const [what = '', threshold = ''] = row.split(' | ');
      return { row, what, threshold };
    });
    assert.ok(watched.length >= 9);
    for (const { row, what, threshold } of watched) {
      const [, number = '0'] = /(?:over|above|more than) ([\d.,]+)/.exec(threshold) ?? [];
      const limit = threshold.includes('1 in 1,000') ? '0.001' : number.replaceAll(',', '');
      const metric = /grosz_\w+/.exec(what)?.[0] ?? 'grosz_work_lag_seconds';
      const named = [...what.matchAll(/"([^"]+)"/g)]
        .map(([, name = '']) => name)
        .filter((name) => works.includes(name));
      const found = alerts.some(
        ({ expr }) =>
          expr.includes(metric) && named.every((name) => expr.includes(name)) && expr.endsWith(`> ${limit}`),
      );
      assert.ok(found, `no alert for: ${row}`);
    }
  });

  test('every alert says what is wrong, and how urgent it is', () => {
    for (const { alert, labels, annotations } of alerts) {
      assert.match(alert, /^Grosz[A-Z]\w+$/);
      assert.ok(['page', 'ticket'].includes(labels.severity) && annotations.summary.length > 10, alert);
    }
    assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
  });

  test('the panels of the dashboard have their own ids and places', () => {
    const { panels } = dashboard;
    const unique = (pick: (panel: Parsed) => unknown) => new Set(panels.map(pick)).size;
    assert.equal(
      unique(({ id }) => id),
      panels.length,
    );
    assert.equal(
      unique(({ gridPos: { x, y } }) => `${x} ${y}`),
      panels.length,
    );
    for (const { gridPos } of panels) assert.ok(gridPos.x + gridPos.w <= 24);
  });
});

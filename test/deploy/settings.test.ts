// What deploy/ sets: only settings that exist, and enough of them to start in live mode.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig, settings } from '../../src/config.ts';
import {
  directives,
  environmentOf,
  filesOf,
  kubernetes,
  nodes,
  objectOf,
  type Pairs,
  pairsOf,
  textOf,
  units,
  yamlOf,
} from '../support/deploy.ts';

const known = new Set(settings.map(({ name }) => name));
const example = environmentOf(textOf('deploy/grosz.env.example'));
const inImage = pairsOf(directives(textOf('deploy/Dockerfile').replaceAll(/^ENV /gm, 'ENV='), 'ENV').join(' '));

/** An example with something in each place that an operator fills in. */
function filledIn(pairs: Pairs): Pairs {
  const key = Buffer.alloc(32, 7).toString('base64');
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, value.replace('REPLACE', key)]));
}

suite('settings', () => {
  // Guarantee: no file sets something that the service does not read.
  for (const [file, names] of [
    ['deploy/grosz.env.example', Object.keys(example)],
    ...units.map(({ file, text }) => [file, Object.keys(pairsOf(directives(text, 'Environment').join(' ')))] as const),
    ['deploy/Dockerfile', Object.keys(inImage)],
    ...Object.entries(nodes).map(([name, node]) => [`compose: ${name}`, Object.keys(node.environment)] as const),
    ['deploy/kubernetes: ConfigMap', Object.keys(objectOf('ConfigMap').data)],
    ['deploy/kubernetes: Secret', Object.keys(objectOf('Secret').stringData)],
  ] as const) {
    test(file, () => {
      assert.ok(names.length > 0);
      assert.deepEqual(
        names.filter((name) => !known.has(name)),
        [],
      );
    });
  }

  // Guarantee: what an operator fills in is everything that live mode asks for.
  test('the example for systemd and compose starts in live mode', () => {
    const config = readConfig({ ...filledIn(example), PORT: '3000' });
    assert.deepEqual([config.mode, config.proxies], ['live', { hops: 1 }]);
    assert.ok(config.metricsToken);
  });

  test('so do ConfigMap and Secret', () => {
    const { data } = objectOf('ConfigMap');
    const config = readConfig({ ...inImage, ...data, ...filledIn(objectOf('Secret').stringData) });
    assert.deepEqual([config.mode, config.host, config.port, config.workPort], ['live', '0.0.0.0', 3_000, 3_100]);
    assert.ok(config.metricsToken);
  });

  // Guarantee: a unit's own port is not overridden by the file that all units share.
  test('the shared example sets no port', () => {
    for (const name of ['PORT', 'WORK_PORT', 'HOST', 'DATA_DIR']) assert.ok(!(name in example), name);
  });

  // Guarantee: no secret is committed.
  test('secrets are left to be filled in', () => {
    const secrets = { ...example, ...objectOf('Secret').stringData };
    for (const name of ['DATABASE_URL', 'VAULT_KEYS', 'ACQUIRER_SECRET', 'METRICS_TOKEN'])
      assert.match(secrets[name] ?? '', /REPLACE/, name);
  });
});

suite('YAML', () => {
  for (const file of filesOf('deploy/**/*.{yml,yaml}')) {
    test(file, () => assert.ok(yamlOf(file).length > 0));
  }

  test('every object of Kubernetes has a version, a kind and a name', () => {
    assert.ok(kubernetes.length >= 9);
    for (const { apiVersion, kind, metadata } of kubernetes)
      assert.ok(apiVersion && kind && (metadata.name ?? metadata.generateName));
  });
});

// The files of deploy/ agree with each other and with the service: commands, ports, paths, images, times.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { healthLive, healthReady } from '../../contract/platform.ts';
import { callbackPath } from '../../src/acquirer/index.ts';
import {
  compose,
  directives,
  kubernetes,
  nodes,
  objectOf,
  type Parsed,
  root,
  textOf,
  units,
  yamlOf,
} from '../support/deploy.ts';
import { aFolder } from '../support/service.ts';

/** A charge may take 20 s; docs/operations.md says to allow 30 s. */
const stopSecondsAtLeast = 30;
const { version } = JSON.parse(textOf('package.json')) as { version: string };
const workloads = kubernetes.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
const containerOf = (workload: Parsed) => workload.spec.template.spec.containers[0];

suite('systemd', () => {
  test('the units run our commands and can be stopped in time', () => {
    for (const { command, text } of units) {
      assert.deepEqual(directives(text, 'ExecStart'), [`/opt/grosz/bin/grosz ${command}`]);
      assert.ok(Number(directives(text, 'TimeoutStopSec')[0]) >= stopSecondsAtLeast);
      assert.deepEqual(directives(text, 'Restart'), ['always']);
      assert.deepEqual(directives(text, 'EnvironmentFile'), ['/etc/grosz/grosz.env']);
      const port = command === 'serve' ? 'PORT' : 'WORK_PORT';
      assert.match(directives(text, 'Environment')[0] ?? '', new RegExp(`^${port}=%i `));
    }
  });

  // Guarantee: systemd understands every line of them.
  test('systemd-analyze verify', async (context) => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return context.skip('systemd is not installed');
    const folder = await aFolder();
    for (const { command, text } of units) {
      const file = join(folder, `grosz-${command}@3000.service`);
      writeFileSync(file, text.replaceAll('/opt/grosz', root.replace(/\/$/, '')));
      const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      const about = stderr.split('\n').filter((line) => line.includes('grosz'));
      assert.deepEqual([status, stdout, about], [0, '', []]);
    }
  });
});

suite('the image', () => {
  const file = textOf('deploy/Dockerfile');

  test('runs as nobody in particular, on files that exist', () => {
    assert.match(file, /^USER 10001:10001$/m);
    assert.ok(file.indexOf('USER 10001') < file.indexOf('ENTRYPOINT'));
    const taken = textOf('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    assert.ok(taken.length > 8);
    for (const line of taken) assert.ok(existsSync(join(root, line.slice(1))), line);
    for (const [, path = ''] of file.matchAll(/\/opt\/grosz\/(bin\/\w+)/g))
      assert.ok(existsSync(join(root, path)), path);
  });

  // Guarantee: the image has the panel's files, built before the packages that build them are gone.
  test('builds the panel by a script of ours, then leaves development packages out', () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const steps = [...file.matchAll(/npm (run \w+|ci --omit=dev)/g)].map(([, step]) => step);
    assert.deepEqual(steps, ['run build', 'ci --omit=dev']);
    assert.ok(existsSync(join(root, scripts.build.split(' ')[1])));
    assert.match(file, /^COPY --from=packages \/opt\/grosz\/dist dist$/m);
  });

  test('has the same name and version everywhere', () => {
    const images = [
      ...Object.values(nodes).map(({ image }) => image),
      ...workloads.map((workload) => containerOf(workload).image),
      /-t (\S+)/.exec(file)?.[1],
    ];
    assert.ok(images.length >= 10);
    assert.deepEqual([...new Set(images)], [`grosz:${version}`]);
  });
});

suite('compose', () => {
  test('two serve, two work, one migration before them', () => {
    const commands = Object.entries(nodes).map(([name, { command }]) => `${name}: ${command[0]}`);
    assert.deepEqual(commands, [
      'migrate: migrate',
      'serve-1: serve',
      'serve-2: serve',
      'work-1: work',
      'work-2: work',
      'bank: bank',
    ]);
    for (const [name, node] of Object.entries(nodes)) {
      for (const part of node.command) assert.equal(typeof part, 'string');
      assert.ok(node.read_only);
      assert.ok(Number.parseInt(node.stop_grace_period, 10) >= stopSecondsAtLeast);
      if (name !== 'migrate' && name !== 'bank')
        assert.equal(node.depends_on.migrate.condition, 'service_completed_successfully');
    }
  });

  // Guarantee: the health check of a container asks the port that its node listens on.
  test('health checks ask the port and a path of the node', () => {
    for (const name of ['serve-1', 'serve-2', 'work-1', 'work-2']) {
      const { environment, healthcheck } = nodes[name] ?? {};
      const [, port, path] = /127\.0\.0\.1:(\d+)(\/[\w/]+)'/.exec(healthcheck.test.at(-1)) ?? [];
      assert.equal(port, environment.PORT ?? environment.WORK_PORT);
      assert.equal(path, healthLive.path);
      for (const part of healthcheck.test) assert.equal(typeof part, 'string');
    }
  });

  test('HAProxy sends requests to the serve nodes that are ready', () => {
    const text = textOf('deploy/compose/haproxy.cfg');
    const upstreams = [...text.matchAll(/^ +server \w+ (\S+)/gm)].map(([, address = '']) => address);
    assert.deepEqual(upstreams, ['serve-1:3000', 'serve-2:3000', 'bank:3010']);
    for (const upstream of upstreams) {
      const [name = '', port] = upstream.split(':');
      const { environment, command } = compose.services[name];
      assert.ok(environment.PORT === port || command.includes(`--port=${port}`), upstream);
    }
    assert.equal(/httpchk GET (\S+)/.exec(text)?.[1], healthReady.path);
    const callback = compose.services.bank.command.find((part: string) => part.startsWith('--callback-url='));
    const { pathname } = new URL(callback.slice('--callback-url='.length));
    assert.equal(pathname, callbackPath);
  });
});

suite('Kubernetes', () => {
  test('probes ask the paths of the contract at the port of the settings', () => {
    const { PORT, WORK_PORT } = objectOf('ConfigMap').data;
    for (const [name, port] of [
      ['grosz-serve', PORT],
      ['grosz-work', WORK_PORT],
    ]) {
      const container = containerOf(objectOf('Deployment', name));
      assert.deepEqual(container.ports, [{ name: 'http', containerPort: Number(port) }]);
      const probe = (path: string) => ({ path, port: 'http' });
      assert.deepEqual(container.readinessProbe.httpGet, probe(healthReady.path));
      assert.deepEqual(container.livenessProbe.httpGet, probe(healthLive.path));
      assert.ok(container.readinessProbe.timeoutSeconds > 3, 'the health check may take 3 s');
    }
  });

  test('names and labels lead to each other', () => {
    const [service, ingress] = [objectOf('Service'), objectOf('Ingress')];
    const backend = ingress.spec.rules[0].http.paths[0].backend.service;
    assert.equal(backend.name, service.metadata.name);
    assert.equal(backend.port.name, service.spec.ports[0].name);
    assert.equal(`https://${ingress.spec.rules[0].host}`, objectOf('ConfigMap').data.BASE_URL);
    assert.deepEqual(ingress.spec.tls[0].hosts, [ingress.spec.rules[0].host]);
    for (const name of ['grosz-serve', 'grosz-work']) {
      const { selector, template } = objectOf('Deployment', name).spec;
      assert.deepEqual(template.metadata.labels, selector.matchLabels);
      assert.deepEqual(objectOf('PodDisruptionBudget', name).spec.selector, selector);
    }
    assert.deepEqual(service.spec.selector, objectOf('Deployment', 'grosz-serve').spec.selector.matchLabels);
    for (const workload of workloads) {
      assert.deepEqual(containerOf(workload).envFrom, [
        { configMapRef: { name: objectOf('ConfigMap').metadata.name } },
        { secretRef: { name: objectOf('Secret').metadata.name } },
      ]);
    }
  });

  test('pods are not root, and have time to end', () => {
    for (const workload of workloads) {
      const pod = workload.spec.template.spec;
      assert.ok(pod.securityContext.runAsNonRoot && pod.securityContext.runAsUser === 10_001);
      assert.ok(containerOf(workload).securityContext.readOnlyRootFilesystem);
      if (workload.kind === 'Deployment') assert.ok(pod.terminationGracePeriodSeconds >= stopSecondsAtLeast + 5);
    }
    assert.deepEqual(workloads.map((workload) => containerOf(workload).args[0]).sort(), ['migrate', 'serve', 'work']);
  });
});

suite('HAProxy, Patroni and Prometheus', () => {
  const haproxy = textOf('deploy/haproxy.cfg');
  const [patroni] = yamlOf('deploy/patroni.yml');

  test('HAProxy asks the health of the nodes, and Patroni for the primary', () => {
    assert.deepEqual(
      [...haproxy.matchAll(/option httpchk GET (\S+)/g)].map(([, path]) => path),
      [healthReady.path, '/primary'],
    );
    const { restapi, postgresql } = patroni;
    assert.ok(
      haproxy.includes(
        `server ${patroni.name} ${postgresql.connect_address} check port ${restapi.listen.split(':')[1]}`,
      ),
    );
    assert.match(haproxy, /on-marked-down shutdown-sessions/);
  });

  test('commits wait for a standby', () => {
    const { dcs } = patroni.bootstrap;
    assert.deepEqual([dcs.synchronous_mode, dcs.postgresql.parameters.synchronous_commit], [true, 'on']);
  });

  test('Prometheus asks the same nodes as HAProxy, at the ports of the units', () => {
    const [prometheus] = yamlOf('deploy/prometheus/prometheus.yml');
    const targets = prometheus.scrape_configs.map((job: Parsed) => job.static_configs[0].targets);
    const served = [...haproxy.matchAll(/server serve\d (\S+) check/g)].map(([, address]) => address);
    assert.deepEqual(targets[0], served);
    for (const [index, { text }] of units.entries()) {
      const [, port] = /enable --now grosz-\w+@(\d+)/.exec(text) ?? [];
      for (const target of targets[index]) assert.equal(target.split(':')[1], port);
    }
    for (const file of prometheus.rule_files) assert.ok(existsSync(join(root, 'deploy/prometheus', file)));
  });
});

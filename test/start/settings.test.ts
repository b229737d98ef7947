// Settings by mode: one table of every setting, and what live mode never has.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig, settings, unknownSettings } from '../../src/config.ts';
import { StartFault } from '../../src/runtime/index.ts';
import { cloneDatabase } from '../support/database.ts';
import { sandboxToolsIn } from '../support/live.ts';
import { atEnd } from '../support/service.ts';
import { cases, least, tries } from '../support/settings.ts';

/** The messages of a refusal; none if the settings are accepted. */
function faultsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof StartFault, String(error));
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

suite('every setting in each mode', () => {
  // Guarantee: a new setting must declare what it means in live mode.
  test('has a row, and no row is left over', () => {
    assert.deepEqual(Object.keys(cases).sort(), settings.map(({ name }) => name).sort());
    for (const [name, rows] of Object.entries(cases))
      assert.ok(
        rows.some(({ value }) => value === ''),
        `${name} unset`,
      );
  });

  // Guarantee: each value is accepted or refused as the table says, with a message that says what to do.
  for (const { name, mode, environment, expected } of tries) {
    test(`${name}=${environment[name]} in ${mode}: ${expected}`, () => {
      const faults = faultsOf(environment);
      if (expected === 'taken') assert.deepEqual(faults, []);
      else
        assert.ok(
          faults.some((fault) => expected.test(fault)),
          JSON.stringify(faults),
        );
    });
  }

  // Guarantee: a development setting that is added later is refused in live mode too.
  test('no setting that allows something for development is taken in live mode', () => {
    for (const { name } of settings.filter((setting) => setting.name.startsWith('ALLOW_'))) {
      assert.deepEqual(faultsOf({ ...least.live, [name]: 'true' }), [
        `MODE=live refuses ${name}=true: it is for development.`,
      ]);
    }
  });
});

suite('names that look like settings', () => {
  // Guarantee: a misspelled setting is named at the start, not silently without effect.
  for (const [name, expected] of [
    ['WALET_ROOTS', 'WALET_ROOTS is not a setting. Did you mean WALLET_ROOTS?'],
    ['DATABASE_CONECTIONS', 'DATABASE_CONECTIONS is not a setting. Did you mean DATABASE_CONNECTIONS?'],
    ['OPERATOR_PRIVACY_POLICY', 'OPERATOR_PRIVACY_POLICY is not a setting.'],
  ] as const) {
    test(name, () => assert.deepEqual(unknownSettings({ [name]: 'x' }), [expected]));
  }

  // Guarantee: and nothing else is.
  test('settings, variables of others and empty ones are not named', () => {
    const others = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'NODE_ENV',
      'NODE_OPTIONS',
      'LANGUAGE',
      'PGHOST',
      'TMPDIR',
      'INVOCATION_ID',
    ];
    const names = [...settings.map(({ name }) => name), ...others];
    const environment = { ...Object.fromEntries(names.map((name) => [name, 'x'])), WALET_ROOTS: '' };
    assert.deepEqual(unknownSettings(environment), []);
  });
});

suite('live mode', () => {
  // Guarantee: no sandbox tool, no demo account and no simulated bank.
  test('has nothing of the sandbox', async () => {
    const database = await cloneDatabase();
    atEnd(() => database.drop());
    assert.deepEqual(await sandboxToolsIn(readConfig(least.live), database.url), []);
  });

  // Guarantee: the search above would find them.
  test('what a sandbox has is found', async () => {
    const database = await cloneDatabase();
    atEnd(() => database.drop());
    const found = await sandboxToolsIn(readConfig({ ...least.live, MODE: 'sandbox' }), database.url);
    for (const tool of ['POST /sandbox/clock', 'a clock that can be moved', 'GET /mail', 'demo accounts'])
      assert.ok(found.includes(tool), `${tool}: ${found}`);
  });
});

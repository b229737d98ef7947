// The configuration: the settings of the environment, validated at startup; all faults are reported together.

import { closest } from './http/index.ts';
import { StartFault } from './runtime/index.ts';
import { type Environment, readTable, settingsOf, type Table, type Values } from './setting.ts';
import { acquirerFaults, table } from './settings.ts';

export type { Environment } from './setting.ts';
export type { AcquirerKind, Mode } from './settings.ts';

export type Config = Values<typeof table>;

/** Every setting, for help and documentation. */
export const settings = settingsOf(table);

/**
 * Reads all settings; throws one StartFault that lists every bad one. An empty value counts as unset; `usual` has the
 * command's own defaults.
 */
export function readConfig(environment: Environment, usual: Environment = {}): Config {
  const faults: string[] = [];
  const given = (name: string) => environment[name] || usual[name] || undefined;
  const config = readTable(table, given, faults);
  faults.push(...acquirerFaults(given));
  if (given('MODE') === 'live') faults.push(...settings.flatMap((setting) => setting.liveFault(given) ?? []));
  if (faults.length > 0)
    throw new StartFault(`These settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return config;
}

/** The settings of a command that needs only these, with what is wrong with them. */
export function readSome<T extends Table>(rows: T, environment: Environment, faults: string[]): Values<T> {
  return readTable(rows, (name) => environment[name] || undefined, faults);
}

const names = settings.map(({ name }) => name);

/** First words that several settings share, such as `WALLET_`. */
const families = names
  .flatMap((name) => /^[A-Z]+_/.exec(name) ?? [])
  .filter((family, index, all) => all.indexOf(family) < index);

/** Names that are long enough for a resemblance to mean something: not PORT, HOST and MODE. */
const longNames = names.filter((name) => name.length > 5);

/** Variables that look like settings and are none: whoever set them expects something. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (names.includes(name) || !environment[name] || !/^[A-Z][A-Z_]{5,}$/.test(name)) return [];
    const meant = closest(name, longNames);
    if (meant === undefined && !families.some((family) => name.startsWith(family))) return [];
    return [`${name} is not a setting${meant === undefined ? '.' : `. Did you mean ${meant}?`}`];
  });
}

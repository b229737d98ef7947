// The files of deploy/, read as far as their tests need it.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Pairs = Readonly<Record<string, string>>;

/** A parsed document of any shape; a test that reads a field that is not there fails. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape.
export type Parsed = any;

export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: root }).sort();
}

/** Every document of a YAML file; throws on a duplicate key, an unknown alias or a warning. */
export function yamlOf(file: string): Parsed[] {
  return parseAllDocuments(textOf(file), { merge: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw new Error(`${file}: ${fault.message}`);
    return document.toJS();
  });
}

/** `NAME=value` lines of an environment file. */
export function environmentOf(text: string): Pairs {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** `NAME=value NAME=value` of `Environment=` and `ENV`. */
export function pairsOf(text: string): Pairs {
  return Object.fromEntries([...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

/** The values of a directive of a systemd unit, in order. */
export function directives(unit: string, name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

export const units = ['serve', 'work'].map((command) => ({
  command,
  file: `deploy/systemd/grosz-${command}@.service`,
  text: textOf(`deploy/systemd/grosz-${command}@.service`),
}));

export const compose: Parsed = yamlOf('deploy/compose/compose.yml')[0];

/** The services of the compose file that run our image, by name. */
export const nodes: Readonly<Record<string, Parsed>> = Object.fromEntries(
  Object.entries(compose.services as Record<string, Parsed>).filter(([, { image }]) => image.startsWith('grosz:')),
);

export const kubernetes: readonly Parsed[] = filesOf('deploy/kubernetes/*.yaml').flatMap(yamlOf);

/** The one object of this kind, or of this kind and name. */
export function objectOf(kind: string, name?: string): Parsed {
  const [found, ...others] = kubernetes.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  if (!found || others.length > 0) throw new Error(`${kind} ${name ?? ''} must be there once.`);
  return found;
}

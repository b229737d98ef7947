// Hides secrets from read-only callers, according to the marks in the contract's response schemas.

import { secretKeyword, type TSchema } from '../../contract/schema.ts';

type Hide = (value: unknown) => unknown;

interface Node {
  readonly [secretKeyword]?: 'whole' | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
}

/** Returns a function that removes the secrets from a response of this schema; undefined if it has none. */
export function hiderOf(schema: TSchema): Hide | undefined {
  return hiderOfNode(schema as Node);
}

function hiderOfNode(node: Node): Hide | undefined {
  const mark = node[secretKeyword];
  if (mark === 'whole') return (value) => (typeof value === 'string' ? '' : null);
  if (mark) return formHider(mark);
  if (node.properties) return objectHider(node.properties);
  if (node.items) return arrayHider(node.items);
  const parts = [...(node.anyOf ?? []), ...(node.allOf ?? [])].flatMap((part) => hiderOfNode(part) ?? []);
  return parts.length === 0 ? undefined : (value) => parts.reduce((rest, hide) => hide(rest), value);
}

/** Leaves all other bytes unchanged. */
function formHider(names: readonly string[]): Hide {
  const shape = new RegExp(`(^|&)(${names.join('|')})=[^&]*`, 'g');
  return (value) => (typeof value === 'string' ? value.replaceAll(shape, '$1$2=') : null);
}

function objectHider(properties: Readonly<Record<string, Node>>): Hide | undefined {
  const hiders = Object.entries(properties).flatMap(([name, node]) => {
    const hide = hiderOfNode(node);
    return hide ? [{ name, hide }] : [];
  });
  if (hiders.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const shown: Record<string, unknown> = { ...value };
    for (const { name, hide } of hiders) if (Object.hasOwn(shown, name)) shown[name] = hide(shown[name]);
    return shown;
  };
}

function arrayHider(items: Node): Hide | undefined {
  const hide = hiderOfNode(items);
  return hide && ((value) => (Array.isArray(value) ? value.map(hide) : value));
}

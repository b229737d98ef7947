// Form encoding with brackets: `a[b]=1&c[]=2&d[0]=3`. Pure.

import { InvalidParameter } from './errors.ts';

/** What a form says: texts by name, nested as deep as the brackets. Lists are nodes with numbers as names. */
export interface Node {
  readonly [name: string]: string | Node;
}

type Growing = { [name: string]: string | Growing };

const pathShape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const depthAtMost = 8;

export function readFields(text: string): Node {
  const root = emptyNode();
  for (const [name, value] of new URLSearchParams(text)) put(root, name, value);
  return root;
}

function emptyNode(): Growing {
  return Object.create(null) as Growing;
}

function put(root: Growing, name: string, value: string): void {
  const [, first, rest = ''] = pathShape.exec(name) ?? [];
  const path = [first ?? name, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)];
  if (first === undefined || path.length > depthAtMost) throw malformed(name);
  let node = root;
  for (const part of path.slice(0, -1)) {
    const next = node[nameIn(node, part)] ?? emptyNode();
    if (typeof next === 'string') throw malformed(name);
    node[nameIn(node, part)] = next;
    node = next;
  }
  const last = nameIn(node, path.at(-1) ?? '');
  if (node[last] !== undefined) throw malformed(name);
  node[last] = value;
}

/** `[]` is the next place of a list. */
function nameIn(node: Growing, part: string): string {
  return part === '' ? String(Object.keys(node).length) : part;
}

function malformed(name: string): InvalidParameter {
  return new InvalidParameter('parameter_invalid', name, `The parameter ${name} cannot be read.`);
}

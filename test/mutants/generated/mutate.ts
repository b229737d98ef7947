// Plausible bugs of a source file, one at a time: another operator, another boundary, a constant that is off by one, a
// condition that is missing, a statement that is gone. Types, imports and sentences for people stay as they are.

import { parseSync } from 'vite';

/** Replaces the text from `start` to `end`. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What the same source becomes elsewhere. */
const otherOperators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
};

const otherNames: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
  padStart: 'padEnd',
};

/** Where types are, and names that are not values. */
const skipped = ['typeAnnotation', 'typeParameters', 'typeArguments', 'returnType', 'implements', 'superTypeArguments'];
const typeless = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function childrenOf(node: Node): Node[] {
  if (typeless.includes(node.type)) return [node.expression].filter(isNode);
  if (/^(TS|ImportDeclaration|ExportAll)/.test(node.type)) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (name === 'right' && isForTypes(node)) return [];
    // `[first = ''] = text.split(...)`: the same.
    if (name === 'right' && node.type === 'AssignmentPattern' && (node.right as Node).value === '') return [];
    // Its size is nothing beside its sign.
    if (node.operator === '-' && node.type === 'UnaryExpression' && (node.argument as Node).raw === '1') return [];
    if (skipped.includes(name) || (name === 'key' && node.computed !== true)) return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

/** Every mutation of a source file, in the order of their places; `without` are functions that stay as they are. */
export function mutationsOf(file: string, source: string, without: readonly string[] = []): Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Mutation[] = [];
  const sameWhenEqual = new Set<unknown>();
  const textOf = (part: unknown) => (isNode(part) ? source.slice(part.start, part.end) : '');
  const visit = (node: Node) => {
    if (isSmallerOrLarger(node, textOf)) sameWhenEqual.add(node.test);
    if (node.type === 'FunctionDeclaration' && without.includes(String((node.id as { name?: string }).name))) return;
    if (!sameWhenEqual.has(node)) found.push(...ofNode(node, source));
    childrenOf(node).forEach(visit);
  };
  visit(program as unknown as Node);
  const seen = new Set<string>();
  return found
    .filter(({ start, end, text }) => {
      const key = `${start} ${end} ${text}`;
      return !seen.has(key) && seen.add(key) && source.slice(start, end) !== text;
    })
    .sort((one, other) => one.start - other.start || one.end - other.end);
}

/** `a < b ? a : b`: where both are equal, both ways give the same. */
function isSmallerOrLarger(node: Node, textOf: (part: unknown) => string): boolean {
  const { test, consequent, alternate } = node as { test?: Node; consequent?: unknown; alternate?: unknown };
  if (node.type !== 'ConditionalExpression' || !/^[<>]=?$/.test(String(test?.operator))) return false;
  const compared = [textOf(test?.left), textOf(test?.right)].toSorted();
  return compared.join('\n') === [textOf(consequent), textOf(alternate)].toSorted().join('\n');
}

function ofNode(node: Node, source: string): Mutation[] {
  const textOf = (part: unknown) => (isNode(part) ? source.slice(part.start, part.end) : '');
  const instead = (...texts: string[]) => texts.map((text) => ({ start: node.start, end: node.end, text }));
  const insteadOf = (part: unknown, ...texts: string[]) =>
    isNode(part) ? texts.map((text) => ({ start: part.start, end: part.end, text })) : [];
  switch (node.type) {
    case 'BinaryExpression':
    case 'AssignmentExpression':
      return otherOperator(node, source);
    case 'LogicalExpression':
      return isForTypes(node)
        ? instead(`(${textOf(node.right)})`)
        : instead(`(${textOf(node.left)})`, `(${textOf(node.right)})`);
    case 'UnaryExpression':
      return ['!', '-'].includes(String(node.operator)) ? instead(`(${textOf(node.argument)})`) : [];
    case 'UpdateExpression':
      return instead(source.slice(node.start, node.end).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')));
    case 'IfStatement':
    case 'ConditionalExpression':
      return insteadOf(node.test, 'true', 'false');
    case 'WhileStatement':
    case 'ForStatement':
      return insteadOf(node.test, 'false');
    case 'ExpressionStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return node.directive === undefined || node.directive === null ? instead(';') : [];
    case 'MemberExpression':
      return node.computed === true ? [] : insteadOf(node.property, ...otherName(textOf(node.property)));
    case 'CallExpression':
      return withoutFilter(node, textOf);
    case 'Literal':
      return instead(...otherLiterals(node));
    default:
      return [];
  }
}

/** `list[index] ?? 0`: the compiler asks for a value where there always is one. */
function isForTypes({ type, operator, left, right }: Node): boolean {
  return (
    type === 'LogicalExpression' && operator === '??' && isNode(right) && right.type === 'Literal' && isIndexed(left)
  );
}

function isIndexed(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'ChainExpression') return isIndexed(node.expression);
  return node.type === 'MemberExpression' && (node.computed === true || isIndexed(node.object));
}

function otherOperator({ operator, left, right }: Node, source: string): Mutation[] {
  const other = otherOperators[String(operator)];
  if (!other || !isNode(left) || !isNode(right)) return [];
  const start = source.indexOf(String(operator), left.end);
  return [{ start, end: start + String(operator).length, text: other }];
}

function otherName(name: string): string[] {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  return other === undefined ? [] : [other];
}

/** A list that nobody filters. */
function withoutFilter({ start, end, callee }: Node, textOf: (part: unknown) => string): Mutation[] {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || textOf(callee.property) !== 'filter') return [];
  return [{ start, end, text: textOf(callee.object) }];
}

function otherLiterals(node: Node): string[] {
  const { value } = node;
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value + 1)];
  if (typeof value === 'bigint') return [`${value + 1n}n`];
  if (node.regex) return otherPatterns(node);
  // Sentences are for people, and tests compare codes.
  if (typeof value === 'string' && !/\S \S+ \S/.test(value)) return [value === '' ? "'other'" : "''"];
  return [];
}

/** Without an end of the text, with another number of characters, without a flag. */
function otherPatterns({ regex }: Node): string[] {
  const { pattern, flags } = regex as { pattern: string; flags: string };
  const written = (changed: string) => `/${changed}/${flags}`;
  const counts = Array.from(
    pattern.matchAll(/\{(\d+)(,?)(\d*)\}/g),
    ({ 0: all, 1: least, 2: comma, 3: most, index }) => {
      const put = (text: string) => written(pattern.slice(0, index) + text + pattern.slice(index + all.length));
      const longer = `{${Number(least) + 1}${comma}${most}}`;
      return most && Number(most) > Number(least)
        ? [put(longer), put(`{${least},${Number(most) - 1}}`)]
        : [put(longer)];
    },
  ).flat();
  return [
    ...(pattern.startsWith('^') ? [written(pattern.slice(1))] : []),
    ...(/[^\\]\$$/.test(pattern) ? [written(pattern.slice(0, -1))] : []),
    ...counts,
    ...(flags.includes('i') ? [`/${pattern}/${flags.replace('i', '')}`] : []),
  ];
}

// What the service finds, parks or plans is a code with parameters, in columns and on the wire. Sentences are made where
// people read them, by a dictionary that has a function for each code. No schemas here, so that browsers can load it too.

/** What a parameter holds; with a question mark it may be null. A list: one of these texts. */
export type ParameterKind = 'text' | 'number' | 'text?' | 'number?' | readonly string[];

/** The codes of one kind of message, each with its parameters. */
export type Codes = Readonly<Record<string, Readonly<Record<string, ParameterKind>>>>;

type ValueOf<K> = K extends readonly (infer One)[]
  ? One
  : K extends 'text'
    ? string
    : K extends 'number'
      ? number
      : K extends 'text?'
        ? string | null
        : number | null;

export type ParametersOf<P> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

/** A code of the list with its own parameters. */
export type Message<C extends Codes> = {
  [Code in keyof C & string]: { readonly code: Code; readonly parameters: ParametersOf<C[Code]> };
}[keyof C & string];

/** The sentences of one language: what lacks a code, or uses a parameter that it does not have, does not compile. */
export type Sentences<C extends Codes> = {
  readonly [Code in keyof C]: (parameters: ParametersOf<C[Code]>) => string;
};

export function sentenceOf<C extends Codes>(sentences: Sentences<C>, message: Message<C>): string {
  const toSentence: (parameters: never) => string = sentences[message.code];
  return toSentence(message.parameters as never);
}

function isOfKind(kind: ParameterKind, value: unknown): boolean {
  if (typeof kind !== 'string') return typeof value === 'string' && kind.includes(value);
  if (value === null) return kind.endsWith('?');
  return typeof value === kind.replace('?', '').replace('text', 'string');
}

/** Reads a message that SQL or a column holds; throws unless it is one of the list with exactly its parameters. */
export function readMessage<C extends Codes>(codes: C, code: unknown, parameters: object): Message<C> {
  const kinds = typeof code === 'string' && Object.hasOwn(codes, code) ? codes[code] : undefined;
  const given = Object.entries(parameters);
  const isRight =
    kinds !== undefined &&
    given.length === Object.keys(kinds).length &&
    given.every(([name, value]) => kinds[name] !== undefined && isOfKind(kinds[name], value));
  if (!isRight) throw new Error(`Not a message: ${String(code)} ${JSON.stringify(parameters)}`);
  return { code, parameters } as unknown as Message<C>;
}

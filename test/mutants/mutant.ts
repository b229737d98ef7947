// A mutant of the table: a line as it stands, a plausible bug instead of it, and the tests that must notice.

/** The names of tests by their file; none: any test of the file. */
export type TestNames = Readonly<Record<string, readonly string[]>>;

export interface Mutant {
  readonly file: string;
  /** As it stands, without the indentation of the first line; once in the file. */
  readonly line: string;
  /** Empty: the line is gone. */
  readonly instead: string;
  /** What is wrong then, as a reviewer would say it. */
  readonly bug: string;
  /** At least one of them fails. */
  readonly tests: TestNames;
  /** Why no test can notice it. */
  readonly unnoticed?: string;
}

/** Why the line cannot be changed; undefined if it stands once in the text. */
export function movedFrom(text: string, { file, line }: Pick<Mutant, 'file' | 'line'>): string | undefined {
  const count = text.split(line).length - 1;
  if (count === 1) return undefined;
  return `${file} has this line ${count === 0 ? 'no more' : `${count} times`}: ${line}`;
}

/** The text with the bug in it. */
export function mutated(text: string, { line, instead }: Pick<Mutant, 'line' | 'instead'>): string {
  return text.replace(line, () => instead);
}

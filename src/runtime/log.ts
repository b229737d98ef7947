// Structured logs. Only what is named explicitly is logged: never a name or value from a body, query, form or header.

import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export interface LogOptions {
  readonly level: string;
  /** The log file; standard output by default. */
  readonly file?: string | undefined;
}

const causesAtMost = 4;
/** Identifiers in errors of PostgreSQL and Node. None of them is content. */
const namedParts = ['code', 'constraint', 'table', 'column', 'routine', 'syscall'] as const;
const nameShape = /^[\w.-]{1,64}$/;

/**
 * What is logged of an error: its kind, the identifiers in it, and where it was thrown. The message only of a plain
 * `Error`, whose texts are ours: messages of parsers and PostgreSQL quote their input.
 */
function shown(error: unknown, causes = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const parts = error as Partial<Record<(typeof namedParts)[number], unknown>>;
  const named = namedParts.flatMap((name) => {
    const value = parts[name];
    return typeof value === 'string' && nameShape.test(value) ? [[name, value] as const] : [];
  });
  const isPlain = Object.getPrototypeOf(error) === Error.prototype && parts.code === undefined;
  return {
    type: error.name,
    ...(isPlain ? { message: error.message } : {}),
    ...Object.fromEntries(named),
    ...(error.cause === undefined || causes === causesAtMost ? {} : { cause: shown(error.cause, causes + 1) }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
  };
}

const serializers = { err: (error: unknown) => shown(error) };

export function openLog(options: LogOptions, stream?: DestinationStream): Log {
  const settings = { level: options.level, base: null, serializers, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(settings, stream ?? pino.destination({ dest: options.file ?? 1, sync: false, mkdir: true }));
}

// Structured logs. Only what is named here is logged: never a body, never a header, never a secret.

import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export interface LogOptions {
  readonly level: string;
  /** Where lines go; the standard output when left out. */
  readonly file?: string | undefined;
}

const serializers = {
  err: (error: unknown) => {
    if (!(error instanceof Error)) return { message: String(error) };
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    // PostgreSQL puts row contents into `detail`, so of its errors only message, code and stack are kept.
    return { type: error.name, message: error.message, code, cause, stack: error.stack };
  },
};

export function openLog(options: LogOptions, stream?: DestinationStream): Log {
  const settings = { level: options.level, base: null, serializers, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(settings, stream ?? pino.destination({ dest: options.file ?? 1, sync: false, mkdir: true }));
}

// The application_name of this process. The embedded server stops with the last Grosz process that uses it, and a
// process must distinguish its own connections, which may take a moment to close, from those of others.

/** As the database shows it, for example `grosz serve 4711`. */
export function processName(what: string): string {
  return `grosz ${what} ${process.pid}`;
}

/** Matches the names of all Grosz processes. */
export const everyProcess = 'grosz %';
/** Matches the names of this process. */
export const thisProcess = processName('%');

// How this process calls itself to the database. The embedded server stops with the last Grosz process that uses it, and
// a process must be able to tell its own connections from those of others: its own may take a moment to go.

/** As the database shows it, such as `grosz serve 4711`. */
export function processName(what: string): string {
  return `grosz ${what} ${process.pid}`;
}

/** Fits the names of all Grosz processes. */
export const everyProcess = 'grosz %';
/** Fits the names that this process gives itself. */
export const thisProcess = processName('%');

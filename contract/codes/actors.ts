// Who did something, where it was no person of the panel.

/** A command of `grosz`, in place of an email address. */
export const commandLine = 'command_line';

/** What the service does by itself. */
export const byItself = 'service';

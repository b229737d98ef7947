// A reason not to start that the operator can fix. Printed as a message without a stack trace; the exit code is 1.

export class StartFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartFault';
  }
}

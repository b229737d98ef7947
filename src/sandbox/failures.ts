// Refusals of the sandbox.

import { failureKind } from '../kernel/index.ts';

export const clockCannotMove = failureKind(
  'clock_cannot_move',
  409,
  'The clock cannot be moved while an acquirer is open that keeps its own time.',
  'Its statement would never agree with the books. Move the clock in a sandbox whose only acquirer is the simulator.',
);

export const sandboxFailures = [clockCannotMove];

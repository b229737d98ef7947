// The acquirer: whoever moves the money, behind one port.
// Owns: nothing in our database; the simulated bank has a record of its own.
// Promises: one thing for one key, however often it is asked; every request ends by its deadline; what is not known for
// certain is `unknown`, never a failure; nothing here throws for what the other side does.
export * from './port.ts';
export * from './simulator/index.ts';

// Several test files in one process, one after the other: starting a process and loading the service takes longer than
// most files. Each file is a suite with its name, and what it opened is closed before the next one is loaded.

import { after, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { mustEnd } from './bounds.ts';
import { closeAll, closeProcess, hooksOfTests } from './closers.ts';

export async function runBatch(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await suite(file, async () => {
      after(closeAll);
      hooksOfTests();
      await import(pathToFileURL(file).href);
    });
  }
  await closeProcess();
  mustEnd();
}

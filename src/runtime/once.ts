// A file that is created once, such as a key: complete or absent, despite concurrent processes and crashes.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

/** The content of the file, which only its owner may read; creates it with `text` if it does not exist. */
export async function readOrMake(file: string, text: () => string): Promise<string> {
  const there = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (there !== undefined) return there;
  // Written under another name until it is on disk; link() never replaces an existing file.
  const making = `${file}.${randomUUID()}`;
  try {
    await createFile(making, text());
    await link(making, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(making, { force: true });
  }
  return readFile(file, 'utf8');
}

async function createFile(file: string, text: string): Promise<void> {
  const opened = await open(file, 'wx', 0o600);
  try {
    await opened.writeFile(text);
    await opened.sync();
  } finally {
    await opened.close();
  }
}

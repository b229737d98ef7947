// A file that is created once and then stays, such as a key: complete or absent, whatever runs at the same time or crashes.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

/** The text of the file, which only its owner may read; makes it with `text` when there is none. */
export async function readOrMake(file: string, text: () => string): Promise<string> {
  const there = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (there !== undefined) return there;
  // Under another name until it is on the disk; a link never takes the place of a file that is there.
  const making = `${file}.${randomUUID()}`;
  try {
    await write(making, text());
    await link(making, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(making, { force: true });
  }
  return readFile(file, 'utf8');
}

async function write(file: string, text: string): Promise<void> {
  const opened = await open(file, 'wx', 0o600);
  try {
    await opened.writeFile(text);
    await opened.sync();
  } finally {
    await opened.close();
  }
}

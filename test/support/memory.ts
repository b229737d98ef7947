// Where databases of tests are: in memory if there is enough of it. Creating and removing their files takes most of
// cloning one, and a killed process loses no more there than on a disk.

import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const bytesAtLeast = 4 * 1024 ** 3;

export function dataParent(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= bytesAtLeast ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

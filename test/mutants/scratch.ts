// A copy of the project in which lines are changed, so that nobody's own files are.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A hard link where that is possible: it does not lead to another file system. */
function linkOrCopy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), 'grosz-mutants-'));

  constructor() {
    process.on('exit', () => this.remove());
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { maxBuffer: 2 ** 26 });
    for (const file of new Set(String(listed).split('\0'))) {
      if (file !== '') linkOrCopy(file, join(this.folder, file));
    }
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Runs something while files have other texts. */
  async whileChanged<T>(texts: ReadonlyMap<string, string>, run: () => Promise<T>): Promise<T> {
    const before = new Map([...texts.keys()].map((file) => [file, this.read(file)]));
    try {
      for (const [file, text] of texts) this.#replace(file, text);
      return await run();
    } finally {
      for (const [file, text] of before) this.#replace(file, text);
    }
  }

  /** A new file instead of the link: the project's own stays as it is. */
  #replace(file: string, text: string): void {
    const path = join(this.folder, file);
    rmSync(path);
    writeFileSync(path, text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

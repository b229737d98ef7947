// The heads of the chains at the last `grosz verify`, in the data folder: whoever can write only to the database cannot
// change them.

import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChainName, chainNames, type Finding } from '../../contract/codes/findings.ts';
import { headsFile } from '../data-files.ts';
import { type ChainReader, type Head, notedProblems, openSignedHeads, signHeads } from '../database/index.ts';
import type { Tools } from '../tools.ts';

type Chains = Readonly<Record<ChainName, ChainReader>>;

/** The newest rows of the chains that have any. */
export async function newestOf(chains: Chains): Promise<(readonly [ChainName, Head])[]> {
  const heads = await Promise.all(chainNames.map(async (chain) => [chain, await chains[chain].newest()] as const));
  return heads.flatMap(([chain, head]) => (head ? [[chain, head] as const] : []));
}

export function noteIn({ config, vault, log }: Pick<Tools, 'config' | 'vault' | 'log'>) {
  const file = join(config.dataDir, headsFile);
  return {
    /** What the note says about the chains; nothing if there is none. */
    async compare(chains: Chains): Promise<Finding[]> {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) return [];
      const heads = openSignedHeads(vault, text);
      if (!heads) return [{ code: 'note_not_ours', parameters: { file } }];
      return (await Promise.all(heads.map(([chain, head]) => notedProblems(chain, head, chains[chain])))).flat();
    },
    /** A folder that cannot be written to keeps no note: some nodes have none. */
    async keep(heads: string): Promise<void> {
      try {
        await writeFile(`${file}.new`, signHeads(vault, heads), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch (error) {
        log.warn({ err: error }, 'the head was not kept in the data folder: note it down');
      }
    },
  };
}

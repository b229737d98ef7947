// `npm run mutants`: every plausible bug that is tried here must be noticed by a test.
//
//   npm run mutants                      those of the table, then the generated ones of pure files
//   npm run mutants -- table             those of the table
//   npm run mutants -- table refunds     those whose file has this in its path
//   npm run mutants -- generated money   generated ones of such files

import { pureFiles } from './generated/pure-files.ts';
import { type FileResult, runFile } from './generated/run.ts';
import { survivors } from './generated/survivors.ts';
import type { Mutant } from './mutant.ts';
import { runTable, type Verdict } from './run-table.ts';
import { table } from './table/index.ts';

const noticedAtLeast = 0.95;
const [first, ...others] = process.argv.slice(2);
const kind = first === 'table' || first === 'generated' ? first : undefined;
const words = kind === undefined ? process.argv.slice(2) : others;
const isChosen = ({ file }: { readonly file: string }) =>
  words.length === 0 || words.some((word) => file.includes(word));

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function shown({ file, line, instead, bug, unnoticed }: Mutant, verdict: Verdict): string {
  const about = `${file}: ${bug}`;
  if ('by' in verdict) {
    const how = verdict.kind === 'endless' ? ': a test never ended; give it a limit' : '';
    return `noticed   ${about}${how} (${verdict.seconds.toFixed(1)} s)`;
  }
  if (verdict.kind === 'survived' && unnoticed) return `known     ${about}: ${unnoticed}`;
  return `${verdict.kind.toUpperCase().padEnd(9)} ${about}: ${verdict.why}\n  - ${line}\n  + ${instead}`;
}

/** What is wrong with the table. */
async function faultsOfTable(): Promise<string[]> {
  const chosen = table.filter(isChosen);
  if (chosen.length === 0) return [];
  const { faults, verdicts } = await runTable(chosen, (mutant, verdict) => print(shown(mutant, verdict)));
  const isNoticed = ({ kind }: Verdict) => kind === 'noticed' || kind === 'endless';
  const noticed = [...verdicts].filter(([, verdict]) => isNoticed(verdict));
  const endless = noticed.filter(([, { kind }]) => kind === 'endless').length;
  const left = [...verdicts].filter(([{ unnoticed }, verdict]) => isNoticed(verdict) === (unnoticed !== undefined));
  print(
    `\n${noticed.length} of ${verdicts.size} mutants of the table were noticed, ${endless} by a test that never ended.`,
  );
  return [
    ...faults,
    ...left.map(([mutant, verdict]) =>
      isNoticed(verdict) ? `${mutant.file}: ${mutant.bug}: is noticed by now` : shown(mutant, verdict),
    ),
  ];
}

/** Survivors without a reason, and reasons without a survivor. */
function faultsOfFile({ file, survivors: found }: FileResult): string[] {
  const known = survivors[file] ?? [];
  const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
  const counts = Map.groupBy(found, ({ before }) => firstLine(before));
  const unexplained = [...counts].flatMap(([line, changes]) => {
    const explained = known.find((one) => one.line === line)?.count ?? 0;
    if (changes.length <= explained) return [];
    return [
      `${file}, line ${changes[0]?.line}:\n  - ${line}\n${changes.map(({ after }) => `  + ${after}`).join('\n')}`,
    ];
  });
  const stale = known.filter(({ line, count }) => (counts.get(line)?.length ?? 0) < count);
  return [...unexplained, ...stale.map(({ line }) => `${file}: fewer survive than survivors.ts says: ${line}`)];
}

async function faultsOfGenerated(): Promise<string[]> {
  const chosen = pureFiles.filter(isChosen);
  const faults: string[] = [];
  let [made, noticed] = [0, 0];
  for (const file of chosen) {
    const result = await runFile(file);
    const own = result.made - result.survivors.length;
    print(`${file.file}: ${own} of ${result.made} noticed (${result.seconds.toFixed(1)} s)`);
    made += result.made;
    noticed += own;
    faults.push(...faultsOfFile(result));
  }
  if (made === 0) return faults;
  print(`\n${noticed} of ${made} generated mutants were noticed: ${((100 * noticed) / made).toFixed(1)} %.`);
  if (words.length === 0 && noticed / made < noticedAtLeast) faults.push('Fewer than 95 % were noticed.');
  return faults;
}

const faults = [
  ...(kind === 'generated' ? [] : await faultsOfTable()),
  ...(kind === 'table' ? [] : await faultsOfGenerated()),
];
for (const fault of faults) print(fault);
process.exit(faults.length > 0 ? 1 : 0);

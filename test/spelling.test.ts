// One spelling of English, that of the United States, in the product, its docs and its code.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

/** Generated files follow their sources, and others wrote the license. */
const leftOut = /^(LICENSE|package-lock\.json|docs\/openapi|docs\/.*\.(png|webp|jpg)|test\/spelling\.test\.ts)/;
const readable = /\.(ts|tsx|js|css|md|html|json|sql|ya?ml|sh|conf|service)$/;
/** Texts in other languages: some of their words look like these. */
const otherLanguages =
  /^src\/pages\/pay\/words\/(?!en\.ts)|mail-words\.ts$|\/mail\/words\.ts$|simulator\/words\.ts$|\/(?:words|sentences)\.(?!en\.)\w+\.ts$/;

/** British spellings, each with the one that we use. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\w*(?:behaviour|favour|honour|neighbour|flavour|labour)\w*/gi, '-or'],
  [/\w*colour\w*/gi, 'color'],
  [/\bcancell(?:ed|ing)\b/gi, 'canceled'],
  [/\b(?:label|model|signal|travel|total)l(?:ed|ing)\b/gi, 'one l'],
  [
    /\w*(?:recognis|authoris|normalis|initialis|organis|summaris|serialis|tokenis|customis|minimis|optimis)\w*/gi,
    '-ize',
  ],
  [/\b(?:analyse[ds]?|paralyse[ds]?)\b/gi, '-yze'],
  [/\b(?:programmes?|catalogues?|dialogues?)\b/gi, 'program, catalog, dialog'],
  [/\b(?:licences?|defences?|judgements?|artefacts?|centres?|metres?|cheques?)\b/gi, 'license, judgment, artifact'],
  [/\b(?:whilst|amongst|learnt|misspelt|fulfil|enrol|instalments?)\b/gi, 'while, learned, fulfill'],
  [/(?<!earl[ -])\bgreys?\b/gi, 'gray'],
];

suite('spelling', () => {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const files = [...new Set(listed.stdout.split('\n'))]
    .filter(existsSync)
    .filter((file) => readable.test(file) && !leftOut.test(file) && !otherLanguages.test(file));

  // Guarantee: what somebody reads is spelled in one way.
  test('of the United States', () => {
    const found = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return spellings.flatMap(([pattern, better]) =>
        (text.match(pattern) ?? []).map((word) => `${file}: ${word} (${better})`),
      );
    });
    assert.deepEqual(found, []);
  });

  // Guarantee: it is email, except in Polish.
  test('email', () => {
    const found = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8').replaceAll(/\bpl:\s*(?:'[^']*'|\[[^\]]*\])/g, '');
      return (text.match(/\be-mail\b[^\n]{0,20}/gi) ?? []).map((words) => `${file}: ${words}`);
    });
    assert.deepEqual(found, []);
  });
});

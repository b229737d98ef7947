// The panel's texts: every language has every text. A new language is one file beside each words.en.ts and each
// sentences.en.ts.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { panelLanguages } from '../../contract/languages.ts';
import { returnJournals } from '../../src/banking/store/verify.ts';

/** A text, its plural forms, or, in sentences.*.ts, the function that writes the sentence of a code. */
type Text = string | Readonly<Record<string, string>> | (() => string);
type Words = Readonly<Record<string, Text>>;

/** The panel in the browser, and what the service writes for its people: files and mails. */
const source = new URL('../../', import.meta.url);
const wordsFiles = (language: string) =>
  globSync(`{web/panel/src,src}/**/{words,sentences}.${language}.ts`, { cwd: source })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
const wordsOf = async (file: string): Promise<Words> => (await import(new URL(file, source).href)).default;

/** The names in braces, of all forms together. */
function valuesIn(text: Exclude<Text, () => string>): string[] {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))].sort();
}

/** What is wrong with a text, compared with the English one; undefined if nothing. */
function faultOf(language: string, english: Text, text: Text | undefined): string | undefined {
  if (text === undefined) return 'is missing';
  // The compiler compares what such a function is given.
  if (typeof english === 'function' || typeof text === 'function')
    return typeof english === typeof text ? undefined : 'is not a sentence';
  if (typeof english === 'string') return typeof text === 'string' ? faultOfValues(english, text) : 'is not plural';
  if (typeof text === 'string') return 'has no plural forms';
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const lacking = forms.filter((form) => !text[form]);
  return lacking.length > 0 ? `lacks the form ${lacking.join(' and ')}` : faultOfValues(english, text);
}

function faultOfValues(english: Exclude<Text, () => string>, text: Exclude<Text, () => string>): string | undefined {
  const [wanted, found] = [valuesIn(english).join(', '), valuesIn(text).join(', ')];
  return wanted === found ? undefined : `has the values (${found}) instead of (${wanted})`;
}

async function faultsOf(language: string): Promise<string[]> {
  const faults: string[] = [];
  const files = wordsFiles(language);
  for (const file of wordsFiles('en')) {
    const own = file.replace(/en\.ts$/, `${language}.ts`);
    const [english, words] = [await wordsOf(file), files.includes(own) ? await wordsOf(own) : undefined];
    if (words === undefined) {
      faults.push(`${own} is missing`);
      continue;
    }
    for (const [key, text] of Object.entries(english)) {
      const fault = faultOf(language, text, words[key]);
      if (fault) faults.push(`${own}: ${key} ${fault}`);
    }
    faults.push(...Object.keys(words).flatMap((key) => (key in english ? [] : [`${own}: ${key} is not in English`])));
  }
  return faults;
}

suite('the words of the panel', () => {
  // Guarantee: nobody reads two languages on one screen; what a language lacks is named here.
  for (const language of panelLanguages) {
    test(`${language}: every text of every dictionary`, async () => {
      assert.ok(wordsFiles('en').length > 30);
      assert.deepEqual(await faultsOf(language), []);
    });
  }

  // Guarantee: no refusal is told in English to somebody who reads another language.
  test('every error code of the service has its words', async () => {
    // Not at the top: it loads dictionaries, and one that is missing would end this file before it names them.
    const { allFailures } = await import('../../src/failures.ts');
    const words = await wordsOf('web/panel/src/ui/failed/words.en.ts');
    const codes = [...new Set(allFailures.map(({ code }) => code))];
    assert.ok(codes.length > 40);
    assert.deepEqual(
      codes.filter((code) => !(code in words)),
      [],
    );
  });

  // Guarantee: a language that nobody can choose is not shipped to everybody.
  test('no words of a language that the panel does not offer', () => {
    const offered: readonly string[] = panelLanguages;
    const others = wordsFiles('*').filter((file) => !offered.includes(/\.(\w+)\.ts$/.exec(file)?.[1] ?? ''));
    assert.deepEqual(others, []);
  });
});

// Guarantee: nothing that is booked about a payment or a refund is shown under its name in the code.
test('every journal about a payment has words', async () => {
  const words = await wordsOf('web/panel/src/screens/transactions/one/timeline/words.en.ts');
  const rooms = globSync('src/{transactions,refunds}/open.ts', { cwd: source }).map((file) =>
    readFileSync(new URL(file, source), 'utf8'),
  );
  const named = rooms.flatMap((text) => [...text.matchAll(/journalKinds: \[([^\]]+)\]/g)]);
  const kinds = named.flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, kind = '']) => kind));
  assert.ok(kinds.length >= 5);
  const missing = [...kinds, ...returnJournals.kinds].filter((kind) => !(`journal ${kind}` in words));
  assert.deepEqual(missing, []);
});

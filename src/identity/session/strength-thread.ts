// A thread that estimates how many guesses a password takes: loading the lists and a hostile text would hold up the main
// thread for tenths of a second.

import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { StrengthAnswer, StrengthQuestion } from './strength.ts';

/** What follows makes a password longer, not worse; the estimate of a long text takes long. */
const charactersAtMost = 64;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: charactersAtMost });

parentPort?.on('message', ({ id, texts, words }: StrengthQuestion) => {
  const guessesLog10 = texts.map((text) => estimator.check(text.slice(0, charactersAtMost), [...words]).guessesLog10);
  const answer: StrengthAnswer = { id, guessesLog10 };
  parentPort?.postMessage(answer);
});

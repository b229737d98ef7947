import { suite, test } from 'node:test';
import { liveThreeYears } from '../support/three-years.ts';

suite('three virtual years', () => {
  // Guarantee: one move of the clock leaves exactly what the calendar says, to the grosz and to the second.
  test('a hundred recurring payments', async () => {
    await liveThreeYears(100);
  });
});

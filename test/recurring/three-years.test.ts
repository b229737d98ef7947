import { suite, test } from 'node:test';
import { liveThreeYears } from '../support/three-years.ts';

suite('three virtual years', () => {
  // Guarantee: two moves of the clock leave exactly what the calendar says, to the grosz and to the second; manual
  // retries and restored ones included.
  test('a hundred recurring payments', async () => {
    await liveThreeYears(100);
  });
});

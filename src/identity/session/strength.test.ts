import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { knownWords, withoutWords } from './rules.ts';
import { isWeakPassword } from './strength.ts';

const owner = { email: 'anna.kowalska@example.com', name: 'Anna Kowalska-Żółć' };

suite('passwords', () => {
  const weak = [
    '123456789012',
    'qwertyuiop12',
    'P@ssw0rd1234',
    'password1234',
    'Password123!',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '1q2w3e4r5t6y',
    'zaq12wsxcde3',
    'qwerty123456',
    'iloveyou1234',
    'letmein12345',
    'welcome12345',
    '111111111111',
    '000000000000',
    'abcdefghijkl',
    'asdfghjkl123',
    '1234567890ab',
    'password password',
    'Grosz2026grosz!',
    'gr0sz gr0sz 1',
    'GroszGrosz2026',
    'hasloHaslo123',
    'Hasło123456!',
    'Polska2026!!',
    'anna.kowalska12',
    'AnnaKowalska1',
    'Ann@Kow4lska!1',
    'kowalska2026!',
    'anna.kowalska@example.com',
    'zolcZolc2026',
    'examplecom2026',
  ];
  for (const password of weak) {
    // Guarantee: what is tried first is refused, also with letters replaced, and what is made of the person's own data.
    test(`${password} is refused`, async () => assert.equal(await isWeakPassword(password, owner), true));
  }

  const good = [
    'correct horse battery staple',
    'another long passphrase',
    'k7#pQ9!vLm2x',
    'zielony rower jedzie po schodach',
    'a grosz for your strange umbrella',
    'żółw Anna liczy krzywe gwiazdy',
  ];
  for (const password of good) {
    test(`${password} is accepted`, async () => assert.equal(await isWeakPassword(password, owner), false));
  }

  // Guarantee: no password holds up the main thread, whatever it is made of.
  test('hostile passwords hold up nothing', async () => {
    await isWeakPassword('the thread has started by now', owner);
    const hostile = [
      '4@a8b3e6g1i!0o5s7t+'.repeat(13),
      '1l!|iI'.repeat(40),
      'x'.repeat(256),
      'ąśćżź'.repeat(51),
      '🙂'.repeat(128),
    ];
    for (const password of hostile) {
      // What this thread computed: how long it waited depends on what else the machine does.
      const started = process.threadCpuUsage();
      await isWeakPassword(password, owner);
      const { user, system } = process.threadCpuUsage(started);
      const milliseconds = (user + system) / 1_000;
      assert.ok(milliseconds < 50, `${password.slice(0, 20)} kept the main thread for ${milliseconds} ms.`);
    }
  });

  test('words of a person, and what is left without them', () => {
    const words = knownWords(owner);
    for (const word of ['anna', 'kowalska', 'żółć', 'zolc', 'grosz', 'example', 'anna.kowalska@example.com']) {
      assert.ok(words.includes(word), word);
    }
    assert.equal(withoutWords('4nna-X-GR0SZ9', words), '-x-9');
  });
});

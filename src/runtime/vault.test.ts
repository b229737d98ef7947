import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Secret } from '../kernel/index.ts';
import { systemRandom } from './random.ts';
import { StartFault } from './start-fault.ts';
import { cachedOpening, openVault, type Vault } from './vault.ts';

const random = systemRandom();
const one = { id: 'one', key: random.bytes(32) };
const two = { id: 'two', key: random.bytes(32) };

suite('mac', () => {
  const vault = openVault([one], random);
  const mac = vault.mac('777123', 'a request');

  // Guarantee: a mac matches its text, for its purpose only, and nothing else.
  test('recognizes equal texts', () => {
    assert.equal(vault.mac('777123', 'a request'), mac);
    assert.equal(vault.isMacOf(mac, '777123', 'a request'), true);
    assert.equal(vault.isMacOf(mac, '777124', 'a request'), false);
    assert.equal(vault.isMacOf(mac, '777123', 'another'), false);
    assert.equal(vault.isMacOf(`${mac}x`, '777123', 'a request'), false);
  });

  // Guarantee: without the vault's key nobody can test guesses.
  test('differs under another key, and is not made with the key that seals', () => {
    assert.notEqual(openVault([{ id: 'one', key: two.key }], random).mac('777123', 'a request'), mac);
    assert.notEqual(vault.seal(new Secret('777123'), 'a request'), mac);
  });

  // Guarantee: after a new vault key is added, old macs still verify, as long as the old key is present.
  test('outlives a change of keys', () => {
    const changed = openVault([two, one], random);
    assert.equal(changed.isMacOf(mac, '777123', 'a request'), true);
    assert.match(changed.mac('777123', 'a request'), /^two\./);
    // Commands print it without a stack trace.
    assert.throws(
      () => openVault([two], random).isMacOf(mac, '777123', 'a request'),
      (error) => error instanceof StartFault && /^No vault key with the id one, .* set VAULT_KEYS/.test(error.message),
    );
  });
});

suite('a cached opening', () => {
  /** Counts how often it decrypts. */
  function aVault(): Vault & { readonly opened: string[] } {
    const vault = openVault([one], random);
    const opened: string[] = [];
    return {
      ...vault,
      opened,
      open(sealed, purpose) {
        opened.push(purpose);
        return vault.open(sealed, purpose);
      },
    };
  }

  test('decrypts once, and again for another ciphertext', () => {
    const vault = aVault();
    const open = cachedOpening(vault, (secret) => secret.reveal());
    const [old, fresh] = [vault.seal(new Secret('old'), 'a code'), vault.seal(new Secret('new'), 'a code')];
    assert.deepEqual(
      [old, old, fresh, old].map((sealed) => open(sealed, 'a code')),
      ['old', 'old', 'new', 'old'],
    );
    assert.equal(vault.opened.length, 2);
  });

  // Guarantee: rows cannot be swapped, whatever was opened before.
  test('refuses what it has opened for another purpose', () => {
    const vault = aVault();
    const open = cachedOpening(vault, (secret) => secret.reveal());
    const sealed = vault.seal(new Secret('old'), 'the code of one');
    assert.equal(open(sealed, 'the code of one'), 'old');
    assert.throws(() => open(sealed, 'the code of two'));
  });
});

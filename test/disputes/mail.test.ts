// The mail about a dispute.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { languages } from '../../contract/languages.ts';
import { disputeMail } from '../../src/disputes/mail.ts';
import type { Dispute, DisputeState } from '../../src/disputes/model.ts';
import type { Tools } from '../../src/tools.ts';
import type { RefundableTransaction } from '../../src/transactions/index.ts';

const at = Temporal.Instant.from('2026-03-10T10:00:00Z');

function textOf(language: string, state: DisputeState, operator: { name?: string; support?: string }): string {
  const dispute = {
    id: '01KKBFJYM0YEQXY19QSP9ARQRG',
    amountMinor: 4_990n,
    returnedMinor: 0n,
    currency: 'PLN',
    state,
    reason: 'duplicate',
    respondUntil: state === 'opened' ? at.add({ hours: 240 }) : null,
  };
  const refundable = {
    transaction: { description: 'Tea', title: 'TR-1' },
    merchant: { language, email: 'shop@example.com' },
    notification: { zone: 'Europe/Warsaw' },
  };
  const tools = { config: { operator } } as unknown as Tools;
  const [about, of] = [dispute as unknown as Dispute, refundable as unknown as RefundableTransaction];
  return disputeMail(tools, 'mail', about, of, at).text;
}

suite('the mail about a dispute', () => {
  // Guarantee: whoever can still win a dispute reads to whom the evidence goes, and until when.
  for (const language of languages) {
    test(`${language}: why, until when, and to whom evidence goes`, () => {
      const opened = textOf(language, 'opened', { name: 'Grosz', support: 'help@example.com' });
      for (const part of ['(duplicate)', '2026', ' (Grosz, help@example.com)'])
        assert.ok(opened.includes(part), opened);
      assert.ok(!textOf(language, 'lost', { name: 'Grosz', support: 'help@example.com' }).includes('help@example.com'));
      assert.ok(!textOf(language, 'opened', {}).includes('()'));
    });
  }

  // Guarantee: whoever lost a dispute learns that refunds on hold stay until they are canceled, in every language.
  test('lost: what becomes of refunds on hold', () => {
    const afterOf = (language: string) => textOf(language, 'lost', {});
    assert.match(
      afterOf('en'),
      /so do not refund it\. A refund that is on hold can be canceled: its amount and fee return to your balance\./,
    );
    const words = { pl: 'anulować', de: 'stornieren', fr: 'annulé', it: 'annullare', es: 'cancelar' };
    for (const [language, word] of Object.entries({ ...words, uk: 'скасувати', ru: 'отменить' }))
      assert.ok(afterOf(language).includes(word), language);
  });
});

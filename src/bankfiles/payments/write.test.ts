import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { SaxesParser } from 'saxes';
import {
  aBatch,
  aPayment,
  batchOf,
  bytesOf,
  elementOf,
  elixirFields,
  germanIban,
  payerIban,
  type ReadPayment,
  readElixir,
  readPain,
  referenceOf,
  streamOf,
} from '../../../test/bankfiles/payments.ts';
import { decimalText } from '../../kernel/index.ts';
import { writableEncodings } from '../encoding.ts';
import { referencesIn, titleOf } from '../reference.ts';
import { PaymentFileFault } from './fault.ts';
import type { Payment, PaymentBatch } from './model.ts';
import { type BankProfile, builtInProfiles } from './profile.ts';
import { writePaymentFile } from './write.ts';

const { 'iso20022-sepa': sepa, 'iso20022-pl': polish, elixir0 } = builtInProfiles;
const profiles: readonly BankProfile[] = Object.values(builtInProfiles);

/** By the same tables that read statements, except for CP852, which the platform does not know. */
function decoded(bytes: Uint8Array, { encoding }: BankProfile): string {
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

function readBy(profile: BankProfile, text: string): ReadPayment[] {
  return profile.format === 'elixir-0' ? readElixir(text) : readPain(text);
}

/** Throws unless it is well-formed. */
function parse(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

const some = (count: number): Payment[] =>
  Array.from({ length: count }, (_, index) => aPayment({ amountMinor: BigInt(index + 100) }, index + 1));

const three: readonly Payment[] = [
  aPayment({ payeeName: 'Zakład Usług „Żółw” s.c.' }, 1),
  aPayment(
    { amountMinor: 5n, payeeName: "Müller & O'Neill", title: titleOf(referenceOf(2), 'wypłata z 19 listopada') },
    2,
  ),
  aPayment(
    {
      amountMinor: 99_999_999n,
      payeeName: 'Spółdzielnia Rękodzieła Artystycznego w Gdyni',
      title: titleOf(referenceOf(3), ''),
    },
    3,
  ),
];

suite('a payment file', () => {
  // Guarantee: the bytes of a file never change unnoticed. These files are what the bank's own checker is given.
  for (const profile of profiles) {
    const ending = profile.format === 'elixir-0' ? 'pli' : 'xml';
    test(`${profile.name} as it was`, async () => {
      const bytes = await bytesOf(profile, three);
      const golden = readFileSync(`test/bankfiles/golden/${profile.name}.${ending}`);
      assert.equal(decoded(bytes, profile), decoded(golden, profile));
      assert.deepEqual(bytes, golden);
    });

    // Guarantee: what the bank reads is what was ordered, each payment once, in its order.
    test(`${profile.name} is read as it was written`, async () => {
      const payments = some(400);
      const text = decoded(await bytesOf(profile, payments), profile);
      const isPain = profile.format !== 'elixir-0';
      if (isPain) parse(text);
      const expected = payments.map(({ reference, amountMinor, ...others }) => ({
        ...others,
        reference: isPain ? reference : null,
        amount: decimalText(amountMinor),
        payerName: 'Grosz sp. z o.o.',
        payerIban,
      }));
      assert.deepEqual(readBy(profile, text), expected);
    });

    // Guarantee: our reference is in the first 35 characters of the title, all that some statements have of it.
    test(`${profile.name} has the reference first`, async () => {
      const text = decoded(await bytesOf(profile, three), profile);
      assert.deepEqual(
        readBy(profile, text).map(({ title }) => referencesIn(title.slice(0, 35))),
        three.map(({ reference }) => [reference]),
      );
    });

    // Guarantee: a name cannot end its field, add another one, or reach the bank in characters that it refuses.
    test(`${profile.name} with names of attackers`, async () => {
      const names = [
        '</Nm><Nm>Eve',
        'a","b',
        'a|b&amp;c',
        ']]><!--',
        '\u202eEve\u202c\0\u0007',
        'Ola 🦊 A\u0301\u0327',
        'Jan/RTRN/AC04',
        'Jan?20?32:61:',
      ];
      const payments = names.map((name, index) => aPayment({ payeeName: `${name}A` }, index + 1));
      const text = decoded(await bytesOf(profile, payments), profile);
      if (profile.format !== 'elixir-0') parse(text);
      assert.equal(readBy(profile, text).length, names.length);
      for (const { payeeName } of readBy(profile, text)) assert.match(payeeName, /^[A-Za-z0-9().,'+ -]+A$/);
    });
  }

  // Guarantee: the same facts are the same bytes, so a file that is made again can be compared with the first one.
  test('is the same every time, in pieces', async () => {
    const payments = some(800);
    for (const profile of profiles) {
      const pieces = await Array.fromAsync(writePaymentFile(profile, batchOf(profile, payments), streamOf(payments)));
      assert.ok(pieces.length > 2 && pieces.every(({ length }) => length < 70_000), `${pieces.length}`);
      assert.ok(Buffer.concat(pieces).equals(await bytesOf(profile, payments)));
    }
  });

  // Guarantee: Polish letters arrive in every encoding that a bank may ask for.
  test('in each encoding', async () => {
    const letters = 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ';
    const bytes = {
      'UTF-8': Buffer.from(letters),
      'windows-1250': Buffer.from('b9e6eab3f1f39c9fbfa5c6caa3d1d38c8faf', 'hex'),
      'ISO-8859-2': Buffer.from('b1e6eab3f1f3b6bcbfa1c6caa3d1d3a6acaf', 'hex'),
      CP852: Buffer.from('a586a988e4a298abbea48fa89de3e0978dbd', 'hex'),
    };
    for (const encoding of writableEncodings) {
      for (const profile of [polish, elixir0]) {
        const file = await bytesOf({ ...profile, encoding }, [aPayment({ payeeName: letters })]);
        assert.ok(file.includes(bytes[encoding]), `${profile.name} ${encoding}`);
        if (profile === polish) assert.ok(file.includes(`encoding="${encoding}"`));
      }
    }
  });
});

/** What was written before, and why it was not written to its end. */
async function faultOf(profile: BankProfile, payments: readonly Payment[], changes: Partial<PaymentBatch> = {}) {
  let written = '';
  try {
    const batch = batchOf(profile, payments, changes);
    for await (const bytes of writePaymentFile(profile, batch, streamOf(payments))) written += decoded(bytes, profile);
  } catch (error) {
    if (!(error instanceof PaymentFileFault)) throw error;
    return { payment: error.payment, problem: error.problem, written };
  }
  return undefined;
}

suite('a payment file that is not right', () => {
  // Guarantee: a header that says something else than the payments never becomes a whole file, whatever its size.
  for (const profile of profiles) {
    for (const count of [1, 600]) {
      test(`${profile.name} of ${count} whose header is wrong`, async () => {
        const payments = some(count);
        const last = referenceOf(count);
        const fewer = await faultOf(profile, payments, { payments: count + 1 });
        assert.deepEqual(fewer?.problem, { code: 'payments_differ', parameters: { said: count + 1, found: count } });
        const sumMinor = batchOf(profile, payments).sumMinor + 1n;
        const less = await faultOf(profile, payments, { sumMinor });
        assert.equal(less?.problem.code, 'sums_differ');
        for (const fault of [fewer, less]) {
          assert.equal(fault?.payment, undefined);
          assert.ok(!fault?.written.includes(last), 'the last payment was written');
        }
      });
    }
  }

  // Guarantee: it is clear which payment is wrong, and nothing of a wrong batch is written.
  test('names the payment', async () => {
    const wrong = [...some(2), aPayment({ payeeName: '' }, 3)];
    const fault = { payment: 3, problem: { code: 'name_empty', parameters: { text: 'payee_name' } }, written: '' };
    assert.deepEqual(await faultOf(sepa, wrong), fault);
    const twice = await faultOf(elixir0, [aPayment(), aPayment()]);
    assert.deepEqual([twice?.payment, twice?.problem.code], [2, 'reference_twice']);
    const before = await faultOf(polish, [aPayment({}, 2), aPayment({}, 1)]);
    assert.deepEqual([before?.payment, before?.problem.code], [2, 'reference_out_of_order']);
    const none = await faultOf(elixir0, []);
    assert.deepEqual([none?.payment, none?.problem.code], [undefined, 'no_payments']);
  });

  // Guarantee: what is said of it can be printed, and never has a whole account number.
  test('is named without what could mislead', async () => {
    const fault = await faultOf(sepa, [aPayment({ payeeIban: 'PL61109010140000071219812875' })]);
    assert.deepEqual(fault?.problem.parameters, { party: 'payee', ending: '2875' });
    const shown = await faultOf(sepa, some(1), { messageId: `\u202e${'x'.repeat(90)}` });
    assert.deepEqual(shown?.problem.parameters, { messageId: `?${'x'.repeat(59)}` });
  });
});

suite('what a profile decides', () => {
  const written = async (profile: BankProfile, batch?: PaymentBatch) =>
    decoded(await bytesOf(profile, [aPayment()], batch), profile);

  test('the version', async () => {
    assert.match(await written(sepa), /xsd:pain\.001\.001\.09".*<ReqdExctnDt><Dt>2026-11-19<\/Dt><\/ReqdExctnDt>/s);
    assert.match(await written(polish), /xsd:pain\.001\.001\.03".*<ReqdExctnDt>2026-11-19<\/ReqdExctnDt>/s);
  });

  test('the service level and the local instrument', async () => {
    assert.match(await written(sepa), /<PmtTpInf><SvcLvl><Cd>SEPA<\/Cd><\/SvcLvl><\/PmtTpInf>/);
    assert.doesNotMatch(await written(polish), /PmtTpInf|SEPA/);
    const express = { ...polish, serviceLevel: { code: 'URGP' }, localInstrument: { own: 'A&<B>' } };
    assert.match(
      await written(express),
      /<PmtTpInf><SvcLvl><Cd>URGP<\/Cd><\/SvcLvl><LclInstrm><Prtry>A&amp;&lt;B&gt;<\/Prtry><\/LclInstrm><\/PmtTpInf>/,
    );
  });

  test('charges, batch booking, and how the bank is named', async () => {
    assert.equal(elementOf(await written(sepa), 'ChrgBr'), 'SLEV');
    assert.equal(elementOf(await written(polish), 'ChrgBr'), 'SHAR');
    assert.match(await written({ ...polish, chargeBearer: null }), /<\/DbtrAgt>\n<CdtTrfTxInf>/);
    assert.equal(elementOf(await written(sepa), 'BtchBookg'), 'false');
    assert.equal(elementOf(await written({ ...sepa, bookedAsBatch: true }), 'BtchBookg'), 'true');
    assert.match(await written(sepa), /<FinInstnId><Othr><Id>NOTPROVIDED<\/Id><\/Othr><\/FinInstnId>/);
    assert.match(await written(polish), /<Cd>PLKNR<\/Cd><\/ClrSysId><MmbId>10901014<\/MmbId>/);
  });

  test('the time of the bank', async () => {
    assert.equal(elementOf(await written(sepa), 'CreDtTm'), '2026-11-19T09:15:30');
    assert.equal(elementOf(await written({ ...sepa, zone: 'UTC' }), 'CreDtTm'), '2026-11-19T08:15:30');
  });

  test('nobody’s address', async () => {
    for (const profile of profiles) assert.doesNotMatch(await written(profile), /PstlAdr|AdrLine/);
  });

  test('the fields of Elixir-0', async () => {
    const payment = aPayment({ amountMinor: 5n });
    const text = decoded(await bytesOf(elixir0, [payment]), elixir0);
    assert.deepEqual(elixirFields(text), [
      [
        ...['110', '20261119', '5', '10901014', '0', '61109010140000071219812874', '27114020040000300201355387'],
        ...['Grosz sp. z o.o.', 'Anna Nowak', '0', '11402004', `GROSZ ${payment.reference}|Payout of 19 November`],
        ...['', '', '51', ''],
      ],
    ]);
  });

  test('accounts in other countries', async () => {
    const [payment] = readPain(decoded(await bytesOf(sepa, [aPayment({ payeeIban: germanIban })]), sepa));
    assert.equal(payment?.payeeIban, germanIban);
    assert.equal((await faultOf(sepa, some(1), aBatch(polish)))?.problem.code, 'currency_differs');
  });
});

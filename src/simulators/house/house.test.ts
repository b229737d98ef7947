// The house bank as those see it who send files to it and read its statements.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { aPayment, batchOf, bytesOf, payeeIban, payerIban, referenceOf } from '../../../test/bankfiles/payments.ts';
import { TestClock } from '../../../test/support/clock.ts';
import { builtInProfiles, openBankFile, type StatementEnd, type StatementLine } from '../../bankfiles/index.ts';
import { type Arrived, HouseBank, type HouseFaults, houseAccount, NoStatement } from './house.ts';
import { OrderFault } from './payment-files.ts';

const payments = [1, 2, 3, 4].map((number) =>
  aPayment({ amountMinor: BigInt(number * 1_000), reference: referenceOf(number) }, number),
);
const createdAt = Temporal.Instant.from('2026-11-18T07:00:00Z');

const names = ['iso20022-pl', 'elixir0'] as const;
type Name = (typeof names)[number];

async function fileOf(name: Name, message = 'GROSZ-1'): Promise<Uint8Array> {
  const profile = builtInProfiles[name];
  return bytesOf(profile, payments, {
    ...batchOf(profile, payments),
    messageId: message,
    executeOn: '2026-11-18',
    createdAt,
  });
}

function aHouse(faults: HouseFaults = {}, arrived: readonly Arrived[] = []) {
  // A Wednesday.
  const clock = new TestClock('2026-11-18T08:00:00Z');
  const house = new HouseBank({ file: ':memory:', clock, arrived: async () => arrived });
  house.setFaults(faults);
  return { house, clock };
}

interface ReadBack {
  readonly lines: StatementLine[];
  readonly ends: StatementEnd[];
  readonly openings: (bigint | null)[];
  readonly encoding: string;
}

async function readBack(bytes: Uint8Array): Promise<ReadBack> {
  const file = await openBankFile(async function* () {
    yield bytes;
  });
  const lines: StatementLine[] = [];
  const ends: StatementEnd[] = [];
  const openings: (bigint | null)[] = [];
  for await (const parts of file.parts) {
    for (const part of parts) {
      if (part.kind === 'line') lines.push(part.line);
      else if (part.kind === 'end') ends.push(part.end);
      else if (part.kind === 'begin') openings.push(part.statement.openingMinor);
    }
  }
  return { lines, ends, openings, encoding: file.encoding };
}

const formats = ['camt053', 'mt940'] as const;

suite('the house bank', () => {
  test('has the account that payment files of tests name', () => assert.equal(houseAccount, payerIban));

  for (const name of names) {
    // Guarantee: what a file orders is on the statement of its day, once, with our reference, in both formats.
    test(`executes ${name}`, async () => {
      const { house, clock } = aHouse();
      assert.match(house.take(await fileOf(name)), /<GrpSts>ACTC<\/GrpSts>/);
      await assert.rejects(house.statement('2026-11-18', 'camt053'), NoStatement);
      clock.advance({ hours: 24 });
      for (const format of formats) {
        const { lines, ends } = await readBack(await house.statement('2026-11-18', format));
        assert.deepEqual(
          lines.map(({ amountMinor }) => amountMinor),
          [-1_000n, -2_000n, -3_000n, -4_000n, -50n],
        );
        assert.equal(ends[0]?.closingMinor, -10_050n);
        assert.ok(lines[0]?.text.replaceAll(' ', '').startsWith(`GROSZ${referenceOf(1)}`));
      }
    });
  }

  // Guarantee: a bank executes a file once, and only one that adds up and is its customer's.
  test('refuses a file again, with another sum, or of somebody else', async () => {
    const { house } = aHouse();
    const file = await fileOf('iso20022-pl');
    assert.match(house.take(file), /ACTC/);
    assert.match(house.take(file), /<GrpSts>RJCT<\/GrpSts><StsRsnInf><Rsn><Cd>AM05/);
    const changed = (from: string, to: string) => Buffer.from(Buffer.from(file).toString().replaceAll(from, to));
    assert.match(house.take(changed('100.00</CtrlSum>', '100.01</CtrlSum>')), /AM10/);
    assert.match(house.take(changed(payerIban, payeeIban)), /AC02/);
    for (const nonsense of ['', 'nothing', '<Document/>', '<!DOCTYPE a><Document/>'])
      assert.throws(() => house.take(Buffer.from(nonsense)), OrderFault, nonsense);
    // The same payments in another file.
    assert.equal(house.take(changed('GROSZ-1', 'GROSZ-2')).match(/AM05/g)?.length, 4);
  });

  // Guarantee: on days on which banks do not work nothing is executed.
  test('executes on Monday what comes on Saturday', async () => {
    const { house, clock } = aHouse();
    clock.advance({ hours: 72 });
    house.take(await fileOf('elixir0'));
    clock.advance({ hours: 72 });
    assert.equal((await readBack(await house.statement('2026-11-22', 'camt053'))).lines.length, 0);
    assert.equal((await readBack(await house.statement('2026-11-23', 'camt053'))).lines.length, 5);
  });

  // Guarantee: what an acquirer pays out arrives once, on its day.
  test('gets what acquirers pay out', async () => {
    const at = Temporal.Instant.from('2026-11-18T00:00:00Z');
    const { house, clock } = aHouse({}, [{ key: 'payout-1', minor: 500n, at }]);
    clock.advance({ hours: 48 });
    const first = await readBack(await house.statement('2026-11-18', 'mt940'));
    assert.deepEqual([first.lines[0]?.amountMinor, first.lines[0]?.text], [500n, 'PAYOUT payout-1']);
    assert.equal((await readBack(await house.statement('2026-11-19', 'mt940'))).lines.length, 0);
  });

  // Guarantee: each way to misbehave is seen in the files, and a file that is right still adds up.
  test('misbehaves by seed', async () => {
    const at = async (
      faults: HouseFaults['faults'],
      day = '2026-11-18',
      format: (typeof formats)[number] = 'camt053',
    ) => {
      const { house, clock } = aHouse({ seed: 7, ...(faults && { faults }) });
      const answer = house.take(await fileOf('iso20022-pl'));
      clock.advance({ hours: 24 * 5 });
      await house.statement('2026-11-18', format);
      return { answer, ...(await readBack(await house.statement(day, format))) };
    };
    const { answer, lines: left } = await at({ refused: 1 });
    assert.equal(answer.match(/<TxSts>RJCT/g)?.length, 4);
    assert.equal(left.length, 0);
    const returned = await at({ returned: 1 }, '2026-11-20');
    assert.deepEqual(
      returned.lines.map(({ amountMinor, returnReason, endToEndId }) => [amountMinor, returnReason, endToEndId]),
      [1, 2, 3, 4].map((number) => [BigInt(number * 1_000), 'AC04', referenceOf(number)]),
    );
    const batch = await at({ batchBooking: 1 });
    assert.deepEqual([batch.lines.length, batch.ends[0]?.entries], [5, 2]);
    assert.deepEqual((await at({ split: 1 })).openings, [0n, -6_000n]);
    assert.equal((await at({ overlapping: 1 }, '2026-11-19')).lines.length, 5);
    assert.equal((await at({ duplicate: 1 }, '2026-11-19')).openings.length, 2);
    await assert.rejects(at({ wrongSum: 1 }), /sums_differ/);
    assert.match((await at({ encoding: 1 }, '2026-11-18', 'mt940')).encoding, /windows-1250/i);
    await at({ split: 1, batchBooking: 1, duplicate: 1, returned: 1 }, '2026-11-20', 'mt940');
  });

  // Guarantee: the same seed and files make the same bytes, and so does the same question again.
  test('is deterministic', async () => {
    const run = async () => {
      const { house, clock } = aHouse({ seed: 'x', faults: { refused: 0.5, returned: 0.5, split: 0.5 } });
      const answer = house.take(await fileOf('elixir0'));
      clock.advance({ hours: 24 * 5 });
      const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
      const files: string[] = [];
      for (const day of [...days, ...days]) files.push(Buffer.from(await house.statement(day, 'camt053')).toString());
      assert.deepEqual(files.slice(0, 3), files.slice(3));
      return [answer, ...files];
    };
    assert.deepEqual(await run(), await run());
  });
});

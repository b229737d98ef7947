// What must be true of a payment file beyond its schema, decided for a batch and for a payment. Each rule has a code. What
// is found right is given back in the bank's characters.

import { decimalText, isUlid, localText } from '../../kernel/index.ts';
import { isIsoDate } from '../dates.ts';
import { encoderOf } from '../encoding.ts';
import { shownIn } from '../fault.ts';
import { namesOnly, referencesIn } from '../reference.ts';
import type { PaymentFileProblem } from './fault.ts';
import { countryOf, endingOf, ibanFault, isInSepa } from './iban.ts';
import { Alphabet } from './letters.ts';
import type { Payment, PaymentBatch } from './model.ts';
import type { BankProfile } from './profile.ts';

export interface Judged<Facts> {
  /** With names and titles in the bank's characters. */
  readonly written: Facts;
  readonly problems: readonly PaymentFileProblem[];
}

type Problems = PaymentFileProblem[];
type NameOf = 'payer_name' | 'payee_name';

/** Of every format: four lines of 35 characters, and as many in ISO 20022. */
const textAtMost = 140;
const messageIdShape = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,33}[A-Za-z0-9])?$/;
const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Between the fields of Elixir-0 and within them. */
const separator = /[",|]/;
const letterOrDigit = /[\p{L}\p{N}]/u;

interface Writing {
  readonly alphabet: Alphabet;
  /** What the profile allows and its encoding does not have. */
  readonly lacking: ReadonlySet<string>;
}

const writings = new WeakMap<BankProfile, Writing>();

function writingOf(profile: BankProfile): Writing {
  let writing = writings.get(profile);
  if (!writing) {
    const { has } = encoderOf(profile.encoding);
    const lacking = new Set([...profile.characters].filter((character) => !has(character)));
    writing = { alphabet: new Alphabet(profile.characters), lacking };
    writings.set(profile, writing);
  }
  return writing;
}

/** The text in the bank's characters. */
function judgeText(profile: BankProfile, text: NameOf | 'title', given: string, problems: Problems): string {
  const { alphabet, lacking } = writingOf(profile);
  const { text: written, unknown } = alphabet.spell(given);
  if (lineBreak.test(given)) problems.push({ code: 'line_break', parameters: { text } });
  if (unknown !== '') problems.push({ code: 'letters_unknown', parameters: { text, letters: unknown } });
  const atMost = Math.min(text === 'title' ? profile.titleAtMost : profile.nameAtMost, textAtMost);
  if (written.length > atMost) {
    problems.push({ code: 'text_too_long', parameters: { text, length: written.length, atMost } });
  }
  const [found] = profile.format === 'elixir-0' ? (separator.exec(written) ?? []) : [];
  if (found !== undefined) problems.push({ code: 'separator_in_text', parameters: { text, character: found } });
  const character = lacking.size === 0 ? undefined : [...written].find((one) => lacking.has(one));
  if (character !== undefined) {
    const { encoding } = profile;
    problems.push({ code: 'character_not_in_encoding', parameters: { text, character, encoding } });
  }
  return written;
}

function judgeName(profile: BankProfile, text: NameOf, given: string, problems: Problems): string {
  const written = judgeText(profile, text, given, problems);
  if (!letterOrDigit.test(written)) problems.push({ code: 'name_empty', parameters: { text } });
  return written;
}

function judgeAccount(profile: BankProfile, party: 'payer' | 'payee', iban: string, problems: Problems): void {
  const code = ibanFault(iban);
  if (code) {
    problems.push({ code, parameters: { party, ending: endingOf(iban) } });
    return;
  }
  const country = countryOf(iban);
  const { countries, name } = profile;
  const isServed = countries === 'SEPA' ? isInSepa(country) : countries.includes(country);
  if (!isServed) problems.push({ code: 'country_not_served', parameters: { party, country, profile: name } });
}

function judgeDay(profile: BankProfile, { createdAt, executeOn: day }: PaymentBatch, problems: Problems): void {
  if (!isIsoDate(day)) {
    problems.push({ code: 'execution_day_not_valid', parameters: { day } });
    return;
  }
  const created = localText(createdAt, profile.zone).slice(0, 10);
  const latest = Temporal.PlainDate.from(created).add({ years: 1 }).toString();
  if (day < created) problems.push({ code: 'execution_before_creation', parameters: { day, created } });
  if (day > latest) problems.push({ code: 'execution_too_late', parameters: { day, latest } });
}

function judgeSize(profile: BankProfile, { payments, sumMinor }: PaymentBatch, problems: Problems): void {
  if (!(Number.isSafeInteger(payments) && payments > 0)) {
    problems.push({ code: 'no_payments', parameters: {} });
    return;
  }
  const { paymentsAtMost: atMost } = profile;
  if (payments > atMost) problems.push({ code: 'too_many_payments', parameters: { payments, atMost } });
  if (sumMinor < BigInt(payments) || sumMinor > BigInt(payments) * profile.amountAtMostMinor) {
    problems.push({ code: 'sum_not_possible', parameters: { sum: decimalText(sumMinor), payments } });
  }
}

/** What is wrong with a file, as far as it is known before its first payment. */
export function judgeBatch(profile: BankProfile, batch: PaymentBatch): Judged<PaymentBatch> {
  const { messageId, currency } = batch;
  const problems: Problems = [];
  if (!messageIdShape.test(messageId)) problems.push({ code: 'message_id_not_valid', parameters: { messageId } });
  if (currency !== profile.currency) {
    problems.push({ code: 'currency_differs', parameters: { currency, expected: profile.currency } });
  }
  judgeSize(profile, batch, problems);
  judgeDay(profile, batch, problems);
  judgeAccount(profile, 'payer', batch.payerIban, problems);
  const payerName = judgeName(profile, 'payer_name', batch.payerName, problems);
  return { written: { ...batch, payerName }, problems };
}

function judgeAmount({ amountAtMostMinor }: BankProfile, amountMinor: bigint, problems: Problems): void {
  if (amountMinor <= 0n) {
    problems.push({ code: 'amount_not_positive', parameters: { amount: decimalText(amountMinor) } });
  } else if (amountMinor > amountAtMostMinor) {
    const [amount, atMost] = [decimalText(amountMinor), decimalText(amountAtMostMinor)];
    problems.push({ code: 'amount_too_large', parameters: { amount, atMost } });
  }
}

/** A statement may contain only the title, and of it only the first line: it must name this payment and no other. */
function judgeReference(reference: string, title: string, payeeName: string, problems: Problems): void {
  if (!isUlid(reference)) {
    problems.push({ code: 'reference_not_valid', parameters: { reference } });
    return;
  }
  if (!namesOnly(reference, title)) {
    const other = referencesIn(title).find((id) => id !== reference);
    problems.push(
      other === undefined
        ? { code: 'reference_not_first', parameters: { reference } }
        : { code: 'reference_of_another', parameters: { text: 'title', other } },
    );
  }
  const [other] = referencesIn(payeeName);
  if (other !== undefined) problems.push({ code: 'reference_of_another', parameters: { text: 'payee_name', other } });
}

/** What is wrong with a payment of this batch. */
export function judgePayment(
  profile: BankProfile,
  batch: Pick<PaymentBatch, 'payerIban'>,
  payment: Payment,
): Judged<Payment> {
  const { reference, amountMinor, payeeIban } = payment;
  const problems: Problems = [];
  const payeeName = judgeName(profile, 'payee_name', payment.payeeName, problems);
  const title = judgeText(profile, 'title', payment.title, problems);
  judgeReference(reference, title, payeeName, problems);
  judgeAmount(profile, amountMinor, problems);
  judgeAccount(profile, 'payee', payeeIban, problems);
  if (payeeIban === batch.payerIban) {
    problems.push({ code: 'payee_is_payer', parameters: { ending: endingOf(payeeIban) } });
  }
  return { written: { reference, amountMinor, payeeName, payeeIban, title }, problems };
}

/** Why a file of this profile cannot have a payment, before anything is written. */
export function paymentProblem(
  profile: BankProfile,
  payerIban: string,
  payment: Payment,
): PaymentFileProblem | undefined {
  const [problem] = judgePayment(profile, { payerIban }, payment).problems;
  return problem && shownIn(problem);
}

/**
 * References ascend. So none occurs twice, which is known without remembering them, and the same payments are always the
 * same bytes.
 */
export function orderProblem(before: string, reference: string): PaymentFileProblem | undefined {
  if (reference > before) return undefined;
  if (reference === before) return { code: 'reference_twice', parameters: { reference } };
  return { code: 'reference_out_of_order', parameters: { reference, before } };
}

/** What is known only after the last payment: whether the header told the truth. */
export function endProblem(batch: PaymentBatch, found: number, foundMinor: bigint): PaymentFileProblem | undefined {
  if (found !== batch.payments) return { code: 'payments_differ', parameters: { said: batch.payments, found } };
  if (foundMinor === batch.sumMinor) return undefined;
  const [said, sum] = [decimalText(batch.sumMinor), decimalText(foundMinor)];
  return { code: 'sums_differ', parameters: { said, found: sum } };
}

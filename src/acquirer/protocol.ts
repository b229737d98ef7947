// The protocol's messages (docs/acquirer.md): their JSON, and conversion from and to the port's types. A message that
// does not match its schema is rejected as a whole: the reader returns undefined.

import { Compile } from 'typebox/compile';
import { refundDeclineReasons } from '../../contract/codes/refund-declines.ts';
import { redirectKinds } from '../../contract/methods.ts';
import { type Static, Type } from '../../contract/schema.ts';
import { currencies, type Money, money, Secret } from '../kernel/index.ts';
import {
  type Callback,
  type CancelAnswer,
  type ChargeAnswer,
  type ChargeRequest,
  declineReasons,
  disputeStages,
  type FindAnswer,
  type Instrument,
  type RefundAnswer,
  type RefundRequest,
  type StatementAnswer,
  type StatementLine,
  type StatementRequest,
} from './port.ts';
import { instantFromWire, textOf, WireInstant, WireMoment } from './values.ts';

const WireMoney = Type.Object({
  minor: Type.Integer({ minimum: 0, maximum: 9_999_999_999_999 }),
  currency: Type.Enum([...currencies]),
});
const Reason = Type.Enum([...declineReasons]);
const Link = Type.Union([textOf({ maxLength: 2_048 }), Type.Null()]);
const Key = Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$' });
const Deadline = Type.Integer({ minimum: 1, maximum: 600_000 });

const approved = Type.Object({ kind: Type.Literal('approved'), amount: WireMoney });
const declined = Type.Object({ kind: Type.Literal('declined'), reason: Reason });
const waiting = Type.Object({ kind: Type.Literal('waiting'), link: Link });
function only<Kind extends string>(kind: Kind) {
  return Type.Object({ kind: Type.Literal(kind) });
}

/** `why` came later: an answer without it stays valid. */
const why = Type.Optional(Type.Enum([...refundDeclineReasons]));
const refundDeclined = Type.Object({ kind: Type.Literal('declined'), why });
const foundDeclined = Type.Object({ kind: Type.Literal('declined'), reason: Reason, why });

const turn = { iteration: Type.Integer({ minimum: 1 }), attempt: Type.Integer({ minimum: 1 }) };

const WireInstrument = Type.Union([
  Type.Object({
    kind: Type.Literal('blik'),
    code: Type.Union([Type.String({ maxLength: 32 }), Type.Null()]),
    aliases: Type.Array(
      Type.Object({
        value: Type.String({ maxLength: 256 }),
        type: Type.Enum(['UID', 'PAYID']),
        label: Type.String({ maxLength: 64 }),
      }),
      { maxItems: 10 },
    ),
  }),
  Type.Object({
    kind: Type.Literal('card'),
    number: Type.String({ maxLength: 32 }),
    expiry: Type.String({ maxLength: 16 }),
    code: Type.String({ maxLength: 8 }),
    recurring: Type.Optional(Type.Object(turn)),
  }),
  Type.Object({
    kind: Type.Literal('wallet'),
    network: Type.Enum(['Visa', 'Mastercard']),
    number: Type.String({ maxLength: 32 }),
    expiry: Type.String({ maxLength: 16 }),
    cryptogram: Type.String({ maxLength: 256 }),
    eci: Type.Union([Type.String({ maxLength: 2 }), Type.Null()]),
  }),
  Type.Object({ kind: Type.Literal('transfer'), bank: Type.Optional(Type.String({ maxLength: 64 })) }),
  Type.Object({ kind: Type.Enum(redirectKinds.filter((kind) => kind !== 'transfer')) }),
  Type.Object({
    kind: Type.Literal('recurring'),
    value: Type.String({ maxLength: 1_024 }),
    ...turn,
    blik: Type.Union([Type.Object({ model: Type.Enum(['A', 'M', 'O']), noDelay: Type.Boolean() }), Type.Null()]),
  }),
]);

const WireCharge = Type.Object({
  key: Key,
  merchant: Type.String({ minLength: 1, maxLength: 64 }),
  merchantName: Type.Optional(Type.String({ maxLength: 256 })),
  language: Type.Optional(Type.String({ maxLength: 8 })),
  initiator: Type.Enum(['payer', 'merchant']),
  amount: WireMoney,
  instrument: WireInstrument,
  description: Type.String({ maxLength: 1_024 }),
  payer: Type.Optional(Type.Object({ email: Type.String({ maxLength: 256 }), name: Type.String({ maxLength: 256 }) })),
  returnUrl: Type.String({ maxLength: 2_048 }),
  deadlineMilliseconds: Deadline,
});
const WireRefund = Type.Object({ key: Key, chargeKey: Key, amount: WireMoney, deadlineMilliseconds: Deadline });
const WireCancel = Type.Object({ key: Key, deadlineMilliseconds: Deadline });

/** A page of the largest statement must fit into `statementBytesAtMost`. */
export const statementLinesAtMost = 5_000;
const Cursor = Type.Union([textOf({ minLength: 1, maxLength: 512 }), Type.Null()]);
const WireStatement = Type.Object({
  from: WireInstant,
  to: WireInstant,
  after: Cursor,
  limit: Type.Integer({ minimum: 1, maximum: statementLinesAtMost }),
  deadlineMilliseconds: Deadline,
});
const moved = { key: Key, amount: WireMoney, at: WireMoment };
const WireLine = Type.Union([
  Type.Object({ kind: Type.Literal('capture'), ...moved }),
  Type.Object({ kind: Type.Literal('refund'), ...moved, chargeKey: Key }),
  Type.Object({ kind: Type.Literal('payout'), ...moved, fee: WireMoney }),
  Type.Object({ kind: Type.Literal('fee'), ...moved, chargeKey: Type.Union([Key, Type.Null()]) }),
  Type.Object({ kind: Type.Enum(['refundReturned', 'dispute', 'disputeWon']), ...moved, chargeKey: Key }),
  Type.Object({ kind: Type.Literal('payoutReturned'), ...moved }),
  Type.Object({
    kind: Type.Literal('other'),
    ...moved,
    what: textOf({ minLength: 1, maxLength: 128 }),
    taken: Type.Boolean(),
  }),
]);
const page = Type.Object({
  kind: Type.Literal('page'),
  // Each line is read by itself: one that cannot be read does not hide the others.
  lines: Type.Array(Type.Unknown(), { maxItems: statementLinesAtMost }),
  next: Cursor,
});

const wireCallbacks = {
  charge: Type.Object({
    kind: Type.Literal('charge'),
    key: Key,
    lookedUp: Type.Optional(Type.Literal(true)),
    result: Type.Union([approved, declined, only('canceled')]),
  }),
  refund: Type.Object({
    kind: Type.Literal('refund'),
    key: Key,
    result: Type.Union([only('approved'), refundDeclined, only('returned')]),
  }),
  dispute: Type.Object({
    kind: Type.Literal('dispute'),
    key: Key,
    result: Type.Object({
      kind: Type.Enum([...disputeStages]),
      chargeKey: Key,
      amount: WireMoney,
      reason: textOf({ maxLength: 128 }),
      respondUntil: Type.Union([WireMoment, Type.Null()]),
      at: Type.Optional(WireMoment),
    }),
  }),
};
const WireCallback = Type.Union([wireCallbacks.charge, wireCallbacks.refund, wireCallbacks.dispute]);

type WireMoney = Static<typeof WireMoney>;
type WireInstrument = Static<typeof WireInstrument>;
type WireAnswer = Static<typeof approved> | Static<typeof declined> | Static<typeof waiting> | { kind: string };

const chargeAnswers = Compile(Type.Union([approved, declined, waiting, only('notReached')]));
const refundAnswers = Compile(Type.Union([only('approved'), refundDeclined, only('waiting'), only('notReached')]));
const cancelAnswers = Compile(Type.Union([only('canceled'), only('tooLate'), only('notReached')]));
const findAnswers = Compile(
  Type.Union([approved, foundDeclined, waiting, only('canceled'), only('notFound'), only('notReached')]),
);
const charges = Compile(WireCharge);
const refunds = Compile(WireRefund);
const cancels = Compile(WireCancel);
const callbacks = Compile(WireCallback);
const callbacksByKind = {
  charge: Compile(wireCallbacks.charge),
  refund: Compile(wireCallbacks.refund),
  dispute: Compile(wireCallbacks.dispute),
};
const statements = Compile(WireStatement);
const statementLines = Compile(WireLine);
const statementAnswers = Compile(Type.Union([page, only('notReached')]));

function wireFromMoney(amount: Money): WireMoney {
  return { minor: Number(amount.minor), currency: amount.currency };
}

function moneyFromWire(amount: WireMoney): Money {
  return money(BigInt(amount.minor), amount.currency);
}

/** The only place where secrets are revealed, on their way to the acquirer. */
function wireFromInstrument(instrument: Instrument): WireInstrument {
  switch (instrument.kind) {
    case 'blik':
      return {
        kind: 'blik',
        code: instrument.code?.reveal() ?? null,
        aliases: instrument.aliases.map((alias) => ({ ...alias, value: alias.value.reveal() })),
      };
    case 'card': {
      const { number, expiry, code } = instrument.card;
      const card = { kind: 'card', number: number.reveal(), expiry: expiry.reveal(), code: code.reveal() } as const;
      return instrument.recurring ? { ...card, recurring: instrument.recurring } : card;
    }
    case 'wallet': {
      const { network, number, expiry, cryptogram, eci } = instrument.card;
      const card = { number: number.reveal(), expiry: expiry.reveal(), cryptogram: cryptogram.reveal() };
      return { kind: 'wallet', network, ...card, eci };
    }
    case 'recurring':
      return { ...instrument, value: instrument.value.reveal() };
    case 'fields':
    case 'saved':
      throw new Error('An acquirer over HTTP has no card fields of its own.');
    default:
      return instrument;
  }
}

function instrumentFromWire(instrument: WireInstrument): Instrument {
  switch (instrument.kind) {
    case 'blik':
      return {
        kind: 'blik',
        code: instrument.code === null ? null : new Secret(instrument.code),
        aliases: instrument.aliases.map((alias) => ({ ...alias, value: new Secret(alias.value) })),
      };
    case 'card': {
      const { number, expiry, code, recurring } = instrument;
      const card = { number: new Secret(number), expiry: new Secret(expiry), code: new Secret(code) };
      return { kind: 'card', card, ...(recurring ? { recurring } : {}) };
    }
    case 'wallet': {
      const { network, number, expiry, cryptogram, eci } = instrument;
      const card = { number: new Secret(number), expiry: new Secret(expiry), cryptogram: new Secret(cryptogram) };
      return { kind: 'wallet', card: { network, ...card, eci } };
    }
    case 'recurring':
      return { ...instrument, value: new Secret(instrument.value) };
    default:
      return instrument;
  }
}

export function wireFromCharge(request: ChargeRequest): Static<typeof WireCharge> {
  const { key, merchant, merchantName, language, initiator, description, payer, returnUrl } = request;
  const amount = wireFromMoney(request.amount);
  const instrument = wireFromInstrument(request.instrument);
  const shown = { ...(merchantName !== undefined && { merchantName }), ...(language !== undefined && { language }) };
  const said = { description, ...(payer && { payer }), returnUrl, deadlineMilliseconds: request.deadlineMilliseconds };
  return { key, merchant, ...shown, initiator, amount, instrument, ...said };
}

export function chargeFromWire(value: unknown): ChargeRequest | undefined {
  if (!charges.Check(value)) return undefined;
  return { ...value, amount: moneyFromWire(value.amount), instrument: instrumentFromWire(value.instrument) };
}

export function wireFromRefund(request: RefundRequest): Static<typeof WireRefund> {
  const { key, chargeKey, deadlineMilliseconds } = request;
  return { key, chargeKey, amount: wireFromMoney(request.amount), deadlineMilliseconds };
}

export function refundFromWire(value: unknown): RefundRequest | undefined {
  return refunds.Check(value) ? { ...value, amount: moneyFromWire(value.amount) } : undefined;
}

export function cancelFromWire(value: unknown): Static<typeof WireCancel> | undefined {
  return cancels.Check(value) ? value : undefined;
}

/** The JSON of any response: the same fields, with the amount in minor units. */
export function wireFromAnswer(answer: ChargeAnswer | RefundAnswer | CancelAnswer | FindAnswer): WireAnswer {
  return 'amount' in answer ? { kind: answer.kind, amount: wireFromMoney(answer.amount) } : answer;
}

export function chargeAnswerFromWire(value: unknown): ChargeAnswer | undefined {
  if (!chargeAnswers.Check(value)) return undefined;
  return value.kind === 'approved' ? { kind: 'approved', amount: moneyFromWire(value.amount) } : value;
}

export function refundAnswerFromWire(value: unknown): RefundAnswer | undefined {
  return refundAnswers.Check(value) ? value : undefined;
}

export function cancelAnswerFromWire(value: unknown): CancelAnswer | undefined {
  return cancelAnswers.Check(value) ? value : undefined;
}

export function findAnswerFromWire(value: unknown): FindAnswer | undefined {
  if (!findAnswers.Check(value)) return undefined;
  return value.kind === 'approved' ? { kind: 'approved', amount: moneyFromWire(value.amount) } : value;
}

export function wireFromCallback(callback: Callback): Static<typeof WireCallback> {
  switch (callback.kind) {
    case 'refund':
      return callback;
    case 'charge': {
      const { result, ...rest } = callback;
      if (result.kind !== 'approved') return { ...rest, result };
      return { ...rest, result: { kind: 'approved', amount: wireFromMoney(result.amount) } };
    }
    case 'dispute': {
      const { kind, key, result } = callback;
      const { at, ...news } = result;
      const respondUntil = result.respondUntil?.toString() ?? null;
      const said = { ...news, amount: wireFromMoney(result.amount), respondUntil };
      return { kind, key, result: at ? { ...said, at: at.toString() } : said };
    }
  }
}

export function callbackFromWire(value: unknown): Callback | undefined {
  if (!callbacks.Check(value)) return undefined;
  switch (value.kind) {
    case 'refund':
      return value;
    case 'charge': {
      const { result, ...rest } = value;
      if (result.kind !== 'approved') return { ...rest, result };
      return { ...rest, result: { kind: 'approved', amount: moneyFromWire(result.amount) } };
    }
    case 'dispute': {
      const { kind, key, result } = value;
      const respondUntil = result.respondUntil === null ? null : Temporal.Instant.from(result.respondUntil);
      const { kind: stage, chargeKey, reason, at } = result;
      const news = { kind: stage, chargeKey, amount: moneyFromWire(result.amount), reason, respondUntil };
      return { kind, key, result: at === undefined ? news : { ...news, at: Temporal.Instant.from(at) } };
    }
  }
}

/** What is wrong with a message that is no callback: the place, and nothing of what is there. */
export function callbackFault(value: unknown): { readonly field: string; readonly message: string } {
  const kind = Object.keys(callbacksByKind).find((one) => isOfKind(value, one)) as keyof typeof callbacksByKind;
  if (kind === undefined) return { field: 'kind', message: 'Must be charge, refund or dispute.' };
  const faults = callbacksByKind[kind].Errors(value);
  // Where one of several forms is expected, what is wrong with each of them says nothing.
  const { instancePath = '' } = faults.find(({ keyword }) => keyword === 'anyOf') ?? faults[0] ?? {};
  const fault = faults.find((one) => one.instancePath === instancePath && one.keyword !== 'type');
  const field = instancePath.slice(1).replaceAll('/', '.');
  const { message } = fault ?? { message: `must be as in a callback of the kind ${kind}` };
  return { field, message: `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.` };
}

function isOfKind(value: unknown, kind: string): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

export function wireFromStatement({ from, to, ...request }: StatementRequest): Static<typeof WireStatement> {
  return { ...request, from: from.toString(), to: to.toString() };
}

export function statementFromWire(value: unknown): StatementRequest | undefined {
  if (!statements.Check(value)) return undefined;
  const [from, to] = [instantFromWire(value.from), instantFromWire(value.to)];
  return from && to ? { ...value, from, to } : undefined;
}

export function wireFromStatementAnswer(answer: StatementAnswer): Static<typeof page> | { kind: string } {
  return answer.kind === 'page' ? { ...answer, lines: answer.lines.map(wireFromLine) } : answer;
}

export function statementAnswerFromWire(value: unknown): StatementAnswer | undefined {
  if (!statementAnswers.Check(value)) return undefined;
  if (value.kind === 'notReached') return value;
  const lines = value.lines.map(lineFromWire);
  const unreadable = lines.flatMap((line, index) => (line ? [] : [index + 1]));
  const page = { ...value, lines: lines.filter((line) => line !== undefined) };
  return unreadable.length > 0 ? { ...page, unreadable } : page;
}

function wireFromLine(line: StatementLine): Static<typeof WireLine> {
  const [amount, at] = [wireFromMoney(line.amount), line.at.toString()];
  return line.kind === 'payout' ? { ...line, amount, at, fee: wireFromMoney(line.fee) } : { ...line, amount, at };
}

function lineFromWire(line: unknown): StatementLine | undefined {
  if (!statementLines.Check(line)) return undefined;
  const [amount, at] = [moneyFromWire(line.amount), Temporal.Instant.from(line.at)];
  return line.kind === 'payout' ? { ...line, amount, at, fee: moneyFromWire(line.fee) } : { ...line, amount, at };
}

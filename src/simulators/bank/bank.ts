// How the bank handles a request, inside one transaction of its record. Idempotent by key: a repeated request finds the
// row of the first one and is answered from it.

import type { RefundDeclineReason } from '../../../contract/codes/refund-declines.ts';
import type {
  Callback,
  CancelAnswer,
  ChargeAnswer,
  ChargeRequest,
  DeclineReason,
  FindAnswer,
  RefundAnswer,
  RefundRequest,
} from '../../acquirer/index.ts';
import { wireFromCallback } from '../../acquirer/index.ts';
import { type Money, money } from '../../kernel/index.ts';
import { type Clock, type Random, randomText } from '../../runtime/index.ts';
import type { Strike } from './faults.ts';
import { Misbehavior } from './misbehavior.ts';
import { mannerOf, type Outcome, outcomeOf } from './outcome.ts';
import {
  amountOf,
  disputeCallback,
  disputeKey,
  notDue,
  otherLine,
  refundCallback,
  refundDeclined,
  unheardCharge,
} from './rows.ts';
import type { PaidOut } from './statement.ts';
import type { ChargeRow, DisputeRow, RefundRow, Store } from './store.ts';

/** A response, and how it is delivered. */
export interface Reply<Answer> {
  readonly answer: Answer;
  /** It never arrives: the caller times out. */
  readonly lost: boolean;
  readonly delayMilliseconds: number;
}

export type Choice = 'confirm' | 'refuse';

export interface BankOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Base URL of the bank's pages: `{pagesUrl}/confirm/{linkId}`. */
  readonly pagesUrl: string;
}

const blikTimeoutMilliseconds = 120_000;
const slowMilliseconds = 3_000;
const dueAtMost = 500;

/** 1.4 %, rounded half up, and 0.25; never more than the capture. */
const feeOf = (minor: number) => Math.min(minor, Math.floor((minor * 140 + 5_000) / 10_000) + 25);

const payoutFeeMinor = 100;
const disputeFeeMinor = 1_500;

const foreign: Outcome = { kind: 'declined', reason: 'instrument invalid' };

const notReached = { answer: { kind: 'notReached' }, lost: false, delayMilliseconds: 0 } as const;
const neverArrived = { answer: { kind: 'unknown' }, lost: true, delayMilliseconds: 0 } as const;

/** What the bank will do later by itself. */
function dueOf(outcome: Outcome, at: number): Pick<ChargeRow, 'dueAt' | 'dueState' | 'dueReason'> {
  if (outcome.kind === 'timesOut')
    return { dueAt: at + blikTimeoutMilliseconds, dueState: 'declined', dueReason: 'timed out' };
  if (outcome.kind !== 'later') return notDue;
  const dueState = outcome.reason === null ? 'approved' : 'declined';
  return { dueAt: at + outcome.milliseconds, dueState, dueReason: outcome.reason };
}

function refusal(struck: Strike | undefined): RefundDeclineReason | null {
  if (!struck) return null;
  return struck.share < 0.5 ? 'no_funds' : 'refused';
}

export class Bank {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #pagesUrl: string;
  readonly #misbehavior: Misbehavior;
  #now = 0;

  constructor(options: BankOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#pagesUrl = options.pagesUrl;
    this.#misbehavior = new Misbehavior(options.store);
  }

  /**
   * Begins a transaction: reads the time and the faults, and settles what became due, so that nobody sees a stale
   * state.
   */
  begin(): void {
    this.#now = this.#clock.now().epochMilliseconds;
    this.#misbehavior.begin();
    this.#settleDue();
  }

  charge(request: ChargeRequest): Reply<ChargeAnswer> {
    const { key, instrument } = request;
    if (this.#misbehavior.isAway(key, this.#now)) return notReached;
    if (this.#misbehavior.isLost('charge', key, this.#now)) return neverArrived;
    const manner = mannerOf(instrument);
    if (manner.unreachable && this.#store.meetMishap('unreachable value', key, this.#now).first) return notReached;
    const made = this.#newCharge(request);
    const isNew = this.#store.insertCharge(made);
    const row = isNew ? made : this.#existingCharge(key);
    if (isNew) this.#registerAliases(request, row);
    if (isNew) this.#repeatByCallback(row);
    if (isNew && row.state === 'approved') this.#followCapture(row);
    return {
      answer: this.#chargeAnswer(row),
      lost: isNew && (manner.lostAnswer || this.#misbehavior.strike('lostAnswer', key) !== undefined),
      delayMilliseconds: manner.slow ? slowMilliseconds : (this.#misbehavior.strike('slow', key)?.milliseconds ?? 0),
    };
  }

  refund(request: RefundRequest): Reply<RefundAnswer> {
    const { key } = request;
    if (this.#misbehavior.isAway(key, this.#now)) return notReached;
    if (this.#misbehavior.isLost('refund', key, this.#now)) return neverArrived;
    const known = this.#store.findRefund(key);
    const row = known ?? this.#newRefund(request);
    if (known === undefined) {
      this.#store.insertRefund(row);
      if (row.state === 'approved') this.#followRefund(row, this.#now);
      if (row.state !== 'waiting' && this.#misbehavior.strike('duplicateCallback', key))
        this.#queueCallback(refundCallback(row), this.#now);
    }
    return {
      answer: row.state === 'declined' ? refundDeclined(row) : { kind: row.state },
      lost: known === undefined && this.#misbehavior.strike('lostAnswer', key) !== undefined,
      delayMilliseconds: this.#misbehavior.strike('slow', key)?.milliseconds ?? 0,
    };
  }

  cancel(key: string): Reply<CancelAnswer> {
    if (this.#misbehavior.isAway(key, this.#now)) return notReached;
    if (this.#misbehavior.isLost('cancel', key, this.#now)) return neverArrived;
    const row = this.#store.findCharge(key);
    const changes = row === undefined || row.state === 'waiting';
    if (row === undefined) this.#store.insertCharge(unheardCharge(key, this.#now));
    else if (row.state === 'waiting') this.#cancelWaiting(row);
    return {
      answer: { kind: changes || row?.state === 'canceled' ? 'canceled' : 'tooLate' },
      lost: changes && this.#misbehavior.strike('lostAnswer', key) !== undefined,
      delayMilliseconds: this.#misbehavior.strike('slow', key)?.milliseconds ?? 0,
    };
  }

  findCharge(key: string): FindAnswer {
    if (this.#misbehavior.isAway(key, this.#now)) return { kind: 'notReached' };
    const row = this.#store.findCharge(key);
    switch (row?.state) {
      case undefined:
        return { kind: 'notFound' };
      case 'approved':
        return { kind: 'approved', amount: amountOf(row) };
      case 'declined':
        return { kind: 'declined', reason: row.reason ?? 'internal error' };
      case 'waiting':
        return { kind: 'waiting', link: this.#linkOf(row) };
      case 'canceled':
        return { kind: 'canceled' };
    }
  }

  findRefund(key: string): FindAnswer {
    if (this.#misbehavior.isAway(key, this.#now)) return { kind: 'notReached' };
    const row = this.#store.findRefund(key);
    switch (row?.state) {
      case undefined:
        return { kind: 'notFound' };
      case 'approved':
        // What came back is not with the payer.
        if (this.#store.hasMove('refundReturned', key, this.#now))
          return { kind: 'declined', reason: 'internal error' };
        return { kind: 'approved', amount: amountOf(row) };
      case 'declined':
        return { ...refundDeclined(row), reason: 'internal error' };
      case 'waiting':
        return { kind: 'waiting', link: null };
    }
  }

  /** Records the payer's choice on the bank's page. The first choice is final; later ones change nothing. */
  choose(linkId: string, choice: Choice): ChargeRow | undefined {
    const row = this.#store.findChargeByLink(linkId);
    if (row?.state !== 'waiting') return row;
    if (choice === 'confirm') return this.#settle(row, 'approved', null, this.#now);
    return this.#settle(row, 'declined', 'payer rejected', this.#now);
  }

  #newCharge(request: ChargeRequest): ChargeRow {
    const { key, amount, instrument, description, returnUrl } = request;
    const outcome = this.#isForeignAlias(request) ? foreign : outcomeOf(this.#knownAliases(request), this.#clock.now());
    const at = request.at?.epochMilliseconds ?? this.#now;
    return {
      key,
      amountMinor: Number(amount.minor),
      currency: amount.currency,
      kind: instrument.kind,
      cardTail: 'card' in instrument ? instrument.card.number.reveal().slice(-4) : null,
      description,
      returnUrl,
      merchantName: request.merchantName ?? null,
      language: request.language ?? null,
      bank: instrument.kind === 'transfer' ? (instrument.bank ?? null) : null,
      linkId: outcome.kind === 'confirms' ? randomText(this.#random, 32) : null,
      state: outcome.kind === 'approved' || outcome.kind === 'declined' ? outcome.kind : 'waiting',
      reason: outcome.kind === 'declined' ? outcome.reason : null,
      createdAt: at,
      capturedAt: outcome.kind === 'approved' ? at : null,
      canceledAt: null,
      ...dueOf(outcome, at),
    };
  }

  /** By confirming the code the payer also registered the aliases under which the bank may be charged later. */
  #registerAliases({ key, merchant, instrument }: ChargeRequest, row: ChargeRow): void {
    if (instrument.kind !== 'blik' || row.state !== 'approved') return;
    for (const { value, type, label } of instrument.aliases) {
      this.#store.insertAlias({ merchant, value: value.reveal(), type, label, chargeKey: key }, this.#now);
    }
  }

  /**
   * An alias may be charged only by the merchant that its payer registered it for. Unregistered values belong to
   * nobody.
   */
  #isForeignAlias({ merchant, instrument }: ChargeRequest): boolean {
    if (instrument.kind !== 'recurring' || !instrument.blik) return false;
    const owners = this.#store.listAliasMerchants(instrument.value.reveal());
    return owners.length > 0 && !owners.includes(merchant);
  }

  /** Without a code only aliases that the payer registered for this merchant count. */
  #knownAliases(request: ChargeRequest): ChargeRequest {
    const { merchant, instrument } = request;
    if (instrument.kind !== 'blik' || instrument.code) return request;
    const aliases = instrument.aliases.filter(({ value }) =>
      this.#store.listAliasMerchants(value.reveal()).includes(merchant),
    );
    return { ...request, instrument: { ...instrument, aliases } };
  }

  /** Approved if the charge was captured in this currency and enough of it is left. */
  #newRefund(request: RefundRequest): RefundRow {
    const { key, chargeKey, amount } = request;
    const charge = this.#store.findCharge(chargeKey);
    const left =
      charge?.state === 'approved' && charge.currency === amount.currency
        ? charge.amountMinor - this.#store.sumRefunds(chargeKey, this.#now) - this.#store.findDisputed(chargeKey)
        : 0;
    const fits = amount.minor > 0n && amount.minor <= BigInt(left);
    const refused = this.#misbehavior.strike('refusedRefund', key);
    const decided = fits && !refused ? 'approved' : 'declined';
    const waiting = this.#misbehavior.strike('waitingRefund', key);
    return {
      key,
      chargeKey,
      amountMinor: Number(amount.minor),
      currency: amount.currency,
      state: waiting ? 'waiting' : decided,
      createdAt: this.#now,
      refundedAt: decided === 'approved' && !waiting ? this.#now : null,
      dueAt: waiting ? this.#now + waiting.milliseconds : null,
      dueState: waiting ? decided : null,
      why: fits ? refusal(refused) : this.#whyNot(charge),
    };
  }

  /** Why a refund does not fit. */
  #whyNot(charge: ChargeRow | undefined): RefundDeclineReason {
    if (charge?.state !== 'approved') return 'refused';
    return this.#store.findDisputed(charge.key) > 0 ? 'disputed' : 'already_refunded';
  }

  #cancelWaiting(row: ChargeRow): void {
    const success = this.#misbehavior.strike('successAfterCancel', row.key);
    const later = success && {
      dueAt: this.#now + success.milliseconds,
      dueState: 'approved' as const,
      dueReason: null,
    };
    this.#store.updateCharge({ ...row, state: 'canceled', canceledAt: this.#now, ...(later ?? notDue) });
  }

  #settleDue(): void {
    for (const row of this.#all((limit) => this.#store.listDueCharges(this.#now, limit))) {
      if (row.dueAt !== null && row.dueState !== null) this.#settle(row, row.dueState, row.dueReason, row.dueAt);
    }
    for (const row of this.#all((limit) => this.#store.listDueRefunds(this.#now, limit))) {
      if (row.dueAt === null || row.dueState === null) continue;
      this.#store.updateRefund(row.key, row.dueState, row.dueState === 'approved' ? row.dueAt : null);
      this.#queueCallback(refundCallback({ ...row, state: row.dueState }), row.dueAt);
      if (row.dueState === 'approved') this.#followRefund(row, row.dueAt);
    }
    for (const row of this.#all((limit) => this.#store.listDueDisputes(this.#now, limit))) this.#dispute(row);
  }

  /** Yields rows batch by batch until none is left; the caller must settle each row before it takes the next. */
  *#all<Row>(list: (limit: number) => Row[]): Generator<Row> {
    for (let rows = list(dueAtMost); rows.length > 0; rows = rows.length < dueAtMost ? [] : list(dueAtMost))
      yield* rows;
  }

  /** Makes a charge final and schedules its callback. */
  #settle(row: ChargeRow, state: 'approved' | 'declined', reason: DeclineReason | null, at: number): ChargeRow {
    const settled: ChargeRow = { ...row, ...notDue, state, reason, capturedAt: state === 'approved' ? at : null };
    this.#store.updateCharge(settled);
    if (state === 'approved') this.#followCapture(settled);
    const callback = this.#chargeCallback(settled);
    if (callback) this.#queueCallback(callback, at);
    return settled;
  }

  /** What a capture brings about besides. */
  #followCapture({ key, amountMinor, currency, capturedAt }: ChargeRow): void {
    const at = capturedAt ?? this.#now;
    if (this.#misbehavior.strike('chargeFee', key)) {
      const owedMinor = -feeOf(amountMinor);
      this.#store.insertMove({ kind: 'fee', key: `${key}-fee`, chargeKey: key, owedMinor, currency, what: null, at });
    }
    const other = this.#misbehavior.strike('otherLine', key);
    if (other) this.#store.insertMove(otherLine(key, currency, other, at));
    const dispute = this.#misbehavior.strike('disputedCharge', key);
    if (dispute) {
      const due = { dueAt: at + dispute.milliseconds, dueState: 'opened' } as const;
      this.#store.saveDispute({ key, state: 'planned', amountMinor: 0, ...due });
    }
  }

  /** The payer's bank takes back what is left, and then it is won, lost, or stays as it is. */
  #dispute(row: DisputeRow): void {
    const { key, dueState: state, dueAt } = row;
    const charge = this.#existingCharge(key);
    const at = dueAt ?? this.#now;
    if (state === null) return;
    const isOpening = state === 'opened';
    const amountMinor = isOpening ? charge.amountMinor - this.#store.sumRefunds(key, at) : row.amountMinor;
    if (amountMinor <= 0) {
      this.#store.saveDispute({ ...row, state: 'spared', dueAt: null, dueState: null });
      return;
    }
    const next = isOpening ? this.#endOf(key, at) : { dueAt: null, dueState: null };
    this.#store.saveDispute({ key, state, amountMinor, ...next });
    const { currency } = charge;
    const moved = { key: disputeKey(key), chargeKey: key, currency, what: null, at };
    if (isOpening) {
      this.#store.insertMove({ ...moved, kind: 'dispute', owedMinor: -amountMinor });
      this.#store.insertMove({ ...moved, kind: 'fee', key: `${moved.key}-fee`, owedMinor: -disputeFeeMinor });
    }
    if (state === 'won') this.#store.insertMove({ ...moved, kind: 'disputeWon', owedMinor: amountMinor });
    this.#queueCallback(disputeCallback({ ...charge, amountMinor }, state, at, next.dueAt), at);
  }

  #endOf(key: string, openedAt: number): Pick<DisputeRow, 'dueAt' | 'dueState'> {
    const { milliseconds = 0, share = 1 } = this.#misbehavior.strike('disputedCharge', key) ?? {};
    if (share >= 0.8) return { dueAt: null, dueState: null };
    return { dueAt: openedAt + milliseconds, dueState: share < 0.4 ? 'won' : 'lost' };
  }

  /** It may cost something, and may come back without what the bank kept. */
  followPayout({ key, amountMinor: owedMinor, at }: PaidOut): void {
    if (this.#misbehavior.strike('payoutFee', key)) {
      const fee = { kind: 'fee', key: `${key}-fee`, chargeKey: null, owedMinor: -payoutFeeMinor } as const;
      this.#store.insertMove({ ...fee, currency: 'PLN', what: null, at });
    }
    const back = this.#misbehavior.strike('returnedPayout', key);
    if (!back) return;
    const move = { kind: 'payoutReturned', key, chargeKey: null, owedMinor, currency: 'PLN', what: null } as const;
    this.#store.insertMove({ ...move, at: at + back.milliseconds });
  }

  /** It may come back: then the bank has the money again, and says so. */
  #followRefund({ key, chargeKey, amountMinor, currency }: RefundRow, refundedAt: number): void {
    const back = this.#misbehavior.strike('returnedRefund', key);
    if (!back) return;
    const at = refundedAt + back.milliseconds;
    this.#store.insertMove({
      kind: 'refundReturned',
      key,
      chargeKey,
      owedMinor: amountMinor,
      currency,
      what: null,
      at,
    });
    this.#queueCallback({ kind: 'refund', key, result: { kind: 'returned' } }, at);
  }

  /** With duplicate callbacks switched on, even an immediate result is repeated by callback. */
  #repeatByCallback(row: ChargeRow): void {
    if (row.state === 'waiting' || !this.#misbehavior.strike('duplicateCallback', row.key)) return;
    const callback = this.#chargeCallback(row);
    if (callback) this.#queueCallback(callback, this.#now);
  }

  #queueCallback(callback: Callback, at: number): void {
    const body = JSON.stringify(wireFromCallback(callback));
    const event = `${callback.key} ${callback.kind} ${callback.result.kind}`;
    const late = this.#misbehavior.strike('lateCallback', event)?.milliseconds ?? 0;
    const delayed = this.#misbehavior.strike('reorderedCallbacks', event);
    const dueAt = at + late + (delayed ? Math.round(delayed.milliseconds * delayed.share) : 0);
    this.#store.insertCallback(callback.key, body, dueAt);
    if (this.#misbehavior.strike('duplicateCallback', callback.key))
      this.#store.insertCallback(callback.key, body, dueAt);
  }

  #chargeCallback(row: ChargeRow): Callback | undefined {
    const { key } = row;
    if (row.state === 'approved')
      return { kind: 'charge', key, result: { kind: 'approved', amount: this.#reportedAmount(row) } };
    if (row.state === 'canceled') return { kind: 'charge', key, result: { kind: 'canceled' } };
    if (row.state === 'waiting') return undefined;
    return { kind: 'charge', key, result: { kind: 'declined', reason: row.reason ?? 'internal error' } };
  }

  #chargeAnswer(row: ChargeRow): ChargeAnswer {
    switch (row.state) {
      case 'approved':
        return { kind: 'approved', amount: this.#reportedAmount(row) };
      case 'waiting':
        return { kind: 'waiting', link: this.#linkOf(row) };
      case 'declined':
        return { kind: 'declined', reason: row.reason ?? 'internal error' };
      // Canceled before it arrived, or repeated after its cancel: it will never capture.
      case 'canceled':
        return { kind: 'declined', reason: 'internal error' };
    }
  }

  /** The amount that the bank reports: the captured one, unless the fault `wrongAmount` strikes. */
  #reportedAmount(row: ChargeRow): Money {
    const wrong = this.#misbehavior.strike('wrongAmount', row.key);
    const { minor, currency } = amountOf(row);
    if (!wrong) return money(minor, currency);
    const off = 1n + BigInt(Math.floor(wrong.share * 1_000));
    return money(off % 2n === 0n && minor > off ? minor - off : minor + off, currency);
  }

  #linkOf(row: ChargeRow): string | null {
    return row.linkId === null ? null : `${this.#pagesUrl}/confirm/${row.linkId}`;
  }

  #existingCharge(key: string): ChargeRow {
    const row = this.#store.findCharge(key);
    if (!row) throw new Error('A charge that is in the record could not be read.');
    return row;
  }
}

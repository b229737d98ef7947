// Pure decisions about transactions (docs/decisions/0003 and docs/decisions/0006).

import { hash } from 'node:crypto';
import {
  afterChargeResult,
  type ChargeFacts,
  type ChargeResult,
  type ChargeStep,
  isOpen,
  type Patience,
} from '../banking/index.ts';
import { type Fault, joined, type Period, Refusal, ulid, ulidFromDigest, ulidTime } from '../kernel/index.ts';
import { enabledMethod, type Method, methodOf } from '../methods/index.ts';
import { channelPassedWithGroup } from './failures.ts';
import type { Edge, PaymentMethod, PayRequest, SixHourBuckets, TransactionStatus } from './model.ts';

function namedChannel({ channelId, groupId }: PayRequest, enabled: readonly number[]): Method | undefined {
  if (channelId !== undefined) return enabledMethod(enabled, { id: channelId });
  return groupId === undefined ? undefined : enabledMethod(enabled, { groupId });
}

/**
 * What is wrong with the choice: at most one fault. Only enabled channels may be named, and by one name. `prefix` is
 * the path of the choice in the body: `pay.` in E1, empty in E2.
 */
export function methodFaults(request: PayRequest | undefined, enabled: readonly number[], prefix: string): Fault[] {
  const { channelId, groupId } = request ?? {};
  if (channelId !== undefined && groupId !== undefined)
    return [
      {
        ...channelPassedWithGroup,
        field: `${prefix}channelId`,
        message: `${prefix}channelId and ${prefix}groupId cannot be used together.`,
        devMessage: `Send either ${prefix}channelId or ${prefix}groupId.`,
      },
    ];
  if (!request || (channelId === undefined && groupId === undefined) || namedChannel(request, enabled)) return [];
  const message = 'Does not exist or is not enabled for the account.';
  const devMessage = 'GET /transactions/channels lists the enabled channels with their groups.';
  const field = channelId === undefined ? `${prefix}groupId` : `${prefix}channelId`;
  return [{ code: 'not_valid', field, message, devMessage }];
}

/** How a paid transaction was paid: as it said itself, else as its method is paid (docs/api.md#paying-on-site). */
export function methodPaid(chosen: PaymentMethod | null, channelId: number): PaymentMethod {
  const isByLink = chosen === null || chosen === 'pay_by_link';
  if (!isByLink) return chosen;
  return methodOf(channelId)?.paidAs ?? 'pay_by_link';
}

/** The chosen channel; undefined if the payer chooses. */
export function chooseChannel(
  request: PayRequest | undefined,
  enabled: readonly number[],
  prefix = 'pay.',
): Method | undefined {
  const faults = methodFaults(request, enabled, prefix);
  if (faults.length > 0) throw new Refusal(faults);
  return request && namedChannel(request, enabled);
}

/** The same payer of the same merchant has the same id: it is derived from a digest of both. */
export function payerIdFrom(digest: string): string {
  return ulidFromDigest(digest);
}

/** The URL of the pay page, with an unguessable key. */
export function payPageUrl(baseUrl: string, transaction: { readonly id: string; readonly payKey: string }): string {
  return joined(baseUrl, '/pay/', transaction.id, '.', transaction.payKey);
}

/** Decides the effect of a result: the first payment that succeeds counts, any other is returned to the payer. */
export function afterResult(attempt: ChargeFacts, transaction: TransactionStatus, result: ChargeResult): ChargeStep {
  const news = afterChargeResult(attempt, result);
  switch (news.kind) {
    case 'captured':
      return afterCapture(isOpen(attempt.state), transaction);
    case 'declined':
      return { kind: 'failed', reason: news.reason };
    case 'notSent':
      // A request repeated after a crash says nothing about the one before it, which may have been captured.
      if (attempt.state !== 'sent') return { kind: 'look', because: 'unknown' };
      return { kind: 'failed', reason: news.triesNext ? triedElsewhere : 'internal error' };
    default:
      return news;
  }
}

/** Why a charge ended that its acquirer never got and another one was asked for: the payment is not declined. */
export const triedElsewhere = 'not reached';

/** Whether a result says to the merchant and the payer that a charge was declined. */
export function isDecline(step: ChargeStep): boolean {
  return step.kind === 'failed' && step.reason !== triedElsewhere;
}

/**
 * The key of the charge after one that its acquirer never got: the same, however often the request is run, so that each
 * run goes on with the last of them.
 */
export function nextChargeId(id: string): string {
  return ulid(ulidTime(id), hash('sha256', `next acquirer\n${id}`, 'buffer'));
}

function afterCapture(open: boolean, transaction: TransactionStatus): ChargeStep {
  if (open) return transaction === 'pending' ? { kind: 'correct' } : { kind: 'giveBack', final: 'surplus' };
  // Failed or canceled for us, captured by the bank: the state stays, the money is returned.
  return { kind: 'giveBack', final: undefined };
}

/** A waiting attempt is settled by callback; lookups are for lost callbacks. */
export const waitingLook = Temporal.Duration.from({ minutes: 5 });

/** Until then the request itself gets the response, or is dead; the money of a dead one is found within 20 s. */
export const ownTime = Temporal.Duration.from({ seconds: 15 });

/** A request may take 20 s; after a day the payer will not return, and it is canceled at the bank. */
export const patience: Patience = {
  bankTime: Temporal.Duration.from({ seconds: 30 }),
  timesNotFound: 2,
  waitingAtMost: Temporal.Duration.from({ hours: 24 }),
};

const bucketMilliseconds = 6 * 3_600_000;

/** The start of the six-hour bucket of an instant, like `six_hour_bucket_of` in the database. */
function sixHourBucketOf(instant: Temporal.Instant): Temporal.Instant {
  const { epochMilliseconds } = instant;
  return Temporal.Instant.fromEpochMilliseconds(
    Math.floor(epochMilliseconds / bucketMilliseconds) * bucketMilliseconds,
  );
}

/** The first bucket that begins at an instant or later. */
function firstBucketFrom(from: Temporal.Instant): Temporal.Instant {
  const begun = sixHourBucketOf(from);
  return begun.equals(from) ? begun : begun.add({ milliseconds: bucketMilliseconds });
}

/** The part of one bucket, if there is any. */
function edgeOf(from: Temporal.Instant, to: Temporal.Instant): Edge[] {
  return from.equals(to) ? [] : [{ sixHourBucket: sixHourBucketOf(from), from, to }];
}

/** Splits a period into whole buckets and the partial buckets at its ends. */
export function sixHourBucketsOf({ from, to }: Period): SixHourBuckets {
  const [first, end] = [from && firstBucketFrom(from), to && sixHourBucketOf(to)];
  if (from && to && Temporal.Instant.compare(firstBucketFrom(from), sixHourBucketOf(to)) > 0)
    return { first, end, edges: edgeOf(from, to) };
  const edgeBefore = from ? edgeOf(from, firstBucketFrom(from)) : [];
  const edgeAfter = to ? edgeOf(sixHourBucketOf(to), to) : [];
  return { first, end, edges: [...edgeBefore, ...edgeAfter] };
}

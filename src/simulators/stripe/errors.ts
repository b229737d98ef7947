// What the API says when it refuses. Status, type and code are the provider's; the sentences are ours.

import type { Stripe } from 'stripe';

export type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorBody {
  readonly type: ErrorType;
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: Stripe.PaymentIntent;
  readonly setup_intent?: Stripe.SetupIntent;
  readonly payment_method?: Stripe.PaymentMethod;
}

export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export function invalid(message: string, more: Omit<ErrorBody, 'type' | 'message'> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...more });
}

/** Found before anything began, so that no idempotency key keeps it. */
export class InvalidParameter extends ApiError {
  constructor(code: string, param: string, message: string) {
    super(400, { type: 'invalid_request_error', code, param, message });
  }
}

export function missing(kind: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `There is no ${kind} '${id}' for this key.`,
  });
}

export function wrongState(intent: Stripe.PaymentIntent, verb: string): ApiError {
  return invalid(`This PaymentIntent cannot be ${verb}: its status is ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  });
}

export const unavailable = () =>
  new ApiError(500, { type: 'api_error', message: 'Something went wrong inside the provider.' });

export const tooMany = (code: 'rate_limit' | 'lock_timeout') =>
  new ApiError(429, {
    type: 'invalid_request_error',
    code,
    message: code === 'rate_limit' ? 'Too many requests.' : 'Another request holds this object.',
  });

export const keyInUse = () =>
  new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: 'A request with this idempotency key is still running.',
  });

export const keyReused = (message: string) => new ApiError(400, { type: 'idempotency_error', message });

// Balance transactions, refunds, disputes and payouts as the API shows them when they are new.

import type { Stripe } from 'stripe';
import type { Method } from '../amounts.ts';

export interface NewLine {
  readonly id: string;
  readonly created: number;
  readonly availableOn: number;
  readonly amount: number;
  readonly currency: string;
  readonly rate: number | null;
  readonly fee: number;
  readonly type: Stripe.BalanceTransaction.Type;
  readonly category: string;
  readonly source: string | null;
  readonly description: string | null;
}

export function newLine(line: NewLine): Stripe.BalanceTransaction {
  const { id, created, amount, currency, fee, type, source, description } = line;
  const detail = { amount: fee, application: null, currency, description: 'Processing fees', type: 'stripe_fee' };
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: line.availableOn,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate: line.rate,
    fee,
    fee_details: fee === 0 ? [] : [detail],
    net: amount - fee,
    reporting_category: line.category,
    source,
    status: line.availableOn <= created ? 'available' : 'pending',
    type,
  };
}

interface NewRefund {
  readonly id: string;
  readonly created: number;
  readonly charge: Stripe.Charge;
  readonly method: Method;
  readonly amount: number;
  readonly params: Stripe.RefundCreateParams;
  readonly metadata: Stripe.Metadata;
}

/** Its status and balance transaction are set by what becomes of it. */
export function newRefund({ id, created, charge, method, amount, params, metadata }: NewRefund): Stripe.Refund {
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: destinationOf(method),
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}

function destinationOf(method: Method): Stripe.Refund.DestinationDetails {
  if (method === 'card') return { type: 'card', card: { type: 'refund' } };
  if (method === 'blik')
    return { type: 'blik', blik: { network_decline_code: null, reference: null, reference_status: 'pending' } };
  return { type: 'p24', p24: { reference: null, reference_status: 'pending' } };
}

interface NewDispute {
  readonly id: string;
  readonly created: number;
  readonly charge: Stripe.Charge;
  readonly amount: number;
  readonly reason: string;
  readonly line: Stripe.BalanceTransaction;
}

const answerSeconds = 7 * 86_400;

export function newDispute({ id, created, charge, amount, reason, line }: NewDispute): Stripe.Dispute {
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [line],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + answerSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: charge.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  };
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

interface NewPayout {
  readonly id: string;
  readonly created: number;
  readonly arrives: number;
  readonly amount: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly automatic: boolean;
  readonly line: string;
}

export function newPayout({ id, created, arrives, line, ...given }: NewPayout): Stripe.Payout {
  return {
    id,
    object: 'payout',
    amount: given.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: arrives,
    automatic: given.automatic,
    balance_transaction: line,
    created,
    currency: given.currency,
    description: 'PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: given.livemode,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: given.automatic ? 'completed' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
}

// Why a token is not accepted: one reason per way to fail, and the step that found it (docs/wallet.md).

export type TokenStep = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 14 | 15;

/** Deriving the key (13) cannot fail: a wrong key is found by decrypting. Replays (16) are found by the database. */
export const tokenFaults = {
  too_large: 1,
  not_base64: 1,
  not_json: 1,
  unexpected_keys: 1,
  not_text: 1,
  version: 1,
  ephemeral_key_not_base64: 2,
  data_not_base64: 2,
  data_too_short: 2,
  signature_not_base64: 2,
  transaction_id_not_hex: 2,
  application_data_not_hex: 2,
  signature_unreadable: 3,
  not_signed_data: 3,
  not_detached: 3,
  not_one_signer: 3,
  number_of_certificates: 3,
  certificate_unreadable: 3,
  leaf_marker: 4,
  intermediate_marker: 4,
  root_not_pinned: 5,
  root_not_valid_now: 6,
  intermediate_not_signed_by_root: 6,
  intermediate_not_authority: 6,
  intermediate_not_valid_now: 6,
  intermediate_key: 6,
  leaf_not_signed_by_intermediate: 6,
  leaf_is_authority: 6,
  leaf_not_valid_now: 6,
  leaf_key: 6,
  critical_extension: 6,
  signer_not_leaf: 7,
  digest_algorithm: 7,
  signature_algorithm: 7,
  content_type: 7,
  message_digest_missing: 7,
  signing_time_missing: 7,
  message_digest: 8,
  signature: 9,
  signed_too_early: 10,
  signed_too_late: 10,
  unknown_key: 11,
  ephemeral_key: 12,
  decryption: 14,
  payload_unreadable: 15,
  amount: 15,
  currency: 15,
  card_expired: 15,
  network: 15,
  cryptogram_missing: 15,
} as const satisfies Record<string, TokenStep>;

export type TokenFaultReason = keyof typeof tokenFaults;

/** Ends the verification. Contains only the reason: no text of the input, no parser message. */
export class TokenFault extends Error {
  readonly reason: TokenFaultReason;

  constructor(reason: TokenFaultReason) {
    super(reason);
    this.reason = reason;
  }
}

export function fail(reason: TokenFaultReason): never {
  throw new TokenFault(reason);
}

// Why a notification must not be trusted.

export type NotificationFaultCode =
  | 'nothing_to_verify_with'
  | 'account_not_given'
  | 'header_missing'
  | 'timestamp_out_of_range'
  | 'webhook_signature_wrong'
  | 'webhook_id_wrong'
  | 'webhook_timestamp_wrong'
  | 'wrong_account'
  | 'jws_malformed'
  | 'jws_signature_wrong'
  | 'x5u_foreign'
  | 'certificate_chain_broken'
  | 'certificate_out_of_date'
  | 'payload_malformed'
  | 'md5sum_wrong';

/** Thrown when a notification is not authentic. Respond with 400 and do nothing else. */
export class NotificationFault extends Error {
  readonly code: NotificationFaultCode;

  constructor(code: NotificationFaultCode, message: string) {
    super(message);
    this.name = 'NotificationFault';
    this.code = code;
  }
}

/** Why a notification was not accepted, by the code of the service. */
export default {
  address_unreadable: 'the address is not a web address',
  address_scheme: 'the address is not https',
  address_credentials: 'the address has a user name or password in it',
  address_port: 'the port of the address is not allowed',
  address_not_public: 'the address is not public',
  name_not_found: 'the name of the server is not known',
  connection_refused: 'the server refused the connection',
  connection_failed: 'the connection broke',
  certificate_refused: 'the certificate is not trusted',
  timed_out: 'no complete response in time',
  answer_too_large: 'the response is too large',
  closing: 'the service was shutting down',
  redirect: 'the server redirects, which is not followed',
  wrong_status: 'the status of the response is not 200',
  wrong_answer: 'the response is not TRUE (for JSON also {"result": true})',
  internal_error: 'the service could not build it',
} as const;

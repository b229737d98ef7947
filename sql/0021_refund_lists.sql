-- Owner: src/refunds. With what else a list is asked by, so that it is counted along the index alone.

drop index refund_payer;
create index refund_payer on refund (merchant_id, payer_email, number) include (context);
drop index refund_token;
create index refund_token on refund (merchant_id, card_token, number) include (context, payer_email)
  where card_token is not null;

-- The origins whose pages may show the payment form of this account in a frame. Owner: src/accounts. They become part of
-- a security policy, so nothing but an origin fits: scheme, host in ASCII, port.

alter table pay_page add column embed_origins text[] not null default '{}'
  check (cardinality(embed_origins) = 0
         or cardinality(embed_origins) <= 20
            and array_position(embed_origins, null) is null
            and array_to_string(embed_origins, ' ')
                ~ '^https?://[a-z0-9._-]{1,253}(:[0-9]{1,5})?( https?://[a-z0-9._-]{1,253}(:[0-9]{1,5})?)*$');

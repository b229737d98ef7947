-- The ends of the chains of hashes, and which secret a token was issued with. Owners: src/platform, src/accounts. Nodes of
-- an earlier version leave the heads behind the chains: stop them first.

-- The newest row of each chain with a MAC by the vault, which the database does not have: `grosz verify --sign-heads`
-- writes the first ones of chains that exist already. Then moved with every row that is appended: without it, cutting off the
-- end of a chain would leave a chain.
create table chain_head (
  chain    text primary key check (chain in ('ledger', 'audit')),
  position bigint not null check (position > 0),
  hash     bytea not null check (octet_length(hash) = 32),
  mac      text not null check (mac <> '')
);

-- The hash of the client secret that a token was issued with: the token ends with it. Null in tokens from before, which
-- last two hours.
alter table access_token add column secret_hash bytea check (octet_length(secret_hash) = 32);

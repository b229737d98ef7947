-- What was asked of Stripe, before it is asked. Owner: src/stripe. Keys are those of the port: ids of charges and outgoing
-- refunds, which belong to the rooms above. No key of the account and no data of payers is here.

-- The account of the first start: another one is refused, because it knows none of our payments.
create table stripe_account (
  only_row boolean primary key default true check (only_row),
  account  text not null check (account ~ '^acct_[A-Za-z0-9]+$'),
  -- Names this database in idempotency keys and metadata: several installations may share an account.
  installation ulid not null,
  pinned_at  instant not null,
  -- What the account could do when it was last asked.
  methods    text[] not null,
  checked_at instant not null
);
create function stripe_account_pinned() returns trigger language plpgsql as $$
begin
  if new.account <> old.account or new.installation <> old.installation then
    raise exception 'the account of stripe_account is never changed' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger stripe_account_pinned before update on stripe_account
  for each row execute function stripe_account_pinned();

-- A charge and its only PaymentIntent: an intent is paid at most once, so its id is what makes a charge happen once.
create table stripe_charge (
  key text collate "C" primary key check (key <> ''),
  account text not null,
  -- Null: canceled before it was asked for.
  amount_minor minor_units check (amount_minor > 0),
  currency     currency_code,
  merchant     text,
  method       text check (method in ('blik', 'p24', 'card')),
  -- The name under which the payer let BLIK be charged later, by the vault: it can be guessed from a plain digest.
  alias_mac text collate "C" check (alias_mac <> ''),
  -- The PaymentIntent.
  provider_id text collate "C" unique check (provider_id <> ''),
  -- A failure is kept under its idempotency key: another try has another one.
  create_try  smallint not null default 1 check (create_try > 0),
  confirm_try smallint not null default 1 check (confirm_try > 0),
  created_at  instant not null,
  -- Before the confirmation is sent; nothing can be captured while it is null.
  confirm_sent_at instant,
  -- From here on nothing is created and nothing confirmed.
  canceled_at instant,
  -- The port's reason, and the provider's code.
  decline_reason text check (decline_reason <> ''),
  decline_code   text check (decline_code <> ''),
  check ((amount_minor is null) = (currency is null)),
  check (provider_id is null or amount_minor is not null),
  check (confirm_sent_at is null or provider_id is not null),
  check (decline_reason is null or canceled_at is not null)
);

create index stripe_charge_alias on stripe_charge (alias_mac) where alias_mac is not null;

create table stripe_refund (
  key text collate "C" primary key check (key <> ''),
  -- Without a reference: after a restore the charge may be older than its row.
  charge_key text collate "C" not null check (charge_key <> ''),
  amount_minor minor_units not null check (amount_minor > 0),
  currency currency_code not null,
  -- The PaymentIntent of the charge, once it is known.
  intent_id   text collate "C" check (intent_id <> ''),
  provider_id text collate "C" unique check (provider_id <> ''),
  send_try    smallint not null default 1 check (send_try > 0),
  created_at  instant not null,
  -- It was reported as paid: a failure after that is money that came back.
  succeeded_at instant,
  declined_at  instant,
  decline_why  text check (decline_why <> ''),
  decline_code text check (decline_code <> ''),
  check ((declined_at is null) = (decline_why is null)),
  check (succeeded_at is null or declined_at is null)
);

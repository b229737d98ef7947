// Triggers in test databases that record every change that must never happen, at the moment it does. What was rolled
// back is not recorded, because it did not happen.

import pg from 'pg';

const watchSql = `
create schema watch;
create table watch.fault (id bigint generated always as identity, what text not null);

create function watch.transaction_moved() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in (('pending', 'paid'), ('pending', 'canceled'), ('paid', 'refund'), ('refund', 'paid')) then
    insert into watch.fault (what) values (format('transaction %s went from %s to %s', new.id, old.status, new.status));
  end if;
  return null;
end $$;
create trigger watch_moved after update of status on transaction
  for each row when (old.status <> new.status) execute function watch.transaction_moved();

create function watch.transaction_changed() returns trigger language plpgsql as $$
begin
  insert into watch.fault (what) values (format('transaction %s: its amount, or what was paid of it, was taken back', new.id));
  return null;
end $$;
create trigger watch_changed after update on transaction for each row
  when (old.amount_minor <> new.amount_minor or old.amount_paid_minor > new.amount_paid_minor or old.merchant_id <> new.merchant_id)
  execute function watch.transaction_changed();

create function watch.attempt_started() returns trigger language plpgsql as $$
declare
  was text;
begin
  select status into was from transaction where id = new.transaction_id;
  -- A capture that comes too late is inserted as surplus from the start.
  if was <> 'pending' and new.state <> 'surplus' then
    insert into watch.fault (what) values (format('attempt %s started for a transaction that was %s', new.id, was));
  end if;
  return null;
end $$;
create trigger watch_started after insert on charge for each row execute function watch.attempt_started();

create function watch.final_left() returns trigger language plpgsql as $$
begin
  insert into watch.fault (what) values (format('%s %s left the final state %s for %s', tg_table_name, new.id, old.state, new.state));
  return null;
end $$;
create trigger watch_final after update of state on charge for each row
  when (old.state <> new.state and old.state not in ('sent', 'waiting', 'unknown')) execute function watch.final_left();
-- The bank may pay what had ended without money.
create trigger watch_final after update of state on outgoing_refund for each row
  when (old.state <> new.state and old.state in ('done', 'refused', 'canceled')
        and (old.state = 'done' or new.state <> 'done')) execute function watch.final_left();

create function watch.refund_moved() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('New', 'Pending'), ('New', 'Hold'), ('New', 'Cancel'), ('Hold', 'New'), ('Hold', 'BLIK_pending'), ('Hold', 'Cancel'),
    ('Pending', 'Processed'), ('Pending', 'Done'), ('Pending', 'Cancel'), ('Processed', 'Done'), ('Processed', 'Cancel'),
    ('BLIK_pending', 'Hold'), ('BLIK_pending', 'BLIK_processed'), ('BLIK_pending', 'BLIK_incorrect'))
    -- Held and then canceled, in one write.
    and not ((old.status, new.status) = ('BLIK_pending', 'Cancel') and new.steps >= old.steps + 2) then
    insert into watch.fault (what) values (format('refund %s went from %s to %s', new.id, old.status, new.status));
  end if;
  return null;
end $$;
create trigger watch_moved after update of status on refund
  for each row when (old.status <> new.status) execute function watch.refund_moved();

create function watch.refund_changed() returns trigger language plpgsql as $$
begin
  insert into watch.fault (what) values (format('refund %s: its amount, its key or its sending was changed', new.id));
  return null;
end $$;
create trigger watch_changed after update on refund for each row
  when (old.amount_minor <> new.amount_minor or old.fee_minor <> new.fee_minor or old.number <> new.number)
  execute function watch.refund_changed();
create trigger watch_changed after update on outgoing_refund for each row
  when (old.amount_minor <> new.amount_minor or old.charge_key <> new.charge_key
        or (old.purpose = 'refund' and old.sent_at is not null and old.sent_at is distinct from new.sent_at))
  execute function watch.refund_changed();

create function watch.row_deleted() returns trigger language plpgsql as $$
begin
  insert into watch.fault (what) values (format('%s %s was deleted', tg_table_name, old.id));
  return null;
end $$;
create trigger watch_deleted after delete on transaction for each row execute function watch.row_deleted();
create trigger watch_deleted after delete on charge for each row execute function watch.row_deleted();
create trigger watch_deleted after delete on outgoing_refund for each row execute function watch.row_deleted();
create trigger watch_deleted after delete on refund for each row execute function watch.row_deleted();
create trigger watch_deleted after delete on event for each row execute function watch.row_deleted();
`;

/** Installs the triggers in a migrated database. */
export async function installWatch(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(watchSql);
  } finally {
    await client.end();
  }
}

-- Tables of the database itself: the installation, its processes, and the ends of the chains of hashes. Owner:
-- src/database. The service writes all times; nothing here reads the server's clock.

-- Ids. Without the alphabet: of 17 µs of server time to insert a transaction, which has three, a regular expression cost
-- another 13, one for a wrong character 2, and this 0.3. Requests are checked against the whole pattern.
create domain ulid as text collate "C" check (octet_length(value) = 26 and value < '8');
-- Money, in the currency's smallest unit.
create domain minor_units as bigint;
create domain currency_code as text collate "C" check (value in ('PLN'));
-- Times and days that the service can read: `infinity`, or a year of five digits, would end every list that has the row.
create domain instant as timestamptz check (value >= '0001-01-01Z' and value < '10000-01-01Z');
create domain calendar_day as date check (value >= '0001-01-01' and value < '10000-01-01');

create table installation (
  only_row   boolean primary key default true check (only_row),
  created_at instant not null,
  -- Set at the first start; the service refuses to start in another mode.
  mode text not null unique check (mode in ('sandbox', 'live')),
  -- A known text, encrypted, so that a node with another vault key notices at startup.
  vault_check text not null,
  -- Whether the last worker that started has a mail server: only then others write mails, without knowing it.
  sends_mail boolean not null default false
);

-- Which processes are alive: the lease of a request that a process was running ends with the process.
create table node (
  id   text collate "C" primary key,
  name text not null,
  -- Grows while the process runs. Others see by their own clocks whether it still does, so that clocks need not agree.
  beat bigint not null check (beat >= 0),
  started_at instant not null
);

-- The newest row of each chain with a MAC by the vault, which the database does not have: moved with every row that is
-- appended. Without it, cutting off the end of a chain would leave a chain.
create table chain_head (
  chain    text primary key check (chain ~ '^[a-z]+$'),
  position bigint not null check (position > 0),
  hash     bytea not null check (octet_length(hash) = 32),
  mac      text not null check (mac <> '')
);

-- For rows that are never changed or deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

-- For rows that a process may keep in memory: 0 as long as nobody has changed it since it was inserted.
create function count_version() returns trigger language plpgsql as $$
begin
  new.version = old.version + 1;
  return new;
end $$;

-- A reference that is checked once per statement, instead of a foreign key, which looks up and locks a row of the parent for
-- each row: `call add_reference('delivery', '{event_id}', 'event')`. Rows of the child keep what they refer to; that rows of
-- the parent stay is up to the parent. With several columns the child's must be those of one row of the parent, which is found
-- by the first key alone: with the others in the condition PostgreSQL took another index, and read all of a merchant's rows.
-- `shared`: many rows of a statement refer to few.
-- A function for each reference, because a session keeps the plans of static statements only. They are made while the
-- tables are small: a scalar subquery and an array are planned as index lookups then too; a join or `not exists` was planned
-- as a hash of the whole table, and stayed so while it grew.
create procedure add_reference(
  child text, columns text[], parent text, keys text[] default '{id}', shared boolean default false)
language plpgsql as $$
declare
  name text := child || '_' || parent || '_known';
  list text := (select string_agg(quote_ident(one), ', ') from unnest(columns) as one);
  nulls text := (select string_agg(quote_ident(one) || ' is null', ' or ') from unnest(columns) as one);
  theirs text := (select string_agg(quote_ident(key), ', ') from unnest(keys) as key);
  ours text := (select string_agg(format('named.%I', one), ', ') from unnest(columns) as one);
  -- True if each row has a row of its own; 1 µs a row, and the lookups below 4.
  quick text := case when not shared and cardinality(columns) = 1 then
    format('if (select count(*) from %I where %I = any (array (select %s from new_rows))) = (select count(*) from new_rows)
            then return null; end if;', parent, keys[1], list) end;
begin
  execute format($create$
    create function %1$I() returns trigger language plpgsql as $check$
    declare
      wrong text;
    begin
      %2$s
      select concat_ws(' ', %3$s) into wrong from (select %4$s %3$s from new_rows) as named
       where not (%5$s) and (select row(%7$s) = row(%8$s) from %6$I where %9$I = named.%10$I) is not true limit 1;
      if found then
        raise exception 'unknown %6$s %%', wrong using errcode = 'foreign_key_violation', constraint = tg_name;
      end if;
      return null;
    end $check$;
    create trigger %11$I after insert on %12$I
      referencing new table as new_rows for each statement execute function %1$I();
    create trigger %13$I before update of %3$s on %12$I for each statement execute function refuse_change()$create$,
    'check_' || name, quick, list, case when shared then 'distinct' end, nulls, parent, theirs, ours,
    keys[1], columns[1], name, child, child || '_' || parent || '_stays');
end $$;

-- Whether it is an array whose elements all match, such as 'strict $[*] ? (@.line >= 1)': where a table has JSON, its shape is
-- checked. A comparison with a number is true of numbers only.
create function is_list_of(list jsonb, element jsonpath) returns boolean language sql immutable
  return jsonb_array_length(jsonb_path_query_array(list, element)) = jsonb_array_length(list);

-- The start of the bucket of a time, in UTC: lists count buckets instead of rows.
create function six_hour_bucket_of(at timestamptz) returns timestamptz language sql immutable
  return date_bin(interval '6 hours', at, timestamptz '1970-01-01 00:00Z');

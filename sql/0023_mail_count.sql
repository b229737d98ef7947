-- How many mails that need no payment an address was sent within an hour: nobody may fill an inbox with them. Owner:
-- src/notifications.

create table mail_count (
  hour      timestamptz not null,
  recipient text collate "C" not null,
  count     integer not null check (count > 0),
  primary key (hour, recipient)
);

-- Mail caught instead of real mailboxes. Owner: src/simulators.

create table caught_mail (
  id ulid primary key,
  received_at instant not null,
  source_sealed text not null
);

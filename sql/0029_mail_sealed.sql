-- Texts of mails have links that let one in: they are sealed while they wait and removed once they ended. Owners:
-- src/notifications (mail), src/sandbox (caught_mail). Nodes of an earlier version cannot write or send mail after this.

-- Truncated and written anew, because dropping a column leaves its bytes in the table's file.
create temporary table mail_before on commit drop as select * from mail;
truncate mail;
alter table mail
  drop column text_body,
  drop column html_body,
  -- Text and HTML, sealed by the vault, until it was sent or given up.
  add column content text,
  -- The transaction that it is about, for the panel; null if it is about none.
  add column transaction_title text collate "C",
  add constraint mail_blank_once_ended check ((status = 'pending') = (content is not null));
create index mail_transaction on mail (transaction_title) where transaction_title is not null;

-- The database has no key: what waits to be sent stays readable as JSON until the first start, which seals it.
insert into mail (id, recipient, subject, content, transaction_title, language, status, created_at, tries, next_try_at,
                  ended_at, last_error)
select id, recipient, subject,
       case when status = 'pending' then json_build_object('text', text_body, 'html', html_body)::text end,
       (regexp_match(text_body, ': (TR-[0-9A-Z]{4}-[0-9A-Z]{7})$', 'n'))[1],
       language, status, created_at, tries, next_try_at, ended_at, regexp_replace(last_error, 'https?://\S+', '(link)', 'gi')
  from mail_before;

-- Of demos only: mail that was caught before cannot be sealed and is gone.
truncate caught_mail;
alter table caught_mail drop column source, add column source_sealed text not null;

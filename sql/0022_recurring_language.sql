-- The language in which the payer saved the card: mails about its charges speak it. Owner: src/recurring.

alter table recurring add column language text check (length(language) between 2 and 8);

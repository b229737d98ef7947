-- A refund that the bank paid on another charge than ours: the amounts agree, the payers do not. Owner: src/reconciliation.

alter table reconciliation_item drop constraint reconciliation_item_difference_check;
alter table reconciliation_item add constraint reconciliation_item_difference_check
  check (difference in ('not_booked', 'not_at_bank', 'other_amount', 'other_charge', 'row_missing'));

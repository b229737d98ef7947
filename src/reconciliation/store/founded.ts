// What the records say about the journals of reconciliation, one by one and in sum. Read only; for `grosz verify`.

import { type SqlPart, SqlText, sqlPart } from '../../database/index.ts';
import { type Founded, ledgerAccounts, type Summed, saying } from '../../ledger/index.ts';

const { acquirerFee, bankClient, disputePayable, loss, payerUnallocated } = ledgerAccounts;

const receivableOf = (row: string) => new SqlText(`'acquirer:' || ${row}.acquirer || ':receivable'`);
const suspenseOf = (row: string) => new SqlText(`'acquirer:' || ${row}.acquirer || ':suspense'`);

/** The kinds of journals that reconciliation posts. */
export const journalKinds = [
  'unmatched capture',
  'unmatched refund',
  'unmatched returned',
  'unmatched came back',
  'unmatched refund_returned',
  'refund_returned corrected',
  'capture corrected',
  'refund corrected',
  'payout',
  'payout corrected',
  'acquirer fee',
  'fee corrected',
  'payout came back',
  'payout_returned corrected',
  'dispute taken',
  'dispute corrected',
  'dispute given back',
  'dispute_won corrected',
  'line suspended',
  'suspense explained',
  'other_taken corrected',
  'other_given corrected',
];

/** Amounts of payouts are compared with their rows: all journals of a payout together. */
const movesPayout = (row: string) => sqlPart`not exists (
  select from entry where entry.journal_id = posted.id
     and entry.account not in (${bankClient}, ${acquirerFee}, ${receivableOf(row)}))`;

/** Those of a line that nobody knows: what is not in suspense is the acquirer's fee. */
const suspended: SqlPart = sqlPart`
  posted.kind = case when record.step = 'line_booked' then 'line suspended'
                     when record.moved_minor = 0 then 'suspense explained' else record.kind || ' corrected' end
  and booked.said = ${saying(sqlPart`
    values (${receivableOf('record')}, record.moved_minor), (${suspenseOf('record')}, -record.unallocated_minor),
           (${acquirerFee}, record.unallocated_minor - record.moved_minor)`)}`;

/** The journals of a line of the acquirer's own: when it was booked, and when it was corrected, against one account. */
const ownLine = (booked: string, account: string): SqlPart => sqlPart`
  posted.kind = case record.step when 'line_booked' then ${booked}::text else record.kind || ' corrected' end
  and booked.said = ${saying(sqlPart`
    values (${receivableOf('record')}, record.moved_minor), (${account}, -record.moved_minor)`)}`;

/**
 * Each journal with the record, the payout or the return that posted it, of that amount, on those accounts. `tolerance`: how
 * much later than its record a journal may be.
 */
export const reconciledJournals = (tolerance: Temporal.Duration): Founded => ({
  kinds: journalKinds,
  agreeing: sqlPart`
    select posted.id as journal_id,
           case record.kind
             when 'payout' then posted.kind = 'payout corrected' and ${movesPayout('record')}
             when 'fee' then ${ownLine('acquirer fee', acquirerFee)}
             when 'payout_returned' then ${ownLine('payout came back', bankClient)}
             when 'dispute' then ${ownLine('dispute taken', disputePayable)}
             when 'dispute_won' then ${ownLine('dispute given back', disputePayable)}
             when 'other_taken' then ${suspended}
             when 'other_given' then ${suspended}
             else posted.kind in (record.kind || ' corrected', 'unmatched ' || record.kind)
                  and booked.said = ${saying(sqlPart`
                    values (${receivableOf('record')}, record.moved_minor), (${loss}, record.unallocated_minor - record.moved_minor),
                           (${payerUnallocated}, -record.unallocated_minor)`)} end as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join reconciliation_record as record
        on record.id = posted.source and record.moved_minor is not null
       and posted.posted_at between record.at - interval '1 minute' and record.at + ${tolerance.toString()}::interval
     where posted.kind not in ('payout', 'unmatched returned', 'unmatched came back')
    union all
    select posted.id, payout.booked_at = posted.posted_at and payout.currency = posted.currency and ${movesPayout('payout')}
      from posted join acquirer_payout as payout on payout.acquirer || ':' || payout.key = posted.source
     where posted.kind = 'payout'
    union all
    select posted.id, outgoing.state = 'done' and outgoing.done_at = posted.posted_at
                      and booked.said = ${saying(sqlPart`
                        values (${payerUnallocated}, outgoing.amount_minor), (${receivableOf('outgoing')}, -outgoing.amount_minor)`)}
      from posted
      join booked on booked.journal_id = posted.id
      join outgoing_refund as outgoing
        on outgoing.purpose = 'unallocated' and outgoing.id = posted.source and outgoing.currency = posted.currency
     where posted.kind = 'unmatched returned'
    union all
    select posted.id, outgoing.came_back_at = posted.posted_at
                      and booked.said = ${saying(sqlPart`
                        values (${payerUnallocated}, -outgoing.amount_minor), (${receivableOf('outgoing')}, outgoing.amount_minor)`)}
      from posted
      join booked on booked.journal_id = posted.id
      join outgoing_refund as outgoing
        on outgoing.purpose = 'unallocated' and outgoing.id = posted.source and outgoing.currency = posted.currency
     where posted.kind = 'unmatched came back'`,
});

/**
 * What payers own of whom nobody knows, what the acquirer owes us besides payments, what it paid out and kept, and what we
 * lost, each in one sum; corrections count.
 */
export const reconciledSums: Summed = {
  kinds: journalKinds,
  accounts: ['%'],
  expected: sqlPart`
    select said.account, said.minor
      from (select acquirer, sum(moved_minor) as moved, sum(unallocated_minor) as unallocated
              from reconciliation_record where kind in ('capture', 'refund', 'refund_returned') group by acquirer) as record
     cross join lateral (values (${receivableOf('record')}, record.moved), (${payerUnallocated}, -record.unallocated),
                                (${loss}, record.unallocated - record.moved)) as said (account, minor)
    union all
    select said.account, said.minor
      from (select acquirer, sum(amount_minor) as paid, sum(fee_minor) as fee from acquirer_payout group by acquirer) as payout
     cross join lateral (values (${receivableOf('payout')}, -payout.paid - payout.fee), (${bankClient}, payout.paid),
                                (${acquirerFee}, payout.fee)) as said (account, minor)
    union all
    select said.account, said.minor
      from (select acquirer, sum(amount_minor) as minor from acquirer_line where kind = 'fee' group by acquirer) as line
     cross join lateral (values (${receivableOf('line')}, -line.minor), (${acquirerFee}, line.minor)) as said (account, minor)
    union all
    select said.account, said.minor
      from (select acquirer, sum(amount_minor) as minor from acquirer_line where kind = 'payout_returned' group by acquirer) as line
     cross join lateral (values (${receivableOf('line')}, line.minor), (${bankClient}, -line.minor)) as said (account, minor)
    union all
    select said.account, said.minor
      from (select acquirer, sum(case kind when 'dispute' then amount_minor else -amount_minor end) as minor
              from acquirer_line where kind in ('dispute', 'dispute_won') group by acquirer) as line
     cross join lateral (values (${receivableOf('line')}, -line.minor), (${disputePayable}, line.minor)) as said (account, minor)
    union all
    select said.account, said.minor
      from (select acquirer, sum(moved_minor) as moved, sum(unallocated_minor) as held
              from reconciliation_record where kind in ('other_taken', 'other_given') group by acquirer) as record
     cross join lateral (values (${receivableOf('record')}, record.moved), (${suspenseOf('record')}, -record.held),
                                (${acquirerFee}, record.held - record.moved)) as said (account, minor)
    union all
    select said.account, said.minor
      from (select acquirer, sum(amount_minor) as minor from outgoing_refund
             where purpose = 'unallocated' and state = 'done' and came_back_at is null group by acquirer) as outgoing
     cross join lateral (values (${payerUnallocated}, outgoing.minor), (${receivableOf('outgoing')}, -outgoing.minor)) as said (account, minor)`,
};

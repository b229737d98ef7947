// Single changes by SQL that somebody must notice, made up by hand: rows that were changed, inserted and swapped so that they
// look right. What is drawn from the catalog of the database is in drawn.ts.

import type { Damage } from '../tampering.ts';

/** A row of a table, always the same. */
const one = (table: string, where: string, place = 0) =>
  `ctid = (select ctid from ${table} where ${where} order by ctid offset ${place} limit 1)`;

const change = (table: string, where: string, set: string): string =>
  `update ${table} set ${set} where ${one(table, where)}`;
const remove = (table: string, where: string): string => `delete from ${table} where ${one(table, where)}`;

/** A signed row a second time, under another id. */
const copyOf = (table: string): string =>
  `insert into ${table} overriding system value
   select (jsonb_populate_record(row, jsonb_build_object('id', row.id + 1000000))).*
     from ${table} as row order by row.id limit 1`;

/** Two rows exchange what they have in a column. */
const swap = (table: string, column: string, where: string): string =>
  `with one as (
     select ctid as place, ${column} as own from ${table} where ${where} order by ctid limit 1
   ), other as (
     select ctid as place, ${column} as own from ${table} where ${where} and ${column} <> (select own from one) order by ctid limit 1
   )
   update ${table} set ${column} = case when ${table}.ctid = one.place then other.own else one.own end
     from one, other where ${table}.ctid in (one.place, other.place)`;

const paid = "state = 'correct' and purpose = 'payment'";
/** Entries of a made-up journal, from one account to another. */
const madeUp = (kind: string, source: string, from: string, to: string, at = 'clock.at'): string[] => [
  `insert into journal (id, source, kind, currency, posted_at)
   select left(clock.id, 10) || 'MADEXXPXXXXXXXXX', ${source}, '${kind}', 'PLN', ${at}
     from (select id, posted_at as at from journal order by id desc limit 1) as clock`,
  `insert into entry (journal_id, line, account, amount_minor)
   select journal.id, line, account, minor from journal
    cross join lateral (values (1, ${from}, 1000), (2, ${to}, -1000)) as lines (line, account, minor)
    where journal.id like '%MADEXXPXXXXXXXXX'`,
];
const merchant = '(select account from ledger_balance where balance_minor > 100000 order by account limit 1)';
const receivable = "'acquirer:simulator:receivable'";
const credit = `update ledger_balance set balance_minor = balance_minor + 1000 where account = ${merchant}`;
const someCharge = "(select id from charge where state = 'failed' order by id limit 1)";

/** An id of the same time that is another one, whatever it ends with. */
const nextTo = "left(id, 25) || case when id like '%X' then 'Z' else 'X' end";

/** A dispute of 0.00 that takes from one seller what it gives to another. */
const zeroDispute: readonly string[] = [
  `insert into dispute select (jsonb_populate_record(dispute, jsonb_build_object('id', ${nextTo}, 'key', 'dp_zero',
     'amount_minor', 0, 'returned_minor', 0, 'state', 'won', 'ended_at', opened_at, 'respond_until', null))).*
   from dispute where key = 'dp_split'`,
  `insert into dispute_step (id, dispute_id, number, kind, state, amount_minor, returned_minor, at)
   select id, id, 1, 'won', 'won', 0, 0, opened_at from dispute where key = 'dp_zero'`,
  `insert into dispute_share
   select step.id, part.merchant_id, case part.number when 1 then -100 else 100 end
     from dispute join dispute_step as step on step.dispute_id = dispute.id
     join transaction_part as part on part.transaction_id = dispute.transaction_id and part.number < 3 where key = 'dp_zero'`,
];

/** A thief who knows the tables pays into a balance, as if the journal were real; the engine then seals it. */
const thefts: readonly Damage[] = [
  {
    what: 'a dispute of 0.00 that moves money between sellers',
    noticed: 'schema',
    statements: zeroDispute,
    triggers: true,
  },
  {
    what: 'a dispute of 0.00 that moves money between sellers, without triggers',
    noticed: 'dispute_shared_otherwise',
    statements: zeroDispute,
  },
  {
    what: 'a made-up kind',
    noticed: 'journal_of_unknown_kind',
    statements: [...madeUp('bonus', "'gift'", receivable, merchant), credit],
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up payment without a charge',
    noticed: 'journal_unfounded',
    statements: [...madeUp('payment', "'gift'", receivable, merchant), credit],
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up payment of a declined charge',
    noticed: 'charge_misbooked',
    statements: [...madeUp('payment', someCharge, receivable, merchant), credit],
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up opening',
    noticed: 'journal_unfounded',
    statements: [...madeUp('opening', "'gift'", "'bank:client'", merchant), credit],
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up refund that was returned',
    noticed: 'journal_unfounded',
    statements: [...madeUp('refund returned', "'gift'", "'refund:payable'", merchant), credit],
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up payout',
    noticed: 'journal_unfounded',
    statements: madeUp('payout', "'simulator:gift'", "'bank:client'", receivable),
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up payout that our bank booked',
    noticed: 'journal_unfounded',
    statements: madeUp('payout paid', "'gift'", receivable, "'bank:client'"),
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up correction',
    noticed: 'journal_unfounded',
    statements: madeUp('capture corrected', "'gift'", receivable, "'payer:unallocated'"),
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up surplus',
    noticed: 'charge_misbooked',
    statements: madeUp('surplus', someCharge, receivable, "'payer:unallocated'"),
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up execution',
    noticed: 'journal_unfounded',
    statements: madeUp('refund executed', "'gift'", "'refund:payable'", receivable),
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up correction of a recorded difference that pays a merchant',
    noticed: 'journal_unfounded',
    statements: [
      ...madeUp(
        'payout corrected',
        '(select id from reconciliation_record where moved_minor is not null order by position limit 1)',
        "'expense:loss'",
        merchant,
      ),
      credit,
    ],
    seals: true,
    triggers: true,
  },
  {
    what: 'a made-up return of a capture that is nobody’s',
    noticed: 'journal_unfounded',
    statements: madeUp('unmatched returned', "'gift'", "'payer:unallocated'", receivable),
    seals: true,
    triggers: true,
  },
  {
    what: 'a journal dated before its id',
    noticed: 'journal_id_differs',
    statements: [...madeUp('payment', "'gift'", receivable, merchant, "clock.at - interval '2 days'"), credit],
    seals: true,
    triggers: true,
  },
  {
    what: 'a journal that nobody queued',
    noticed: 'journal_outside_chain',
    statements: [...madeUp('payment', "'gift'", receivable, merchant), credit],
  },
  {
    what: 'a journal that waits to be sealed since yesterday',
    noticed: 'journal_not_sealed',
    statements: [
      ...madeUp('payment', "'gift'", receivable, merchant, "clock.at - interval '1 day'"),
      "insert into journal_unsealed (journal_ids) select array[id] from journal where id like '%MADEXXPXXXXXXXXX'",
      credit,
    ],
  },
  { what: 'a balance', noticed: 'balance_wrong', statements: [credit] },
];

const changes: readonly (readonly [what: string, statement: string, noticed: string])[] = [
  [
    'a paid charge is called declined',
    change('charge', paid, "state = 'failed', reason = 'internal error'"),
    'charge_misbooked',
  ],
  [
    'a declined charge is called correct',
    change('charge', "state = 'failed' and purpose = 'payment'", "state = 'correct', reason = null"),
    'charge_misbooked',
  ],
  [
    'a charge of another merchant',
    change('charge', paid, "merchant_id = (select id from account where kind = 'seller' order by id limit 1)"),
    'charge_differs',
  ],
  ['a charge of another acquirer', change('charge', paid, "acquirer = 'other'"), 'journal_unfounded'],
  [
    'a charge of another time',
    change('charge', paid, "settled_at = settled_at - interval '3 days'"),
    'transaction_times_differ',
  ],
  [
    'an open charge that nobody looks up',
    change('charge', 'settled_at is null and parked_at is null', 'next_check_at = null'),
    'charge_unscheduled',
  ],
  [
    'an open charge that waits until 9999',
    change('charge', 'settled_at is null and parked_at is null', "next_check_at = '9999-01-01Z'"),
    'charge_unscheduled',
  ],
  ['charges exchange their transactions', swap('charge', 'transaction_id', paid), 'schema'],
  [
    'charges exchange their amounts',
    swap('charge', 'amount_minor', "state = 'correct' and purpose = 'payment'"),
    'charge_differs',
  ],
  [
    'a pending transaction is called paid',
    change('transaction', "status = 'pending' and origin = 'api'", "status = 'paid', amount_paid_minor = amount_minor"),
    'payment_missing',
  ],
  [
    'a paid transaction is called pending',
    change('transaction', "status = 'paid'", "status = 'pending'"),
    'payment_missing',
  ],
  [
    'a paid transaction is called refunded',
    change('transaction', "status = 'paid' and origin = 'api'", "status = 'refund'"),
    'refunded_too_little',
  ],
  [
    'a refunded transaction is called paid',
    change('transaction', "status = 'refund'", "status = 'paid'"),
    'full_refunds_wrong',
  ],
  [
    'a canceled transaction is called pending',
    change('transaction', "status = 'canceled'", "status = 'pending', canceled_at = null, canceled_by = null"),
    'transactions_miscounted',
  ],
  [
    'a transaction of another merchant',
    change(
      'transaction',
      "status = 'paid'",
      "merchant_id = (select id from account where kind = 'seller' order by id limit 1)",
    ),
    'charge_differs',
  ],
  [
    'a transaction paid at another time',
    change('transaction', "status = 'paid'", "paid_at = paid_at + interval '1 hour'"),
    'transaction_times_differ',
  ],
  [
    'a transaction with another number of attempts',
    change('transaction', "status = 'paid' and origin = 'api'", 'attempts_started = attempts_started + 1'),
    'attempts_miscounted',
  ],
  ['transactions exchange what was paid', swap('transaction', 'amount_paid_minor', "status = 'paid'"), 'schema'],
  [
    'a refund of another transaction',
    change(
      'refund',
      "status like '%rocessed'",
      "transaction_id = (select id from transaction where status = 'pending' order by id limit 1)",
    ),
    'refund_differs',
  ],
  [
    'a refund of another merchant',
    change(
      'refund',
      'true',
      "merchant_id = (select id from account where kind = 'seller' order by id limit 1), number = number + 1000",
    ),
    'refund_differs',
  ],
  [
    'a refund that is called done',
    change('refund', "status = 'Hold'", "status = 'Done', ended_at = created_at"),
    'refund_misbooked',
  ],
  [
    'a refund that is called canceled',
    change('refund', "status = 'BLIK_processed'", "status = 'BLIK_incorrect', canceled_by = 'bank'"),
    'refund_misbooked',
  ],
  [
    'a refund that was paid late',
    change(
      'refund',
      "canceled_by = 'bank' and paid_late_at is null and came_back_at is null",
      'paid_late_at = ended_at',
    ),
    'refund_late_total_wrong',
  ],
  [
    'an outgoing refund of another charge',
    change('outgoing_refund', "purpose = 'refund' and state = 'new'", "charge_key = 'another'"),
    'refund_sent_otherwise',
  ],
  [
    'an outgoing refund by another acquirer',
    change('outgoing_refund', "purpose = 'refund' and state = 'new'", "acquirer = 'other'"),
    'refund_sent_otherwise',
  ],
  [
    'an outgoing refund that is called done',
    change(
      'outgoing_refund',
      "purpose = 'refund' and state = 'new'",
      "state = 'done', sent_at = created_at, done_at = created_at, next_try_at = null",
    ),
    'outgoing_misbooked',
  ],
  [
    'an outgoing refund that waits until 9999',
    change('outgoing_refund', "state in ('new', 'sent') and parked_at is null", "next_try_at = '9999-01-01Z'"),
    'outgoing_unscheduled',
  ],
  [
    'a surplus that is called done',
    change(
      'outgoing_refund',
      "purpose = 'surplus' and state in ('new', 'sent')",
      "state = 'done', sent_at = created_at, done_at = created_at, next_try_at = null",
    ),
    'outgoing_misbooked',
  ],
  [
    'a surplus that was paid by a dispute is to be sent',
    change(
      'outgoing_refund',
      'withdrawn_at is not null',
      "state = 'new', sent_at = null, withdrawn_at = null, next_try_at = created_at",
    ),
    'outgoing_misbooked',
  ],
  [
    'when a surplus was not to be sent any more',
    change('outgoing_refund', 'withdrawn_at is not null', "withdrawn_at = withdrawn_at + interval '1 microsecond'"),
    'journal_unfounded',
  ],
  [
    'a surplus that is said to be paid although its dispute was',
    change('outgoing_refund', 'withdrawn_at is not null', "state = 'done', done_at = withdrawn_at"),
    'outgoing_misbooked',
  ],
  [
    'a dispute that another charge makes up for',
    change('dispute_unclaimed', 'covered_minor > 0', "charge_key = 'nobody'"),
    'dispute_unclaimed_differs',
  ],
  [
    'outgoing refunds exchange their charges',
    swap('outgoing_refund', 'charge_key', "purpose = 'refund'"),
    'refund_sent_otherwise',
  ],
  ['the kind of a journal', change('journal', "kind = 'payment'", "kind = 'refund'"), 'charge_misbooked'],
  ['the source of a journal', change('journal', "kind = 'payment'", "source = 'another'"), 'charge_misbooked'],
  [
    'the time of a journal',
    change('journal', "kind = 'payment'", "posted_at = posted_at + interval '1 microsecond'"),
    'journal_changed',
  ],
  [
    'an entry on another account',
    change('entry', "account = 'income:processing_fee'", "account = 'bank:own'"),
    'entry_changed',
  ],
  [
    'entries exchange their amounts',
    swap('entry', 'amount_minor', "account = 'income:processing_fee'"),
    'entry_changed',
  ],
  ['entries exchange their accounts', swap('entry', 'account', "account like 'merchant:%'"), 'entry_changed'],
  ['seals exchange their journals', swap('journal_seal', 'hash', 'position < 3'), 'seal_breaks_chain'],
  ['the hash of a seal', change('journal_seal', 'position = 2', "hash = sha256('x')"), 'seal_breaks_chain'],
  ['the marks of a seal', change('journal_seal', 'position = 2', "marks = marks || '\\\\x00'::bytea"), 'entry_changed'],
  [
    'an account without its floor',
    change('ledger_account', "name like 'merchant:%:available'", 'floor = false'),
    'account_wrong',
  ],
  [
    'an account of another kind',
    change('ledger_account', "name = 'refund:payable'", "kind = 'asset'"),
    'account_wrong',
  ],
  [
    'a fee in percent',
    change('account', "kind = 'merchant'", 'payment_fee_basis_points = payment_fee_basis_points + 1'),
    'fees_changed',
  ],
  ['an old price is put back with its signature', copyOf('price'), 'schema'],
  ['an old price list is given again with its signature', copyOf('account_price_list'), 'schema'],
  [
    'a charge without its price',
    change(
      'charge',
      `${paid} and (select fee.amount_minor from journal join entry as fee on fee.journal_id = journal.id
                      and fee.account = 'income:processing_fee'
                     where journal.source = charge.id and journal.kind = 'payment' limit 1) <> 0
         and exists (select from transaction where transaction.id = transaction_id and origin <> 'marketplace')`,
      'price_id = null',
    ),
    'journal_unfounded',
  ],
  [
    'a part without its price',
    change('transaction_part', 'fee_minor > 0', 'price_id = null'),
    'fee_differs_from_price',
  ],
  [
    'a refund without its price',
    change(
      'refund',
      "fee_minor > 0 and exists (select from transaction where id = transaction_id and origin <> 'marketplace')",
      'price_id = null',
    ),
    'fee_differs_from_price',
  ],
  ['a schedule', change('recurring', "status = 'active'", 'interval = interval + 1'), 'recurring_plan_changed'],
  [
    'the first date of a schedule',
    change('recurring', "status = 'active'", "first_charge_at = first_charge_at + interval '1 day'"),
    'recurring_plan_changed',
  ],
  [
    'the number of charges',
    change('recurring', "status = 'finished'", 'charge_count = charge_count + 1'),
    'recurring_finished_early',
  ],
  [
    'the next date',
    change('recurring', "status = 'active' and due_at is not null", "due_at = due_at + interval '1 day'"),
    'recurring_misscheduled',
  ],
  [
    'the next date and its plan',
    change(
      'recurring',
      "status = 'active' and due_at is not null",
      "due_at = due_at + interval '1 day', scheduled_at = scheduled_at + interval '1 day'",
    ),
    'recurring_misscheduled',
  ],
  [
    'a recurring payment that stops',
    change('recurring', "status = 'active' and due_at is not null", 'due_at = null'),
    'recurring_active_unscheduled',
  ],
  [
    'a recurring payment that is called finished',
    change(
      'recurring',
      "status = 'active' and due_at is not null",
      "status = 'finished', due_at = null, ended_at = created_at",
    ),
    'recurring_finished_early',
  ],
  [
    'a canceled recurring payment that goes on',
    change('recurring', "status = 'canceled'", "status = 'active', ended_at = null"),
    'recurring_active_unscheduled',
  ],
  [
    'a recurring payment of another merchant',
    change(
      'recurring',
      "status = 'active'",
      "merchant_id = (select id from account where kind = 'partner' order by id limit 1)",
    ),
    'charge_transaction_differs',
  ],
  [
    'an iteration',
    change('recurring', "status = 'active' and due_at is not null", 'iteration = iteration + 1'),
    'recurring_earlier_unpaid',
  ],
  [
    'a part of another seller',
    change(
      'transaction_part',
      'true',
      "merchant_id = (select id from account where kind = 'merchant' order by id limit 1)",
    ),
    'part_changed',
  ],
  [
    'the products of a part',
    change('transaction_part', "products <> '[]'", "products = replace(products, '100', '900')"),
    'part_changed',
  ],
  [
    'how much of a product was refunded',
    change('line_refund_total', 'true', 'refunded = refunded + 1'),
    'product_total_wrong',
  ],
  [
    'an event that says paid',
    change(
      'event',
      "type = 'transaction'",
      "subject_id = (select id from transaction where status = 'pending' and origin = 'api' order by id limit 1), body = 'tr_status=TRUE'",
    ),
    'payment_not_told',
  ],
  ['an event without a position', remove('event_position', 'true'), 'event_not_numbered'],
  ['events exchange their positions', swap('event_position', 'account_id', 'true'), 'event_numbered_for_another'],
  [
    'a dispute of nobody that waits until 9999',
    change(
      'dispute_unclaimed',
      'parked_at is not null',
      "parked_at = null, parked_why = null, park_at = '9999-01-01Z'",
    ),
    'dispute_unclaimed_differs',
  ],
  [
    "a dispute of nobody's charge that is written to another merchant's",
    change(
      'dispute_unclaimed',
      "key = 'dp_nobodys'",
      `charge_key = (select id from charge where ${paid} order by id limit 1)`,
    ),
    'dispute_of_other_charge',
  ],
  [
    'a dispute that another merchant bears',
    change(
      'dispute_share',
      'true',
      "account_id = (select id from account where kind = 'merchant' and id <> account_id order by id limit 1)",
    ),
    'dispute_borne_by_others',
  ],
  [
    'a refund of a disputed payment that was sent too',
    change('dispute', "key = 'dp_owed'", 'parked_at = null, parked_why = null, seen_at = null'),
    'dispute_refunded_too',
  ],
  [
    'a dispute of which a seller bears more than its part',
    `update dispute_share as share set amount_minor = amount_minor
            + case account_id when (select min(account_id) from dispute_share where step_id = share.step_id) then 100
                              when (select max(account_id) from dispute_share where step_id = share.step_id) then -100
                              else 0 end
      where step_id = (select step.id from dispute_step as step join dispute on dispute.id = dispute_id
                        where key = 'dp_split')`,
    'dispute_shared_otherwise',
  ],
  [
    'a delivery that waits until 9999',
    change('delivery', "status = 'pending'", "next_try_at = '9999-01-01Z'"),
    'delivery_forgotten',
  ],
  [
    'an audit entry by a microsecond',
    change('audit_entry', 'true', "at = at + interval '1 microsecond'"),
    'audit_entry_changed',
  ],
  ['the head of a chain', change('chain_head', "chain = 'ledger'", 'position = position - 1'), 'head_changed'],
  ['the counts of transactions', change('transaction_count', 'true', 'paid = paid + 1'), 'transactions_miscounted'],
  [
    'the counts of recurring payments',
    change('recurring_count', 'true', 'active = active + 1'),
    'recurring_miscounted',
  ],
  ['what a run of verify found', change('verify_run', 'true', "problems = '[]', journals = 7"), 'verify_run_changed'],
  [
    'up to when the books were right',
    change('verify_run', 'true', "right_until = '2036-01-01Z'"),
    'verify_run_changed',
  ],
  ['the sums of the checkpoint', change('ledger_checkpoint', 'true', "sums = '[]'"), 'checkpoint_changed'],
  ['the place of the checkpoint', change('ledger_checkpoint', 'true', 'position = position - 1'), 'checkpoint_changed'],
  [
    'a change of counts',
    `insert into transaction_count_change (merchant_id, six_hour_bucket, status, change)
     select merchant_id, six_hour_bucket, 'paid', 1 from transaction_count order by 1, 2 limit 1`,
    'transactions_miscounted',
  ],
  [
    'a change of recurring counts',
    `insert into recurring_count_change (merchant_id, six_hour_bucket, status, change)
     select merchant_id, six_hour_bucket, 'active', 1 from recurring_count order by 1, 2 limit 1`,
    'recurring_miscounted',
  ],
  ['the number of refunds', change('refund_counter', 'true', 'refunds = refunds + 1'), 'refunds_miscounted'],
];

const newId = '01J0000000MADEXXPXXXXXXXXX';

/** A row that is like another one, except for some columns. */
const copy = (table: string, where: string, changed: Readonly<Record<string, unknown>>): string =>
  `insert into ${table} select (jsonb_populate_record(${table}, '${JSON.stringify(changed)}')).* from ${table}
    where ${one(table, where)}`;

const inserts: readonly (readonly [string, string, string])[] = [
  [
    'a declined attempt',
    copy('charge', "state = 'failed' and purpose = 'payment'", { id: newId, number: 99 }),
    'attempts_miscounted',
  ],
  [
    'a second payment',
    copy('charge', "state = 'correct' and purpose = 'payment'", { id: newId, number: 99, state: 'surplus' }),
    'surplus_not_returned',
  ],
  [
    'a paid transaction',
    copy('transaction', "status = 'paid' and origin = 'api'", { id: newId, title: 'TR-MADE-UP' }),
    'payment_missing',
  ],
  [
    'a pending transaction',
    copy('transaction', "status = 'pending' and origin = 'api'", { id: newId, title: 'TR-MADE-UP' }),
    'search_differs',
  ],
  ['a refund', copy('refund', "status = 'BLIK_processed'", { id: newId, number: 999 }), 'refund_misbooked'],
  [
    'an outgoing refund of a refund',
    copy('outgoing_refund', "purpose = 'refund' and state = 'done'", { id: newId, subject_id: newId }),
    'outgoing_misbooked',
  ],
  [
    'a surplus that goes back',
    copy('outgoing_refund', "purpose = 'surplus' and state = 'done'", {
      id: newId,
      subject_id: newId,
      charge_key: newId,
    }),
    'outgoing_misbooked',
  ],
  [
    'a return of a capture that is nobody’s',
    copy('outgoing_refund', "purpose = 'unallocated'", { id: newId, subject_id: newId }),
    'outgoing_misbooked',
  ],
  [
    'a recurring payment',
    copy('recurring', "status = 'active' and due_at is not null", { id: newId }),
    'recurring_attempts_miscounted',
  ],
  ['a part', copy('transaction_part', 'true', { id: newId, number: 99 }), 'part_changed'],
  ['a part of a refund', copy('refund_part', 'true', { part_id: newId }), 'part_total_wrong'],
  ['a total of refunds', copy('refund_total', 'true', { transaction_id: newId }), 'refund_total_alone'],
  ['a total of a part', copy('part_refund_total', 'true', { part_id: newId }), 'part_total_wrong'],
  ['a total of a product', copy('line_refund_total', 'true', { line: 99 }), 'product_limit_wrong'],
  ['an entry', copy('entry', "account like 'merchant:%'", { line: 99 }), 'entry_changed'],
  ['an entry of nothing', copy('entry', "account like 'merchant:%'", { journal_id: newId }), 'entry_without_journal'],
  ['a seal', copy('journal_seal', 'position = 2', { position: 999_999, journal_id: newId }), 'journal_missing'],
  ['an account of the ledger', copy('ledger_account', "name = 'bank:own'", { name: 'bank:mine' }), 'account_wrong'],
  [
    'an account without a merchant',
    copy('ledger_account', "name like 'merchant:%'", { name: `merchant:${newId}:available` }),
    'balance_wrong',
  ],
  [
    'an account with fees',
    copy('account', "kind = 'merchant'", { id: newId, merchant_number: 999_999 }),
    'account_missing',
  ],
  ['an event', copy('event', "type = 'transaction'", { id: newId }), 'event_not_numbered'],
  [
    'a position of an event',
    copy('event_position', 'true', { position: 999_999, event_id: newId }),
    'event_positions_gap',
  ],
  ['a delivery', copy('delivery', 'true', { event_id: newId }), 'delivery_alone'],
  ['a payout', copy('acquirer_payout', 'true', { key: 'made-up' }), 'payout_misbooked'],
  ['a fee', copy('acquirer_line', 'true', { key: 'made-up' }), 'line_misbooked'],
  ['a note of a line', copy('acquirer_named', 'true', { key: 'made-up' }), 'statement_notes_differ'],
  [
    'a run of reconciliation',
    copy('reconciliation_run', "state <> 'running'", { id: newId, to_at: '2036-01-01T00:00:00Z' }),
    'reconciliation_row_changed',
  ],
  [
    'a difference',
    copy('reconciliation_item', 'true', {
      id: newId,
      key: 'made-up',
      state: 'closed',
      outcome: 'confirmed',
      closed_at: '2026-01-01T00:00:00Z',
    }),
    'reconciliation_row_changed',
  ],
  [
    'a run of verify',
    copy('verify_run', 'true', { id: newId, position: 2, ended_at: '2036-01-01T00:00:00Z' }),
    'verify_run_changed',
  ],
  [
    'a record of reconciliation',
    copy('reconciliation_record', 'position = 1', { position: 999_999, id: newId }),
    'reconciliation_record_missing',
  ],
  [
    'a sum of no run',
    copy('reconciliation_total', "kind = 'capture'", { run_id: newId }),
    'reconciliation_row_missing',
  ],
  [
    'a move of the panel',
    copy('panel_move', "kind = 'payment'", { journal_id: newId, position: 999_999 }),
    'move_wrong',
  ],
  ['a day of the panel', copy('panel_day', 'true', { day: '2001-01-01' }), 'days_wrong'],
  [
    'an entry of the audit log',
    copy('audit_entry', 'position = 1', { position: 999_999, id: newId }),
    'audit_entry_missing',
  ],
  ['a number of refunds', copy('refund_counter', 'true', { merchant_id: newId }), 'refunds_miscounted'],
  [
    'a bucket of counts',
    copy('transaction_count', 'true', { six_hour_bucket: '2001-01-01T00:00:00Z' }),
    'transactions_miscounted',
  ],
  [
    'a bucket of recurring counts',
    copy('recurring_count', 'true', { six_hour_bucket: '2001-01-01T00:00:00Z' }),
    'recurring_miscounted',
  ],
  ['something to search', copy('panel_search', 'true', { transaction_id: newId }), 'search_differs'],
];

/** Rows that cannot be read or counted: they must neither hide the others nor keep verify from its end. */
export const unreadable: readonly Damage[] = [
  {
    what: 'a seal stands at the last position there is',
    noticed: 'seals_missing',
    statements: [
      `insert into journal_seal (position, journal_id, hash, marks)
       select 9223372036854775807, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', hash, marks from journal_seal where position = 1`,
    ],
  },
  {
    what: "a refund's fee is the largest number",
    noticed: 'part_not_verified',
    statements: [change('refund', 'true', 'fee_minor = 9223372036854775807')],
  },
  {
    what: "an account's zone is nowhere",
    noticed: 'part_not_verified',
    statements: [change('account', "kind = 'merchant'", "zone = 'Nowhere/None'")],
  },
  {
    what: 'an acquirer that nobody compares',
    noticed: 'acquirer_never_compared',
    statements: [
      "insert into ledger_account (name, kind, floor, created_at) values ('acquirer:ghost:receivable', 'asset', false, now())",
    ],
    triggers: true,
  },
];

/** Times that nobody could read again; of each table in test/platform/tables.test.ts. */
const timeless: readonly Damage[] = [
  {
    what: 'a journal is posted at no time',
    noticed: 'schema',
    statements: [change('journal', "kind = 'payment'", "posted_at = 'infinity'")],
  },
  {
    what: 'a recurring payment is due at no time',
    noticed: 'schema',
    statements: [change('recurring', "status = 'active'", "due_at = 'infinity'")],
  },
  {
    what: 'a run of reconciliation ended after the last year',
    noticed: 'schema',
    statements: [change('reconciliation_run', "state <> 'running'", "ended_at = '290000-01-01Z'")],
  },
];

export const madeUpDamages: readonly Damage[] = [
  ...timeless,
  ...thefts,
  ...unreadable,
  ...changes.map(([what, statement, noticed]) => ({ what, statements: [statement], noticed })),
  ...inserts.map(([what, statement, noticed]) => ({ what: `${what} is inserted`, statements: [statement], noticed })),
];
